// SPDX-License-Identifier: MIT

/// `buffering_period()`: how full buffers are when decoding starts here (D.1.2).
public struct H264BufferingPeriod: SyntaxStructure {
    /// The parameter sets, among them the one that this names.
    public typealias Context = H264ParameterSets

    /// When the first picture leaves the buffer, by one delivery schedule; both values are
    /// of as many bits as the buffer model says, 1...32 (D.2.2).
    public struct InitialDelay: Hashable, Sendable {
        /// `initial_cpb_removal_delay`, in ticks of 90 kHz.
        public var removalDelay = 0
        /// `initial_cpb_removal_delay_offset`, in ticks of 90 kHz.
        public var removalDelayOffset = 0

        /// At once.
        public init() {}
    }

    /// `seq_parameter_set_id`, 0...31.
    public var spsID = 0
    /// One for each schedule of the SPS's NAL HRD.
    public var nal: [InitialDelay] = []
    /// One for each schedule of the SPS's VCL HRD.
    public var vcl: [InitialDelay] = []

    /// SPS 0 without buffer model.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in parameterSets: Context) throws(ParameterSetError) {
        let sps = try coder.reference("seq_parameter_set_id", &spsID, 0...31, to: "SPS") { parameterSets.sps($0) }
        try Self.code(&nal, with: &coder, hrd: sps.vui?.nalHRD)
        try Self.code(&vcl, with: &coder, hrd: sps.vui?.vclHRD)
    }

    private static func code(
        _ delays: inout [InitialDelay], with coder: inout some SyntaxCoder, hrd: H264HRD?
    ) throws(ParameterSetError) {
        let count = hrd?.schedules.count ?? 0
        try coder.expect("initial_cpb_removal_delay", &delays, count: count, repeating: .init())
        let bits = (hrd?.initialCpbRemovalDelayLengthMinus1 ?? 0) + 1
        for index in delays.indices {
            try coder.u("initial_cpb_removal_delay", &delays[index].removalDelay, bits, at: index)
            try coder.u("initial_cpb_removal_delay_offset", &delays[index].removalDelayOffset, bits, at: index)
        }
    }
}

/// `pic_timing()`: when a picture is decoded and shown, and how its fields are (D.1.3).
public struct H264PicTiming: SyntaxStructure {
    /// The SPS in use.
    public typealias Context = H264SPS?

    /// When the picture leaves buffers, in ticks, of as many bits as the buffer model says, 1...32 (D.2.3).
    public struct Delays: SyntaxStructure {
        /// `cpb_removal_delay`, after the last buffering period's picture.
        public var cpbRemovalDelay = 0
        /// `dpb_output_delay`, after the removal.
        public var dpbOutputDelay = 0

        /// At once.
        public init() {}

        /// Codes both delays, whose lengths the buffer model tells.
        public mutating func code(with coder: inout some SyntaxCoder, in model: H264HRD) throws(ParameterSetError) {
            try coder.u("cpb_removal_delay", &cpbRemovalDelay, model.cpbRemovalDelayLengthMinus1 + 1)
            try coder.u("dpb_output_delay", &dpbOutputDelay, model.dpbOutputDelayLengthMinus1 + 1)
        }
    }

    /// When the picture leaves buffers; only with a buffer model.
    public var delays: Delays?
    /// `pic_struct`, 0...15: 0 frame, 1 top, 2 bottom field, 3...6 fields in order, 7 doubled, 8 tripled (table D-1);
    /// only with `pic_struct_present_flag`.
    public var picStruct: Int?
    /// Up to three time stamps, as many as table D-1 has; nil for one that is not told.
    public var clockTimestamps: [H264ClockTimestamp?] = []

    /// Nothing told.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in sps: Context) throws(ParameterSetError) {
        let vui = sps?.vui
        let hrd = vui?.nalHRD ?? vui?.vclHRD
        try coder.part("cpb_removal_delay", &delays, in: hrd ?? .unread, when: hrd != nil)
        try coder.u("pic_struct", &picStruct, 4, when: vui?.picStructPresentFlag == true)
        let stampCount = picStruct.map { Self.numClockTS[$0] } ?? 0
        try coder.expect("clock_timestamp_flag", &clockTimestamps, count: stampCount, repeating: nil)
        for i in clockTimestamps.indices {
            // 24 bits is inferred without a buffer model (E.2.2).
            try coder.part(
                flag: "clock_timestamp_flag", &clockTimestamps[i], in: hrd?.timeOffsetLength ?? 24, at: i)
        }
    }

    /// `NumClockTS` of table D-1; reserved structures have none.
    private static let numClockTS = [1, 1, 1, 2, 2, 3, 3, 2, 3, 0, 0, 0, 0, 0, 0, 0]
}

/// One time stamp of `pic_timing()` (D.1.3).
public struct H264ClockTimestamp: SyntaxStructure {
    /// `time_offset_length`, in bits.
    public typealias Context = Int

    /// `ct_type`, 0...3: progressive, interlaced, unknown.
    public var ctType = 0
    /// `nuit_field_based_flag`.
    public var nuitFieldBasedFlag = false
    /// `counting_type`, 0...31 (table D-3).
    public var countingType = 0
    /// `full_timestamp_flag`.
    public var fullTimestampFlag = false
    /// `discontinuity_flag`.
    public var discontinuityFlag = false
    /// `cnt_dropped_flag`.
    public var cntDroppedFlag = false
    /// `n_frames`, 0...255.
    public var nFrames = 0
    /// Seconds, minutes and hours.
    public var time = ClockTime()
    /// `time_offset`, in clock units, signed, of as many bits as the buffer model says, 0...31; 24 without one.
    public var timeOffset = 0

    /// Nothing told.
    public init() {}

    /// Codes the structure.
    public mutating func code(
        with coder: inout some SyntaxCoder, in timeOffsetLength: Context
    ) throws(ParameterSetError) {
        try coder.u("ct_type", &ctType, 2)
        try coder.flag("nuit_field_based_flag", &nuitFieldBasedFlag)
        try coder.u("counting_type", &countingType, 5)
        try coder.flag("full_timestamp_flag", &fullTimestampFlag)
        try coder.flag("discontinuity_flag", &discontinuityFlag)
        try coder.flag("cnt_dropped_flag", &cntDroppedFlag)
        try coder.u("n_frames", &nFrames, 8)
        try time.code(with: &coder, in: .init(isFull: fullTimestampFlag, index: -1))
        try coder.i("time_offset", &timeOffset, timeOffsetLength, when: timeOffsetLength > 0, else: 0)
    }
}
