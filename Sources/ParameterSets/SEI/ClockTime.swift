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
    public mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, in context: Context
    ) throws(ParameterSetError) {
        let index = context.index
        guard !context.isFull else {
            try coder.part("seconds_value", &seconds, 6, 0...59, at: index)
            try coder.part("minutes_value", &minutes, 6, 0...59, at: index)
            try coder.part("hours_value", &hours, 5, 0...23, at: index)
            return
        }
        try coder.presence("seconds_flag", &seconds, 0, at: index)
        guard seconds != nil else {
            try coder.absent("minutes_flag", &minutes)
            try coder.absent("hours_flag", &hours)
            return
        }
        try coder.part("seconds_value", &seconds, 6, 0...59, at: index)
        try coder.presence("minutes_flag", &minutes, 0, at: index)
        guard minutes != nil else {
            try coder.absent("hours_flag", &hours)
            return
        }
        try coder.part("minutes_value", &minutes, 6, 0...59, at: index)
        try coder.presence("hours_flag", &hours, 0, at: index)
        if hours != nil {
            try coder.part("hours_value", &hours, 5, 0...23, at: index)
        }
    }
}

extension SyntaxCoder {
    fileprivate mutating func part(
        _ name: StaticString, _ value: inout Int?, _ bits: Int, _ range: ClosedRange<Int>, at index: Int
    ) throws(ParameterSetError) {
        var number = value ?? 0
        try u(name, &number, bits, range, at: index)
        value = number
    }
}
