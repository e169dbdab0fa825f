// SPDX-License-Identifier: MIT

/// What follows `sps_extension_present_flag` (7.3.2.2.1).
public struct HEVCSPSExtensions: SyntaxStructure {
    /// Format range extensions.
    public var range: HEVCSPSRangeExtension?
    /// `inter_view_mv_vert_constraint_flag` of the multilayer extension (F.7.3.2.2.4).
    public var interViewMvVertConstraintFlag: Bool?
    /// 3D extensions.
    public var threeD: HEVCSPS3DExtension?
    /// Screen content coding.
    public var screenContent: HEVCSPSScreenContentExtension?
    /// `sps_extension_4bits`, 0...15; 0 today.
    public var extension4Bits = 0
    /// `sps_extension_data_flag`: the bits that ``extension4Bits`` announces.
    public var data = OpaqueBits()

    /// No extension.
    public init() {}

    /// Codes the presence flags and the extensions; `format` is nil in a multilayer set, which takes it from elsewhere.
    public mutating func code(
        with coder: inout some SyntaxCoder, in format: HEVCPictureFormat?
    ) throws(ParameterSetError) {
        try coder.presence("sps_range_extension_flag", &range, .init())
        try coder.presence("sps_multilayer_extension_flag", &interViewMvVertConstraintFlag, false)
        try coder.presence("sps_3d_extension_flag", &threeD, .init())
        try coder.presence("sps_scc_extension_flag", &screenContent, .init())
        try coder.u("sps_extension_4bits", &extension4Bits, 4)
        try range?.code(with: &coder, in: ())
        try coder.flag(
            "inter_view_mv_vert_constraint_flag", &interViewMvVertConstraintFlag,
            when: interViewMvVertConstraintFlag != nil)
        try threeD?.code(with: &coder, in: ())
        try screenContent?.code(with: &coder, in: format)
        try coder.opaque("sps_extension_data_flag", &data, count: coder.remainingDataBits, when: extension4Bits != 0)
    }
}

/// `sps_range_extension()` (7.3.2.2.2).
public struct HEVCSPSRangeExtension: SyntaxStructure {
    /// `transform_skip_rotation_enabled_flag`.
    public var transformSkipRotationEnabledFlag = false
    /// `transform_skip_context_enabled_flag`.
    public var transformSkipContextEnabledFlag = false
    /// `implicit_rdpcm_enabled_flag`.
    public var implicitRdpcmEnabledFlag = false
    /// `explicit_rdpcm_enabled_flag`.
    public var explicitRdpcmEnabledFlag = false
    /// `extended_precision_processing_flag`.
    public var extendedPrecisionProcessingFlag = false
    /// `intra_smoothing_disabled_flag`.
    public var intraSmoothingDisabledFlag = false
    /// `high_precision_offsets_enabled_flag`: weighted prediction offsets have the samples' precision.
    public var highPrecisionOffsetsEnabledFlag = false
    /// `persistent_rice_adaptation_enabled_flag`.
    public var persistentRiceAdaptationEnabledFlag = false
    /// `cabac_bypass_alignment_enabled_flag`.
    public var cabacBypassAlignmentEnabledFlag = false

    /// No tool.
    public init() {}

    /// Codes nine flags.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("transform_skip_rotation_enabled_flag", &transformSkipRotationEnabledFlag)
        try coder.flag("transform_skip_context_enabled_flag", &transformSkipContextEnabledFlag)
        try coder.flag("implicit_rdpcm_enabled_flag", &implicitRdpcmEnabledFlag)
        try coder.flag("explicit_rdpcm_enabled_flag", &explicitRdpcmEnabledFlag)
        try coder.flag("extended_precision_processing_flag", &extendedPrecisionProcessingFlag)
        try coder.flag("intra_smoothing_disabled_flag", &intraSmoothingDisabledFlag)
        try coder.flag("high_precision_offsets_enabled_flag", &highPrecisionOffsetsEnabledFlag)
        try coder.flag("persistent_rice_adaptation_enabled_flag", &persistentRiceAdaptationEnabledFlag)
        try coder.flag("cabac_bypass_alignment_enabled_flag", &cabacBypassAlignmentEnabledFlag)
    }
}

