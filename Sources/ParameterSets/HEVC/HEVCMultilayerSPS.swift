// SPDX-License-Identifier: MIT

/// What a sequence parameter set of a higher layer has in place of size, format and profile (F.7.3.2.2.1).
public struct HEVCMultilayerSPS: SyntaxStructure {
    /// `sps_rep_format_idx`, 0...255: which of the video parameter set's picture formats; nil for the layer's own
    /// (`update_rep_format_flag` 0).
    public var repFormatIdx: Int?
    /// `sps_scaling_list_ref_layer_id`, 0...63: the layer whose scaling lists are used; nil for lists of its own
    /// (`sps_infer_scaling_list_flag` 0).
    public var scalingListRefLayerID: Int?

    /// The video parameter set's format, no scaling lists from elsewhere.
    public init() {}

    /// Codes what stands in place of the picture format.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u(flag: "update_rep_format_flag", "sps_rep_format_idx", &repFormatIdx, 8)
    }

    /// Codes what comes before the scaling lists.
    mutating func codeScaling(with coder: inout some SyntaxCoder, isEnabled: Bool) throws(ParameterSetError) {
        try coder.u(
            flag: "sps_infer_scaling_list_flag", "sps_scaling_list_ref_layer_id", &scalingListRefLayerID, 6,
            when: isEnabled)
    }
}
