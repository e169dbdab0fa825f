// SPDX-License-Identifier: MIT

/// What a session did so far, in fixed memory.
///
/// It counts from the session's beginning, and ``bitRate`` and ``windowPeaks`` from when rate and limits came into
/// force. A display of the last seconds takes each frame's ``EncodedFrame/cost`` into a ``DurationDistribution`` of
/// its own.
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
        /// A picture took more bytes than a data-rate limit had left, or than its share of them: it was encoded again
        /// as a key frame, or dropped, and another encoder goes on.
        case dataRateLimits
    }

    /// The most that any window of a data-rate limit carried.
    public struct WindowPeak: Sendable, Hashable {
        /// The limit that is in force.
        public var limit: DataRateLimit
        /// Bytes in the fullest window since it came into force.
        public var bytes: Int
    }

    /// What a bit rate that was asked for came to.
    ///
    /// Rate control needs time to reach a rate: a stream of few frames may take several times its average, or leave
    /// most of it, and no error or adjustment says so. A pause between frames is time in which nothing came: after a
    /// minute of it the rate reads low for many minutes, until another rate comes into force.
    public struct BitRate: Sendable, Hashable {
        /// The rate that was asked for last, in bit/s, of a constant or variable rate the same as of an average; limits
        /// may have one in force that is lower, which an adjustment lists.
        public var asked: Int
        /// Bytes of the frames that were given since it came into force, and left.
        public var bytes: Int
        /// How long these frames are shown, dropped ones too, in seconds: by their presentation times and the last
        /// one's duration, or by durations where times would make frames overlap.
        public var seconds: Double

        /// What came, in bit/s; nil before the first frame.
        public var bitsPerSecond: Double? { seconds > 0 ? Double(bytes) * 8 / seconds : nil }
        /// How much more came than was asked for, as a share of it; -0.1 is 10 % less, nil before the first frame.
        public var deviation: Double? { bitsPerSecond.map { $0 / Double(asked) - 1 } }
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
    /// ``FrameCost/timeInTransfer`` of the frames encoded whose pictures needed one.
    public internal(set) var timeInTransfer = DurationDistribution()
    /// ``FrameCost/timeInEncoder`` of the frames encoded.
    public internal(set) var timeInEncoder = DurationDistribution()
    /// The fullest windows, one for each limit in force; empty without limits.
    public internal(set) var windowPeaks: [WindowPeak] = []
    /// The bit rate in force beside what came; nil in modes without one.
    public internal(set) var bitRate: BitRate?
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
            if cost.timeInTransfer > .zero { timeInTransfer.add(cost.timeInTransfer) }
        case .dropped(.rateControl): droppedByRateControl += 1
        case .dropped(.failed): failed += 1
        }
    }
}
