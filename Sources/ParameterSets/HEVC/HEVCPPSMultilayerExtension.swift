// SPDX-License-Identifier: MIT

/// `pps_multilayer_extension()` (F.7.3.2.3.4).
public struct HEVCPPSMultilayerExtension: SyntaxStructure {
    /// Four distances from the sides of a picture, in chroma units, -16384...16383 (F.7.4.3.3.4).
    public struct Offsets: Hashable, Sendable {
        /// From the left side.
        public var left = 0
        /// From the top.
        public var top = 0
        /// From the right side.
        public var right = 0
        /// From the bottom.
        public var bottom = 0

        /// No distance.
        public init() {}
    }

    /// Phase shifts of resampling, in sixteenths of a sample (F.7.4.3.3.4).
    public struct ResamplePhases: Hashable, Sendable {
        /// `phase_hor_luma`, 0...31.
        public var horLuma = 0
        /// `phase_ver_luma`, 0...31.
        public var verLuma = 0
        /// `phase_hor_chroma_plus8`, 0...63.
        public var horChromaPlus8 = 8
        /// `phase_ver_chroma_plus8`, 0...63.
        public var verChromaPlus8 = 8

        /// No shift.
        public init() {}
    }

    /// How a reference layer's pictures lie in those of this layer (F.7.4.3.3.4).
    public struct RefLocation: Hashable, Sendable {
        /// `ref_loc_offset_layer_id`, 0...63.
        public var layerID = 0
        /// `scaled_ref_layer_left_offset` and so on.
        public var scaledRefLayer: Offsets?
        /// `ref_region_left_offset` and so on.
        public var refRegion: Offsets?
        /// Resampling.
        public var phases: ResamplePhases?

        /// Makes a region that lies where the picture lies.
        public init() {}
    }

    /// `poc_reset_info_present_flag`: slices may reset picture order counts.
    public var pocResetInfoPresentFlag = false
    /// `pps_scaling_list_ref_layer_id`, 0...63; nil for lists of its own (`pps_infer_scaling_list_flag` 0).
    public var scalingListRefLayerID: Int?
    /// At most 63 reference layers.
    public var refLocations: [RefLocation] = []
    /// How colors of reference layers are mapped; nil when they are not.
    public var colorMapping: HEVCColorMappingTable?

    /// Nothing.
    public init() {}

    /// Codes the extension.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("poc_reset_info_present_flag", &pocResetInfoPresentFlag)
        try coder.u(flag: "pps_infer_scaling_list_flag", "pps_scaling_list_ref_layer_id", &scalingListRefLayerID, 6)
        try coder.count("num_ref_loc_offsets", &refLocations, 0...63, repeating: RefLocation())
        for i in refLocations.indices {
            try refLocations[i].code(with: &coder, at: i)
        }
        try coder.part(flag: "colour_mapping_enabled_flag", &colorMapping)
    }
}

extension HEVCPPSMultilayerExtension.RefLocation {
    fileprivate mutating func code(with coder: inout some SyntaxCoder, at i: Int) throws(ParameterSetError) {
        try coder.u("ref_loc_offset_layer_id", &layerID, 6, at: i)
        // The standard numbers what follows by layer.
        let index = layerID
        try coder.part(
            flag: "scaled_ref_layer_offset_present_flag", &scaledRefLayer, in: ("scaled_ref_layer", index), at: i)
        try coder.part(flag: "ref_region_offset_present_flag", &refRegion, in: ("ref_region", index), at: i)
        try coder.part(flag: "resample_phase_set_present_flag", &phases, in: index, at: i)
    }
}

extension HEVCPPSMultilayerExtension.Offsets: SyntaxStructure {
    /// Codes the distances, whose names begin with `place`, for the layer with an index.
    public mutating func code(
        with coder: inout some SyntaxCoder, in context: (place: StaticString, index: Int)
    ) throws(ParameterSetError) {
        let (place, i) = context
        let range = -16384...16383
        try coder.se("\(place)_left_offset", &left, range, at: i)
        try coder.se("\(place)_top_offset", &top, range, at: i)
        try coder.se("\(place)_right_offset", &right, range, at: i)
        try coder.se("\(place)_bottom_offset", &bottom, range, at: i)
    }
}

extension HEVCPPSMultilayerExtension.ResamplePhases: SyntaxStructure {
    /// Codes the phases of the layer with an index.
    public mutating func code(with coder: inout some SyntaxCoder, in i: Int) throws(ParameterSetError) {
        try coder.ue("phase_hor_luma", &horLuma, 0...31, at: i)
        try coder.ue("phase_ver_luma", &verLuma, 0...31, at: i)
        try coder.ue("phase_hor_chroma_plus8", &horChromaPlus8, 0...63, at: i)
        try coder.ue("phase_ver_chroma_plus8", &verChromaPlus8, 0...63, at: i)
    }
}
