// SPDX-License-Identifier: MIT

/// `buffering_period()`: how full the coded picture buffer is where decoding begins (D.2.2).
public struct HEVCBufferingPeriod: SyntaxStructure {
    /// The delays of one schedule, in ticks of 90 kHz, of as many bits as the buffer model says, 1...32 (D.3.2).
    public struct InitialDelay: Hashable, Sendable {
        /// `initial_cpb_removal_delay`.
        public var removalDelay = 0
        /// `initial_cpb_removal_offset`.
        public var removalOffset = 0
        /// `initial_alt_cpb_removal_delay`; 0 when not coded.
        public var altRemovalDelay = 0
        /// `initial_alt_cpb_removal_offset`; 0 when not coded.
        public var altRemovalOffset = 0

        /// No delay.
        public init() {}
    }

    /// Delays for when leading pictures are left out (`irap_cpb_params_present_flag`),
    /// of as many bits as the buffer model says, 1...32 (D.3.2).
    public struct LeadingPictures: Hashable, Sendable {
        /// `cpb_delay_offset`, in ticks.
        public var cpbDelayOffset = 0
        /// `dpb_delay_offset`, in ticks.
        public var dpbDelayOffset = 0

        /// No delay.
        public init() {}
    }

    /// `bp_seq_parameter_set_id`, 0...15.
    public var spsID = 0
    /// Delays for when leading pictures are left out.
    public var leadingPictures: LeadingPictures?
    /// `concatenation_flag`.
    public var concatenationFlag = false
    /// `au_cpb_removal_delay_delta_minus1`, in ticks, of as many bits as the buffer model says, 1...32.
    public var auCpbRemovalDelayDeltaMinus1 = 0
    /// One for each schedule of the whole stream.
    public var nal: [InitialDelay] = []
    /// One for each schedule of slices alone.
    public var vcl: [InitialDelay] = []
    /// `use_alt_cpb_params_flag`; nil when the payload ends before it.
    public var useAltCpbParamsFlag: Bool?

    /// Set 0 without schedules.
    public init() {}

    /// Codes the payload.
    public mutating func code(
        with coder: inout some SyntaxCoder, in parameterSets: HEVCParameterSets
    ) throws(ParameterSetError) {
        let sps = try coder.reference("bp_seq_parameter_set_id", &spsID, 0...15, to: "SPS") { parameterSets.sps($0) }
        let hrd = sps.vui?.timing?.hrd ?? HEVCHRD()
        let common = hrd.common
        try coder.part(
            flag: "irap_cpb_params_present_flag", &leadingPictures, in: common, when: common.subPicture == nil)
        try coder.flag("concatenation_flag", &concatenationFlag)
        try coder.u(
            "au_cpb_removal_delay_delta_minus1", &auCpbRemovalDelayDeltaMinus1,
            common.auCpbRemovalDelayLengthMinus1 + 1)
        let context = InitialDelay.Shape(
            bits: common.initialCpbRemovalDelayLengthMinus1 + 1,
            hasAlternatives: common.subPicture != nil || leadingPictures != nil)
        let highest = hrd.subLayers.last
        try nal.code("nal", count: highest?.nalSchedules.count ?? 0, context, with: &coder)
        try vcl.code("vcl", count: highest?.vclSchedules.count ?? 0, context, with: &coder)
        // payload_extension_present() (D.2.1): what is left is more than the bit that ends the payload.
        let hasMore = coder.moreRBSPData(writing: useAltCpbParamsFlag != nil) || coder.nextBits(1) == 0
        try coder.flag("use_alt_cpb_params_flag", &useAltCpbParamsFlag, when: hasMore)
    }
}

extension HEVCBufferingPeriod.LeadingPictures: SyntaxStructure {
    /// Codes both delays, whose lengths the buffer model tells.
    public mutating func code(with coder: inout some SyntaxCoder, in model: HEVCHRD.Common) throws(ParameterSetError) {
        try coder.u("cpb_delay_offset", &cpbDelayOffset, model.auCpbRemovalDelayLengthMinus1 + 1)
        try coder.u("dpb_delay_offset", &dpbDelayOffset, model.dpbOutputDelayLengthMinus1 + 1)
    }
}

extension HEVCBufferingPeriod.InitialDelay {
    /// What delays take, and whether there are alternative ones.
    fileprivate struct Shape {
        var bits: Int
        var hasAlternatives: Bool
    }
}

extension [HEVCBufferingPeriod.InitialDelay] {
    /// Codes the delays of all schedules of a kind, `nal` or `vcl`.
    fileprivate mutating func code(
        _ kind: StaticString, count: Int, _ shape: HEVCBufferingPeriod.InitialDelay.Shape,
        with coder: inout some SyntaxCoder
    ) throws(ParameterSetError) {
        let (bits, hasAlternatives) = (shape.bits, shape.hasAlternatives)
        try coder.expect("\(kind)_initial_cpb_removal_delay", &self, count: count, repeating: .init())
        for i in indices {
            try coder.u("\(kind)_initial_cpb_removal_delay", &self[i].removalDelay, bits, at: i)
            try coder.u("\(kind)_initial_cpb_removal_offset", &self[i].removalOffset, bits, at: i)
            try coder.u(
                "\(kind)_initial_alt_cpb_removal_delay", &self[i].altRemovalDelay, bits, at: i, when: hasAlternatives,
                else: 0)
            try coder.u(
                "\(kind)_initial_alt_cpb_removal_offset", &self[i].altRemovalOffset, bits, at: i, when: hasAlternatives,
                else: 0)
        }
    }
}

