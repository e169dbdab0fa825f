// SPDX-License-Identifier: MIT

/// One temporal sub-layer's part of `hrd_parameters()`, with its schedules (E.2.2, E.2.3).
public struct HEVCHRDSubLayer: SyntaxStructure {
    /// What else decides the syntax.
    public struct Context: Sendable {
        /// What all sub-layers have in common.
        public var common: HEVCHRD.Common
        /// The sub-layer, 0...6.
        public var index: Int

        /// Names both.
        public init(common: HEVCHRD.Common, index: Int) {
            self.common = common
            self.index = index
        }
    }

    /// `fixed_pic_rate_general_flag`: the rate is constant over the whole stream.
    public var fixedPicRateGeneralFlag = false
    /// `fixed_pic_rate_within_cvs_flag`: the rate is constant in a coded video sequence; true with
    /// ``fixedPicRateGeneralFlag``.
    public var fixedPicRateWithinCvsFlag = false
    /// `elemental_duration_in_tc_minus1`, 0...2047: ticks between pictures less 1, where the rate is constant.
    public var elementalDurationInTcMinus1 = 0
    /// `low_delay_hrd_flag`: the buffer may run empty; false where the rate is constant.
    public var lowDelayHrdFlag = false
    /// `cpb_cnt_minus1`, 0...31: schedules of each kind, less 1; 0 with ``lowDelayHrdFlag``.
    public var cpbCntMinus1 = 0
    /// The schedules of the whole stream; `cpbCntMinus1` + 1, or none when the common information has none.
    public var nalSchedules: [HRDSchedule] = []
    /// The schedules of slices alone, likewise.
    public var vclSchedules: [HRDSchedule] = []

    /// No schedules.
    public init() {}

    /// Codes the sub-layer.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let i = context.index
        try coder.flag("fixed_pic_rate_general_flag", &fixedPicRateGeneralFlag, at: i)
        try coder.flag(
            "fixed_pic_rate_within_cvs_flag", &fixedPicRateWithinCvsFlag, at: i, when: !fixedPicRateGeneralFlag,
            else: true)
        try coder.ue(
            "elemental_duration_in_tc_minus1", &elementalDurationInTcMinus1, 0...2047, at: i,
            when: fixedPicRateWithinCvsFlag, else: 0)
        try coder.flag("low_delay_hrd_flag", &lowDelayHrdFlag, at: i, when: !fixedPicRateWithinCvsFlag, else: false)
        try coder.ue("cpb_cnt_minus1", &cpbCntMinus1, 0...31, at: i, when: !lowDelayHrdFlag, else: 0)
        let common = context.common
        try Self.code(&nalSchedules, common.nalHrdParametersPresentFlag ? cpbCntMinus1 + 1 : 0, with: &coder, common)
        try Self.code(&vclSchedules, common.vclHrdParametersPresentFlag ? cpbCntMinus1 + 1 : 0, with: &coder, common)
    }

    /// Codes `sub_layer_hrd_parameters()`.
    private static func code(
        _ schedules: inout [HRDSchedule], _ count: Int, with coder: inout some SyntaxCoder, _ common: HEVCHRD.Common
    ) throws(ParameterSetError) {
        try coder.expect("cpb_cnt_minus1", &schedules, count: count, repeating: HRDSchedule())
        for j in schedules.indices {
            try schedules[j].code(
                with: &coder, in: .init(index: j, hasDecodingUnits: common.subPicture != nil))
        }
    }
}
