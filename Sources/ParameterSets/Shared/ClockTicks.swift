// SPDX-License-Identifier: MIT

/// The clock that times are told in (H.264 and HEVC E.2.1, HEVC 7.4.3.1).
public struct ClockTicks: SyntaxStructure {
    /// What the elements' names begin with: `vui_` or `vps_` in HEVC, nothing in H.264.
    public typealias Context = StaticString

    /// `num_units_in_tick`, 1...2^32 - 1: how many units of the clock a tick takes; a field in H.264, a frame in HEVC.
    public var numUnitsInTick = 1
    /// `time_scale`, 1...2^32 - 1: units of the clock in a second.
    public var timeScale = 1

    /// A tick of one second.
    public init() {}

    /// Makes a clock.
    public init(numUnitsInTick: Int, timeScale: Int) {
        self.numUnitsInTick = numUnitsInTick
        self.timeScale = timeScale
    }

    /// Codes 64 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in prefix: Context) throws(ParameterSetError) {
        try coder.u("\(prefix)num_units_in_tick", &numUnitsInTick, 32)
        try coder.u("\(prefix)time_scale", &timeScale, 32)
    }

    /// Ticks per second; nil when either number is 0, which the standards forbid and streams have, or has no 32 bits.
    public var ticksPerSecond: Ratio? {
        let legal = 1...0xFFFF_FFFF
        return legal.contains(numUnitsInTick) && legal.contains(timeScale) ? Ratio(timeScale, numUnitsInTick) : nil
    }
}
