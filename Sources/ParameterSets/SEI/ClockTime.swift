// SPDX-License-Identifier: MIT

/// Seconds, minutes and hours of a time stamp (pic_timing() of H.264 D.1.3, time_code() of HEVC D.2.27).
public struct ClockTime: SyntaxStructure {
    /// `full_timestamp_flag`, and the time stamp's index where the standard has one, else -1.
    public struct Context: Hashable, Sendable {
        /// Whether all three values are coded without flags.
        public var isFull: Bool
        /// The index of the elements; -1 for none.
        public var index: Int
    }

    /// `seconds_value`, 0...59.
    public var seconds: Int?
    /// `minutes_value`, 0...59; only with seconds.
    public var minutes: Int?
    /// `hours_value`, 0...23; only with minutes.
    public var hours: Int?

    /// No values.
    public init() {}

    /// Makes a time.
    public init(seconds: Int, minutes: Int, hours: Int) {
        self.seconds = seconds
        self.minutes = minutes
        self.hours = hours
    }

    /// Codes the values, each behind a flag unless the stamp is full.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let i = context.index
        if context.isFull {
            try coder.u("seconds_value", &seconds, 6, 0...59, at: i, when: true)
            try coder.u("minutes_value", &minutes, 6, 0...59, at: i, when: true)
            try coder.u("hours_value", &hours, 5, 0...23, at: i, when: true)
        } else {
            try coder.u(flag: "seconds_flag", "seconds_value", &seconds, 6, 0...59, at: i)
            try coder.u(flag: "minutes_flag", "minutes_value", &minutes, 6, 0...59, at: i, when: seconds != nil)
            try coder.u(flag: "hours_flag", "hours_value", &hours, 5, 0...23, at: i, when: minutes != nil)
        }
    }
}