/// `sps_scc_extension()` (7.3.2.2.3).
public struct HEVCSPSScreenContentExtension: SyntaxStructure {
    /// Blocks of few colors (7.4.3.2.3).
    public struct Palette: Hashable, Sendable {
        /// `palette_max_size`, 0...64 entries.
        public var maxSize = 0
        /// `delta_palette_max_predictor_size`, 0...128 entries.
        public var deltaMaxPredictorSize = 0
        /// `sps_palette_predictor_initializer[comp][i]`: one array per component, all of one length; nil for none.
        public var predictorInitializers: [[Int]]?

        /// No entries.
        public init() {}
    }

    /// `sps_curr_pic_ref_enabled_flag`: a picture may be predicted from itself.
    public var currPicRefEnabledFlag = false
    /// Palette mode; nil when `palette_mode_enabled_flag` is 0.
    public var palette: Palette?
    /// `motion_vector_resolution_control_idc`, 0...3: 0 fractional, 1 whole samples, 2 each slice tells.
    public var motionVectorResolutionControlIdc = 0
    /// `intra_boundary_filtering_disabled_flag`.
    public var intraBoundaryFilteringDisabledFlag = false

    /// No tool.
    public init() {}

    /// Codes the extension; without `format`, palettes cannot have predictor initializers.
    public mutating func code(
        with coder: inout some SyntaxCoder, in format: HEVCPictureFormat?
    ) throws(ParameterSetError) {
        try coder.flag("sps_curr_pic_ref_enabled_flag", &currPicRefEnabledFlag)
        try coder.part(flag: "palette_mode_enabled_flag", &palette, in: format)
        try coder.u("motion_vector_resolution_control_idc", &motionVectorResolutionControlIdc, 2)
        try coder.flag("intra_boundary_filtering_disabled_flag", &intraBoundaryFilteringDisabledFlag)
    }
}

extension HEVCSPSScreenContentExtension.Palette: SyntaxStructure {
    /// Codes the sizes and the entries that palettes start from, which need `format`.
    public mutating func code(
        with coder: inout some SyntaxCoder, in format: HEVCPictureFormat?
    ) throws(ParameterSetError) {
        try coder.ue("palette_max_size", &maxSize, 0...64)
        try coder.ue("delta_palette_max_predictor_size", &deltaMaxPredictorSize, 0...128)
        try coder.presence("sps_palette_predictor_initializers_present_flag", &predictorInitializers, [])
        guard let format else {
            guard predictorInitializers == nil else {
                throw coder.failure(
                    .unsupported, "sps_palette_predictor_initializer",
                    "needs the picture format, which the video parameter set's extension tells")
            }
            return
        }
        let most = max(maxSize + deltaMaxPredictorSize, 1)
        try predictorInitializers?.codePalette(with: &coder, in: format, most: most)
    }
}

extension [[Int]] {
    /// Codes the number of entries, at most `most`, and those of each component.
    fileprivate mutating func codePalette(
        with coder: inout some SyntaxCoder, in format: HEVCPictureFormat, most: Int
    ) throws(ParameterSetError) {
        let name: SyntaxName = "sps_palette_predictor_initializer"
        var countMinus1 = (first?.count ?? 0) - 1
        try coder.ue("sps_num_palette_predictor_initializers_minus1", &countMinus1, 0...most - 1)
        try coder.expect(name, &self, count: format.chromaFormatIdc == 0 ? 1 : 3, repeating: [])
        for component in indices {
            let depth = 8 + (component == 0 ? format.bitDepthLumaMinus8 : format.bitDepthChromaMinus8)
            try coder.expect(name, &self[component], count: countMinus1 + 1, repeating: 0)
            for i in self[component].indices {
                try coder.u(name, &self[component][i], depth, at: component, i)
            }
        }
    }
}
