// SPDX-License-Identifier: MIT

/// `time_code()`: the clock times of a picture (D.2.27).
public struct HEVCTimeCode: SyntaxStructure {
    /// One clock time (D.3.27).
    public struct Stamp: Hashable, Sendable {
        /// `units_field_based_flag`: time is counted in fields.
        public var unitsFieldBasedFlag = false
        /// `counting_type`, 0...31: how frame numbers are left out (table D.5).
        public var countingType = 0
        /// `full_timestamp_flag`: seconds, minutes and hours are all there.
        public var fullTimestampFlag = true
        /// `discontinuity_flag`: the time does not follow from the one before.
        public var discontinuityFlag = false
        /// `cnt_dropped_flag`: a frame number was left out.
        public var cntDroppedFlag = false
        /// `n_frames`, 0...511: the frame in its second.
        public var nFrames = 0
        /// Seconds, minutes and hours.
        public var time = ClockTime(seconds: 0, minutes: 0, hours: 0)
        /// `time_offset_length`, 0...31, in bits.
        public var timeOffsetLength = 0
        /// `time_offset_value`, in clock units, signed, of ``timeOffsetLength`` bits; 0 when that is 0.
        public var timeOffsetValue = 0

        /// Midnight.
        public init() {}
    }

    /// Up to three times; nil for one that is not told (`clock_timestamp_flag` 0).
    public var stamps: [Stamp?] = []

    /// No times.
    public init() {}

    /// Codes the payload.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        var count = stamps.count
        try coder.u("num_clock_ts", &count, 2)
        try coder.expect("num_clock_ts", &stamps, count: count, repeating: nil)
        for i in stamps.indices {
            try coder.part(flag: "clock_timestamp_flag", &stamps[i], in: i, at: i)
        }
    }
}

extension HEVCTimeCode.Stamp: SyntaxStructure {
    /// Codes the time with an index.
    public mutating func code(with coder: inout some SyntaxCoder, in i: Int) throws(ParameterSetError) {
        try coder.flag("units_field_based_flag", &unitsFieldBasedFlag, at: i)
        try coder.u("counting_type", &countingType, 5, at: i)
        try coder.flag("full_timestamp_flag", &fullTimestampFlag, at: i)
        try coder.flag("discontinuity_flag", &discontinuityFlag, at: i)
        try coder.flag("cnt_dropped_flag", &cntDroppedFlag, at: i)
        try coder.u("n_frames", &nFrames, 9, at: i)
        try time.code(with: &coder, in: .init(isFull: fullTimestampFlag, index: i))
        try coder.u("time_offset_length", &timeOffsetLength, 5, at: i)
        try coder.i("time_offset_value", &timeOffsetValue, timeOffsetLength, at: i, when: timeOffsetLength > 0, else: 0)
    }
}
