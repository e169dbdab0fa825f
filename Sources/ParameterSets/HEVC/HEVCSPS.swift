// SPDX-License-Identifier: MIT

/// `seq_parameter_set_rbsp()`: what holds for a whole coded video sequence (7.3.2.2, 7.4.3.2).
///
/// Properties have the standard's names; ``HEVCSPS/codedSize`` and others in the extensions are derived from them.
public struct HEVCSPS: RBSPStructure {
    /// The header of the unit that the set stands in, as sets of higher layers have another syntax (F.7.3.2.2), and
    /// where a multilayer set's video parameter set is looked up.
    public typealias Context = UnitContext<HEVCNALUnitHeader, HEVCParameterSets>

    /// The size and format of pictures; a set of a higher layer may take them from the video parameter set instead.
    public var format = HEVCPictureFormat()
    /// `sps_video_parameter_set_id`, 0...15.
    public var vpsID = 0
    /// `sps_max_sub_layers_minus1`, 0...6; in a higher layer `sps_ext_or_max_sub_layers_minus1`, where 7 makes the set
    /// a multilayer one.
    public var maxSubLayersMinus1 = 0
    /// What only a set of a higher layer has, when ``maxSubLayersMinus1`` is 7; nil for others.
    public var multilayer: HEVCMultilayerSPS?
    /// `sps_temporal_id_nesting_flag`: decoders may switch to a higher sub-layer at any picture.
    public var temporalIdNestingFlag = true
    /// Profile, tier and level.
    public var profileTierLevel = HEVCProfileTierLevel()
    /// `sps_seq_parameter_set_id`, 0...15.
    public var id = 0
    /// `log2_max_pic_order_cnt_lsb_minus4`, 0...12.
    public var log2MaxPicOrderCntLsbMinus4 = 0
    /// What each sub-layer needs of the decoded picture buffer.
    public var ordering = HEVCSubLayerOrdering()
    /// Block sizes.
    public var blocks = HEVCBlockSizes()
    /// `scaling_list_enabled_flag`: transform coefficients are scaled by frequency.
    public var scalingListEnabledFlag = false
    /// The sequence's scaling lists; nil for the default ones, or when scaling is not enabled.
    public var scalingLists: HEVCScalingLists?
    /// `amp_enabled_flag`: blocks may be divided a quarter to three quarters.
    public var ampEnabledFlag = false
    /// `sample_adaptive_offset_enabled_flag`.
    public var sampleAdaptiveOffsetEnabledFlag = false
    /// Blocks of samples that are not transformed; nil when there are none.
    public var pcm: HEVCPCM?
    /// The short-term reference picture sets that slices choose from, at most 64.
    public var shortTermRefPicSets: [HEVCShortTermRefPicSet] = []
    /// The long-term reference pictures that slices choose from, at most 32; nil when there are no long-term ones.
    public var longTermRefPics: [HEVCLongTermRefPic]?
    /// `sps_temporal_mvp_enabled_flag`: motion vectors are predicted from other pictures.
    public var temporalMvpEnabledFlag = false
    /// `strong_intra_smoothing_enabled_flag`.
    public var strongIntraSmoothingEnabledFlag = false
    /// Display and buffer information.
    public var vui: HEVCVUI?
    /// The extensions; nil when `sps_extension_present_flag` is 0.
    public var extensions: HEVCSPSExtensions?

    /// A Main-like sequence of one 8x8 block, for its caller to change.
    public init() {}

    /// Reads a NAL unit as it stands in a stream, without start code or length.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit.
    ///   - vps: The video parameter set referred to, which only the buffer model of a multilayer set asks for.
    /// - Throws: ``ParameterSetError`` naming field, bit offset, value and legal range where they are known.
    public init(nalUnit: some ByteView & ~Escapable, vps: HEVCVPS? = nil) throws(ParameterSetError) {
        try self.init(nalUnit: nalUnit, in: Self.context(HEVCNALUnitHeader.read(in: nalUnit), vps))
    }

    /// The NAL unit as it stands in a stream, without start code or length.
    ///
    /// - Parameters:
    ///   - header: The unit's header; that of a base layer unless given.
    ///   - vps: The video parameter set referred to, which only the buffer model of a multilayer set asks for.
    /// - Returns: The unit with emulation prevention.
    /// - Throws: ``ParameterSetError`` when a value has no place in the syntax or lies outside the legal range.
    public func nalUnit(
        header: HEVCNALUnitHeader = Self.defaultHeader, vps: HEVCVPS? = nil
    ) throws(ParameterSetError) -> [UInt8] {
        try nalUnit(header: header, in: Self.context(header, vps))
    }

    private static func context(_ header: HEVCNALUnitHeader, _ vps: HEVCVPS?) -> Context {
        var context = Context(header: header, parameterSets: .init())
        if let vps {
            context.parameterSets.insert(vps)
        }
        return context
    }

