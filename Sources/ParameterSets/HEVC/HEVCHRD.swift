// SPDX-License-Identifier: MIT

/// `hrd_parameters()`: the buffer model of a stream, for each temporal sub-layer (E.2.2).
public struct HEVCHRD: SyntaxStructure {
    /// What decides which parts are there.
    public struct Context: Sendable {
        /// The common information of the structure before, where this one does not code its own
        /// (`commonInfPresentFlag` 0); nil where it does.
        public var inheritedCommon: Common?
        /// `maxNumSubLayersMinus1`, 0...6.
        public var maxSubLayersMinus1: Int

        /// Names both arguments of the syntax structure.
        public init(inheriting common: Common? = nil, maxSubLayersMinus1: Int) {
            inheritedCommon = common
            self.maxSubLayersMinus1 = maxSubLayersMinus1
        }
    }

    /// What all sub-layers have in common (E.2.2).
    public struct Common: Hashable, Sendable {
        /// `nal_hrd_parameters_present_flag`: whether sub-layers have schedules of the whole stream.
        public var nalHrdParametersPresentFlag = false
        /// `vcl_hrd_parameters_present_flag`: whether sub-layers have schedules of slices alone.
        public var vclHrdParametersPresentFlag = false
        /// Decoding unit by unit; nil when only whole access units are decoded.
        public var subPicture: SubPicture?
        /// `bit_rate_scale`, 0...15.
        public var bitRateScale = 0
        /// `cpb_size_scale`, 0...15.
        public var cpbSizeScale = 0
        /// `initial_cpb_removal_delay_length_minus1`, 0...31, in bits.
        public var initialCpbRemovalDelayLengthMinus1 = 23
        /// `au_cpb_removal_delay_length_minus1`, 0...31, in bits.
        public var auCpbRemovalDelayLengthMinus1 = 23
        /// `dpb_output_delay_length_minus1`, 0...31, in bits.
        public var dpbOutputDelayLengthMinus1 = 23

        /// No schedules.
        public init() {}

        /// Whether anything but the two flags is coded.
        public var hasSchedules: Bool { nalHrdParametersPresentFlag || vclHrdParametersPresentFlag }
    }

    /// What decoding unit by unit needs (`sub_pic_hrd_params_present_flag`).
    public struct SubPicture: Hashable, Sendable {
        /// `tick_divisor_minus2`, 0...255: sub-picture ticks in a tick, less 2.
        public var tickDivisorMinus2 = 0
        /// `du_cpb_removal_delay_increment_length_minus1`, 0...31, in bits.
        public var duCpbRemovalDelayIncrementLengthMinus1 = 0
        /// `sub_pic_cpb_params_in_pic_timing_sei_flag`: delays stand in picture timing, not decoding unit
        /// information SEI messages.
        public var subPicCpbParamsInPicTimingSeiFlag = false
        /// `dpb_output_delay_du_length_minus1`, 0...31, in bits.
        public var dpbOutputDelayDuLengthMinus1 = 0
        /// `cpb_size_du_scale`, 0...15.
        public var cpbSizeDuScale = 0

        /// Smallest values.
        public init() {}
    }

    /// What all sub-layers have in common; coded in the first structure at least.
    public var common = Common()
    /// The sub-layers, lowest first.
    public var subLayers = [HEVCHRDSubLayer()]

    /// One sub-layer without schedules.
    public init() {}

    /// A structure to read into, without sub-layers.
    static let unread: Self = {
        var model = Self()
        model.subLayers = []
        return model
    }()

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try coder.part(
            "nal_hrd_parameters_present_flag", &common, when: context.inheritedCommon == nil,
            else: context.inheritedCommon ?? Common())
        try coder.expect(
            "sub_layers", &subLayers, count: context.maxSubLayersMinus1 + 1, repeating: HEVCHRDSubLayer())
        for i in subLayers.indices {
            try subLayers[i].code(with: &coder, in: .init(common: common, index: i))
        }
    }
}

extension HEVCHRD.Common: SyntaxStructure {
    /// Codes the part.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("nal_hrd_parameters_present_flag", &nalHrdParametersPresentFlag)
        try coder.flag("vcl_hrd_parameters_present_flag", &vclHrdParametersPresentFlag)
        let (hasSchedules, inferred) = (hasSchedules, Self())
        try coder.part(flag: "sub_pic_hrd_params_present_flag", &subPicture, when: hasSchedules)
        try coder.u("bit_rate_scale", &bitRateScale, 4, when: hasSchedules, else: inferred.bitRateScale)
        try coder.u("cpb_size_scale", &cpbSizeScale, 4, when: hasSchedules, else: inferred.cpbSizeScale)
        try subPicture?.codeScale(with: &coder)
        try coder.u(
            "initial_cpb_removal_delay_length_minus1", &initialCpbRemovalDelayLengthMinus1, 5, when: hasSchedules,
            else: inferred.initialCpbRemovalDelayLengthMinus1)
        try coder.u(
            "au_cpb_removal_delay_length_minus1", &auCpbRemovalDelayLengthMinus1, 5, when: hasSchedules,
            else: inferred.auCpbRemovalDelayLengthMinus1)
        try coder.u(
            "dpb_output_delay_length_minus1", &dpbOutputDelayLengthMinus1, 5, when: hasSchedules,
            else: inferred.dpbOutputDelayLengthMinus1)
    }
}

extension HEVCHRD.SubPicture: SyntaxStructure {
    /// Codes what comes before the scales of rate and buffer.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("tick_divisor_minus2", &tickDivisorMinus2, 8)
        try coder.u("du_cpb_removal_delay_increment_length_minus1", &duCpbRemovalDelayIncrementLengthMinus1, 5)
        try coder.flag("sub_pic_cpb_params_in_pic_timing_sei_flag", &subPicCpbParamsInPicTimingSeiFlag)
        try coder.u("dpb_output_delay_du_length_minus1", &dpbOutputDelayDuLengthMinus1, 5)
    }

    fileprivate mutating func codeScale(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.u("cpb_size_du_scale", &cpbSizeDuScale, 4)
    }
}
