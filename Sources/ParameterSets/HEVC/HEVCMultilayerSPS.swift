// SPDX-License-Identifier: MIT

/// What a sequence parameter set of a higher layer has in place of size, format and profile (F.7.3.2.2.1).
public struct HEVCMultilayerSPS: Hashable, Sendable {
    /// `sps_rep_format_idx`, 0...255: which of the video parameter set's picture formats; nil for the layer's own
    /// (`update_rep_format_flag` 0).
    public var repFormatIdx: Int?
    /// `sps_scaling_list_ref_layer_id`, 0...63: the layer whose scaling lists are used; nil for lists of its own
    /// (`sps_infer_scaling_list_flag` 0).
    public var scalingListRefLayerID: Int?

    /// The video parameter set's format, no scaling lists from elsewhere.
    public init() {}

    mutating func codeFormat<Coder: SyntaxCoder>(with coder: inout Coder) throws(ParameterSetError) {
        try coder.presence("update_rep_format_flag", &repFormatIdx, 0)
        if var index = repFormatIdx {
            try coder.u("sps_rep_format_idx", &index, 8)
            repFormatIdx = index
        }
    }

    /// Codes what comes before the scaling lists; returns whether another layer's are used.
    mutating func codeScaling<Coder: SyntaxCoder>(
        with coder: inout Coder, isEnabled: Bool
    ) throws(ParameterSetError) -> Bool {
        guard isEnabled else {
            try coder.absent("sps_infer_scaling_list_flag", &scalingListRefLayerID)
            return false
        }
        try coder.presence("sps_infer_scaling_list_flag", &scalingListRefLayerID, 0)
        guard var layer = scalingListRefLayerID else { return false }
        try coder.u("sps_scaling_list_ref_layer_id", &layer, 6)
        scalingListRefLayerID = layer
        return true
    }
}
