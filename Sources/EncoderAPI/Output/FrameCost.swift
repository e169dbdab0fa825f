// SPDX-License-Identifier: MIT

import Glibc

/// How long a session had a frame; how many bytes and what quantizer it took is in its ``AccessUnit``.
public struct FrameCost: Sendable, Hashable {
    private var latencyNanoseconds: Int64
    private let transferNanoseconds: Int64
    private let encoderNanoseconds: Int64

    /// From when the session took the frame to when it came out, on a clock that never goes back: waiting for those
    /// before it, the opening of an encoder, ``timeInTransfer``, ``timeInEncoder``, and, with data-rate limits and B
    /// pictures, waiting for those that are shown before it.
    public var latency: Duration { .nanoseconds(latencyNanoseconds) }
    /// How long the session's ``PixelTransfer`` took for its picture; zero for one that needed none.
    public var timeInTransfer: Duration { .nanoseconds(transferNanoseconds) }
    /// From when the encoder was given the picture to when its access unit was made: the work, other pictures that the
    /// encoder worked on meanwhile, and as long as it held the picture for its lookahead or for reordering.
    public var timeInEncoder: Duration { .nanoseconds(encoderNanoseconds) }

    /// Takes how long each was, in nanoseconds.
    init(latency: Int64, timeInTransfer: Int64 = 0, timeInEncoder: Int64) {
        latencyNanoseconds = latency
        transferNanoseconds = timeInTransfer
        encoderNanoseconds = timeInEncoder
    }

    /// Comes out now, after it was held since its access unit was made.
    mutating func leave(takenAt: Int64) { latencyNanoseconds = Self.now - takenAt }

    /// The monotonic clock's nanoseconds.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
