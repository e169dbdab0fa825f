// SPDX-License-Identifier: MIT

/// `vui_parameters()`: what a decoder does not need but a display does (E.1.1).
public struct H264VUI: SyntaxStructure {
    /// What references and output are restricted to (E.2.1).
    public struct BitstreamRestriction: Hashable, Sendable {
        /// `motion_vectors_over_pic_boundaries_flag`.
        public var motionVectorsOverPicBoundariesFlag = true
        /// `max_bytes_per_pic_denom`, 0...16.
        public var maxBytesPerPicDenom = 2
        /// `max_bits_per_mb_denom`, 0...16.
        public var maxBitsPerMbDenom = 1
        /// `log2_max_mv_length_horizontal`, 0...16, in quarter luma samples; newer editions end at 15.
        public var log2MaxMvLengthHorizontal = 15
        /// `log2_max_mv_length_vertical`, 0...16, in quarter luma samples; newer editions end at 15.
        public var log2MaxMvLengthVertical = 15
        /// `max_num_reorder_frames`, 0...16: how many frames precede another in decoding and follow it in output.
        public var maxNumReorderFrames = 0
        /// `max_dec_frame_buffering`, 0...16, in frames.
        public var maxDecFrameBuffering = 0

        /// No reordering and no buffering; the rest as newer editions infer it when not coded.
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
    /// The clock, whose tick is a field; nil when unspecified.
    public var timing: ClockTicks?
    /// `fixed_frame_rate_flag`; false without ``timing``.
    public var fixedFrameRateFlag = false
    /// The buffer model of the whole stream.
    public var nalHRD: H264HRD?
    /// The buffer model of slices alone.
    public var vclHRD: H264HRD?
    /// `low_delay_hrd_flag`; false without a buffer model, which is all that it says something about.
    public var lowDelayHrdFlag = false
    /// `pic_struct_present_flag`: whether picture timing SEI tell how fields are shown.
    public var picStructPresentFlag = false
    /// Limits of references and output; nil when only the level's apply.
    public var bitstreamRestriction: BitstreamRestriction?

    /// Nothing specified.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.part(flag: "aspect_ratio_info_present_flag", &aspectRatio)
        try coder.flag(flag: "overscan_info_present_flag", "overscan_appropriate_flag", &overscanAppropriateFlag)
        try coder.part(flag: "video_signal_type_present_flag", &videoSignalType, in: "matrix_coefficients")
        try coder.part(flag: "chroma_loc_info_present_flag", &chromaLocation)
        try coder.part(flag: "timing_info_present_flag", &timing, in: "")
        try coder.flag("fixed_frame_rate_flag", &fixedFrameRateFlag, when: timing != nil, else: false)
        try codeBufferModels(with: &coder)
        try coder.flag("pic_struct_present_flag", &picStructPresentFlag)
        try coder.part(flag: "bitstream_restriction_flag", &bitstreamRestriction)
    }

    private mutating func codeBufferModels(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.part(flag: "nal_hrd_parameters_present_flag", &nalHRD, startingAs: .unread)
        try coder.part(flag: "vcl_hrd_parameters_present_flag", &vclHRD, startingAs: .unread)
        try coder.flag("low_delay_hrd_flag", &lowDelayHrdFlag, when: nalHRD != nil || vclHRD != nil, else: false)
    }
}

extension H264VUI.BitstreamRestriction: SyntaxStructure {
    /// Codes the part.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("motion_vectors_over_pic_boundaries_flag", &motionVectorsOverPicBoundariesFlag)
        try coder.ue("max_bytes_per_pic_denom", &maxBytesPerPicDenom, 0...16)
        try coder.ue("max_bits_per_mb_denom", &maxBitsPerMbDenom, 0...16)
        try coder.ue("log2_max_mv_length_horizontal", &log2MaxMvLengthHorizontal, 0...16)
        try coder.ue("log2_max_mv_length_vertical", &log2MaxMvLengthVertical, 0...16)
        try coder.ue("max_num_reorder_frames", &maxNumReorderFrames, 0...16)
        try coder.ue("max_dec_frame_buffering", &maxDecFrameBuffering, 0...16)
    }
}
