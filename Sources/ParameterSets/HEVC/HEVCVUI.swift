// SPDX-License-Identifier: MIT

/// `vui_parameters()`: what a display needs and decoding does not (E.2.1).
public struct HEVCVUI: SyntaxStructure {
    /// The clock of the stream (E.3.1).
    public struct Timing: Hashable, Sendable {
        /// Units and ticks; a tick is a picture, where the rate is constant.
        public var clock = ClockTicks()
        /// `vui_num_ticks_poc_diff_one_minus1`, 0...2^32 - 2: ticks per step of picture order count, less 1; nil when
        /// output times are not proportional to it (`vui_poc_proportional_to_timing_flag` 0).
        public var numTicksPocDiffOneMinus1: Int?
        /// The buffer model.
        public var hrd: HEVCHRD?

        /// A tick of one second.
        public init() {}
    }

    /// Limits that a stream observes beyond its level's (E.3.1).
    public struct BitstreamRestriction: Hashable, Sendable {
        /// `tiles_fixed_structure_flag`: all picture parameter sets have the same tiles.
        public var tilesFixedStructureFlag = false
        /// `motion_vectors_over_pic_boundaries_flag`.
        public var motionVectorsOverPicBoundariesFlag = true
        /// `restricted_ref_pic_lists_flag`: all slices of a picture have the same reference picture lists.
        public var restrictedRefPicListsFlag = false
        /// `min_spatial_segmentation_idc`, 0...4095: how finely pictures are divided for parallel decoding.
        public var minSpatialSegmentationIdc = 0
        /// `max_bytes_per_pic_denom`, 0...16; 0 for no limit.
        public var maxBytesPerPicDenom = 2
        /// `max_bits_per_min_cu_denom`, 0...16; 0 for no limit.
        public var maxBitsPerMinCuDenom = 1
        /// `log2_max_mv_length_horizontal`, 0...15, of quarter luma samples.
        public var log2MaxMvLengthHorizontal = 15
        /// `log2_max_mv_length_vertical`, 0...15, of quarter luma samples.
        public var log2MaxMvLengthVertical = 15

        /// As inferred when not coded.
        public init() {}
    }

    /// The shape of samples; nil when unspecified.
    public var aspectRatio: AspectRatioInfo?
    /// `overscan_appropriate_flag`; nil when unspecified.
    public var overscanAppropriateFlag: Bool?
    /// Range and color; nil when unspecified.
    public var videoSignalType: VideoSignalType?
    /// Where chroma lies; nil when unspecified.
    public var chromaLocation: ChromaLocation?
    /// `neutral_chroma_indication_flag`: all chroma samples are grey.
    public var neutralChromaIndicationFlag = false
    /// `field_seq_flag`: pictures are fields.
    public var fieldSeqFlag = false
    /// `frame_field_info_present_flag`: picture timing SEI messages tell how pictures are shown.
    public var frameFieldInfoPresentFlag = false
    /// The part to show by default, in chroma units, inside the conformance window.
    public var defaultDisplayWindow: CroppingWindow?
    /// The clock; nil when unspecified.
    public var timing: Timing?
    /// Limits beyond the level's; nil for none.
    public var bitstreamRestriction: BitstreamRestriction?

    /// Nothing specified.
    public init() {}

    /// Codes the structure; `maxSubLayersMinus1` is the sequence parameter set's, 0...6.
    ///
    /// It is nil for a multilayer set without its video parameter set, in which a buffer model cannot be told from what
    /// follows.
    public mutating func code(
        with coder: inout some SyntaxCoder, in maxSubLayersMinus1: Int?
    ) throws(ParameterSetError) {
        try codeDisplay(with: &coder)
        try coder.part(flag: "vui_timing_info_present_flag", &timing, in: maxSubLayersMinus1)
        try coder.part(flag: "bitstream_restriction_flag", &bitstreamRestriction)
    }

    private mutating func codeDisplay(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.part(flag: "aspect_ratio_info_present_flag", &aspectRatio)
        try coder.flag(flag: "overscan_info_present_flag", "overscan_appropriate_flag", &overscanAppropriateFlag)
        try coder.part(flag: "video_signal_type_present_flag", &videoSignalType, in: "matrix_coeffs")
        try coder.part(flag: "chroma_loc_info_present_flag", &chromaLocation)
        try coder.flag("neutral_chroma_indication_flag", &neutralChromaIndicationFlag)
        try coder.flag("field_seq_flag", &fieldSeqFlag)
        try coder.flag("frame_field_info_present_flag", &frameFieldInfoPresentFlag)
        try coder.part(flag: "default_display_window_flag", &defaultDisplayWindow, in: "def_disp_win")
    }
}

extension HEVCVUI.Timing: SyntaxStructure {
    /// Codes the clock and the buffer model; the context is that of the VUI.
    public mutating func code(
        with coder: inout some SyntaxCoder, in maxSubLayersMinus1: Int?
    ) throws(ParameterSetError) {
        try clock.code(with: &coder, in: "vui_")
        try coder.ue(
            flag: "vui_poc_proportional_to_timing_flag", "vui_num_ticks_poc_diff_one_minus1", &numTicksPocDiffOneMinus1)
        try coder.presence("vui_hrd_parameters_present_flag", &hrd, .unread)
        guard hrd != nil else { return }
        guard let maxSubLayersMinus1 else {
            throw coder.failure(
                .missingParameterSet, "hrd_parameters",
                "needs the number of sub-layers, but no video parameter set of the set's id came before")
        }
        try hrd?.code(with: &coder, in: .init(maxSubLayersMinus1: maxSubLayersMinus1))
    }
}

extension HEVCVUI.BitstreamRestriction: SyntaxStructure {
    /// Codes the part.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("tiles_fixed_structure_flag", &tilesFixedStructureFlag)
        try coder.flag("motion_vectors_over_pic_boundaries_flag", &motionVectorsOverPicBoundariesFlag)
        try coder.flag("restricted_ref_pic_lists_flag", &restrictedRefPicListsFlag)
        try coder.ue("min_spatial_segmentation_idc", &minSpatialSegmentationIdc, 0...4095)
        try coder.ue("max_bytes_per_pic_denom", &maxBytesPerPicDenom, 0...16)
        try coder.ue("max_bits_per_min_cu_denom", &maxBitsPerMinCuDenom, 0...16)
        try coder.ue("log2_max_mv_length_horizontal", &log2MaxMvLengthHorizontal, 0...15)
        try coder.ue("log2_max_mv_length_vertical", &log2MaxMvLengthVertical, 0...15)
    }
}
