// SPDX-License-Identifier: MIT

/// What a session did so far, in fixed memory.
public struct SessionStatistics: Sendable, Hashable {
    /// Why another encoder took the place of the one before, within a session.
    @nonexhaustive
    public enum RestartReason: String, Sendable, Hashable, CaseIterable {
        /// Settings changed in a way that the open encoder does not go on with.
        case settings
        /// The size, format or color of the pictures changed.
        case pictures
        /// Presentation times need a finer clock than the encoder's.
        case clock
        /// Presentation times show another frame rate than the encoder was opened for.
        case frameRate
        /// The encoder does not go on after a flush, which ``CompressionSession/complete(through:until:)`` needed.
        case completion
        /// A picture took more bytes than a data-rate limit had left, and was encoded again as a key frame.
        case dataRateLimits
    }

    /// The most that any window of a data-rate limit carried.
    public struct WindowPeak: Sendable, Hashable {
        /// The limit that is in force.
        public var limit: DataRateLimit
        /// Bytes in the fullest window since it came into force.
        public var bytes: Int
    }

    /// Frames taken.
    public internal(set) var taken = 0
    /// Frames not taken for want of room, by calls that do not wait for it.
    public internal(set) var refused = 0
    /// Frames encoded.
    public internal(set) var encoded = 0
    /// Sync frames among them.
    public internal(set) var syncFrames = 0
    /// Frames that rate control left out.
    public internal(set) var droppedByRateControl = 0
    /// Frames dropped for an error.
    public internal(set) var failed = 0
    /// Bytes of all access units.
    public internal(set) var bytes = 0
    /// ``FrameCost/latency`` of the frames encoded.
    public internal(set) var latency = DurationDistribution()
    /// ``FrameCost/timeInEncoder`` of the frames encoded.
    public internal(set) var timeInEncoder = DurationDistribution()
    /// The fullest windows, one for each limit in force; empty without limits.
    public internal(set) var windowPeaks: [WindowPeak] = []
    /// How often another encoder was opened, by the reason; the first counts for none.
    public internal(set) var restarts: [RestartReason: Int] = [:]

    /// Nothing yet.
    init() {}

    /// Counts what became of a frame.
    mutating func note(_ frame: EncodedFrame) {
        switch frame.outcome {
        case .encoded(let unit):
            encoded += 1
            bytes += unit.byteCount
            if unit.isSync { syncFrames += 1 }
            guard let cost = frame.cost else { return }
            latency.add(cost.latency)
            timeInEncoder.add(cost.timeInEncoder)
        case .dropped(.rateControl): droppedByRateControl += 1
        case .dropped(.failed): failed += 1
        }
    }
}