    /// Type 33 in the base layer.
    public static var defaultHeader: HEVCNALUnitHeader { .init(type: .sps) }

    /// Codes `seq_parameter_set_rbsp()`.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try codeProfile(with: &coder, layerID: context.header.layerID)
        try multilayer?.code(with: &coder, in: ())
        try coder.part("chroma_format_idc", &format, in: (), when: multilayer == nil, else: HEVCPictureFormat())
        try coder.ue("log2_max_pic_order_cnt_lsb_minus4", &log2MaxPicOrderCntLsbMinus4, 0...12)
        try coder.part(
            "sps_max_dec_pic_buffering_minus1", &ordering, in: .init("sps", count: maxSubLayersMinus1 + 1),
            when: multilayer == nil, else: HEVCSubLayerOrdering())
        try blocks.code(with: &coder, in: ())
        try codeTools(with: &coder)
        try codeReferencePictures(with: &coder)
        try coder.flag("sps_temporal_mvp_enabled_flag", &temporalMvpEnabledFlag)
        try coder.flag("strong_intra_smoothing_enabled_flag", &strongIntraSmoothingEnabledFlag)
        // F.7.4.3.2.1: a multilayer set has as many sub-layers as its video parameter set.
        let subLayers = multilayer == nil ? maxSubLayersMinus1 : context.parameterSets.vps(vpsID)?.maxSubLayersMinus1
        try coder.part(flag: "vui_parameters_present_flag", &vui, in: subLayers)
        try coder.part(flag: "sps_extension_present_flag", &extensions, in: multilayer == nil ? format : nil)
        try coder.rbspTrailingBits()
    }

    private mutating func codeProfile(with coder: inout some SyntaxCoder, layerID: Int) throws(ParameterSetError) {
        try coder.u("sps_video_parameter_set_id", &vpsID, 4)
        try coder.u(
            layerID == 0 ? "sps_max_sub_layers_minus1" : "sps_ext_or_max_sub_layers_minus1", &maxSubLayersMinus1, 3,
            layerID == 0 ? 0...6 : nil)
        let isMultilayer = layerID > 0 && maxSubLayersMinus1 == 7
        try coder.place("update_rep_format_flag", &multilayer, HEVCMultilayerSPS(), when: isMultilayer)
        try coder.flag("sps_temporal_id_nesting_flag", &temporalIdNestingFlag, when: !isMultilayer, else: true)
        try coder.part(
            "general_profile_idc", &profileTierLevel, in: .init(maxSubLayersMinus1: maxSubLayersMinus1),
            when: !isMultilayer, else: HEVCProfileTierLevel())
        try coder.ue("sps_seq_parameter_set_id", &id, 0...15)
    }

    private mutating func codeTools(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.flag("scaling_list_enabled_flag", &scalingListEnabledFlag)
        try multilayer?.codeScaling(with: &coder, isEnabled: scalingListEnabledFlag)
        try coder.part(
            flag: "sps_scaling_list_data_present_flag", &scalingLists,
            when: scalingListEnabledFlag && multilayer?.scalingListRefLayerID == nil)
        try coder.flag("amp_enabled_flag", &ampEnabledFlag)
        try coder.flag("sample_adaptive_offset_enabled_flag", &sampleAdaptiveOffsetEnabledFlag)
        try coder.part(flag: "pcm_enabled_flag", &pcm, in: blocks)
    }

    private mutating func codeReferencePictures(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.count("num_short_term_ref_pic_sets", &shortTermRefPicSets, 0...64, repeating: .init())
        for i in shortTermRefPicSets.indices {
            var set = shortTermRefPicSets[i]
            try set.code(with: &coder, in: .init(sets: shortTermRefPicSets, index: i))
            shortTermRefPicSets[i] = set
        }
        try coder.presence("long_term_ref_pics_present_flag", &longTermRefPics, [])
        try longTermRefPics?.code(with: &coder, pocLsbBits: log2MaxPicOrderCntLsbMinus4 + 4)
    }
}

extension [HEVCLongTermRefPic] {
    fileprivate mutating func code(with coder: inout some SyntaxCoder, pocLsbBits: Int) throws(ParameterSetError) {
        try coder.count("num_long_term_ref_pics_sps", &self, 0...32, repeating: .init())
        for i in indices {
            try coder.u("lt_ref_pic_poc_lsb_sps", &self[i].pocLsb, pocLsbBits, at: i)
            try coder.flag("used_by_curr_pic_lt_sps_flag", &self[i].isUsedByCurrentPicture, at: i)
        }
    }
}

extension UnitContext<HEVCNALUnitHeader, HEVCParameterSets> {
    /// A sequence parameter set of the base layer, which no other set says anything about.
    public static var baseLayer: Self { .init(header: HEVCSPS.defaultHeader, parameterSets: .init()) }
}