/// `pic_timing()`: when a picture is decoded and shown (D.2.3).
public struct HEVCPicTiming: SyntaxStructure {
    /// The display information of the sequence parameter set in use; nil when it has none.
    public typealias Context = HEVCVUI?

    /// How fields are shown (`frame_field_info_present_flag`) (D.3.3).
    public struct FieldInfo: Hashable, Sendable {
        /// `pic_struct`, 0...15 (table D.2).
        public var picStruct = 0
        /// `source_scan_type`, 0...3: 0 interlaced, 1 progressive, 2 unknown.
        public var sourceScanType = 0
        /// `duplicate_flag`: the picture repeats the one before it in output order.
        public var duplicateFlag = false

        /// A frame.
        public init() {}
    }

    /// When the picture leaves the buffers, in ticks, of as many bits as the buffer model says, 1...32 (D.3.3).
    public struct Delays: Hashable, Sendable {
        /// `au_cpb_removal_delay_minus1`.
        public var auCpbRemovalDelayMinus1 = 0
        /// `pic_dpb_output_delay`.
        public var picDpbOutputDelay = 0
        /// `pic_dpb_output_du_delay`, in sub-picture ticks; nil without decoding units.
        public var picDpbOutputDuDelay: Int?
        /// The decoding units; nil when other SEI messages tell of them.
        public var decodingUnits: HEVCDecodingUnits?

        /// At once.
        public init() {}
    }

    /// How fields are shown; nil where the VUI does not announce it.
    public var fieldInfo: FieldInfo?
    /// When the picture leaves the buffers; nil without buffer model.
    public var delays: Delays?

    /// Nothing.
    public init() {}

    /// Codes the payload.
    public mutating func code(with coder: inout some SyntaxCoder, in vui: Context) throws(ParameterSetError) {
        try coder.part("pic_struct", &fieldInfo, when: vui?.frameFieldInfoPresentFlag == true)
        let model = vui?.timing?.hrd?.common
        try coder.part(
            "au_cpb_removal_delay_minus1", &delays, in: model ?? .init(), when: model?.hasSchedules == true)
    }
}

extension HEVCPicTiming.FieldInfo: SyntaxStructure {
    /// Codes `pic_struct` up to `duplicate_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("pic_struct", &picStruct, 4)
        try coder.u("source_scan_type", &sourceScanType, 2)
        try coder.flag("duplicate_flag", &duplicateFlag)
    }
}

extension HEVCPicTiming.Delays: SyntaxStructure {
    /// Codes the delays, whose lengths the buffer model tells, and the decoding units.
    public mutating func code(with coder: inout some SyntaxCoder, in model: HEVCHRD.Common) throws(ParameterSetError) {
        try coder.u("au_cpb_removal_delay_minus1", &auCpbRemovalDelayMinus1, model.auCpbRemovalDelayLengthMinus1 + 1)
        try coder.u("pic_dpb_output_delay", &picDpbOutputDelay, model.dpbOutputDelayLengthMinus1 + 1)
        let units = model.subPicture
        try coder.u(
            "pic_dpb_output_du_delay", &picDpbOutputDuDelay, (units?.dpbOutputDelayDuLengthMinus1 ?? 0) + 1,
            when: units != nil)
        try coder.part(
            "num_decoding_units_minus1", &decodingUnits, in: (units?.duCpbRemovalDelayIncrementLengthMinus1 ?? 0) + 1,
            when: units?.subPicCpbParamsInPicTimingSeiFlag == true)
    }
}

/// The decoding units of a picture in `pic_timing()` (D.2.3).
public struct HEVCDecodingUnits: SyntaxStructure {
    /// How many bits a delay takes, 1...32.
    public typealias Context = Int

    /// `du_common_cpb_removal_delay_increment_minus1`, in sub-picture ticks, of 1...32 bits; nil when each unit
    /// has its own.
    public var commonDelayIncrementMinus1: Int?
    /// `num_nalus_in_du_minus1`, 0...2^32 - 2, one for each of one unit or more.
    public var numNalusMinus1 = [0]
    /// `du_cpb_removal_delay_increment_minus1`, of 1...32 bits, one for each unit but the last; none with a common one.
    public var delayIncrementsMinus1: [Int] = []

    /// One unit.
    public init() {}

    /// Codes `num_decoding_units_minus1` and what follows.
    public mutating func code(with coder: inout some SyntaxCoder, in delayBits: Context) throws(ParameterSetError) {
        var last = numNalusMinus1.count - 1
        try coder.ue("num_decoding_units_minus1", &last)
        try coder.checkRoom("num_decoding_units_minus1", count: last + 1, bits: 1)
        try coder.expect("num_nalus_in_du_minus1", &numNalusMinus1, count: last + 1, repeating: 0)
        try coder.u(
            flag: "du_common_cpb_removal_delay_flag", "du_common_cpb_removal_delay_increment_minus1",
            &commonDelayIncrementMinus1, delayBits)
        try coder.expect(
            "du_cpb_removal_delay_increment_minus1", &delayIncrementsMinus1,
            count: commonDelayIncrementMinus1 == nil ? last : 0, repeating: 0)
        for i in numNalusMinus1.indices {
            try coder.ue("num_nalus_in_du_minus1", &numNalusMinus1[i], at: i)
            if delayIncrementsMinus1.indices.contains(i) {
                try coder.u("du_cpb_removal_delay_increment_minus1", &delayIncrementsMinus1[i], delayBits, at: i)
            }
        }
    }
}
