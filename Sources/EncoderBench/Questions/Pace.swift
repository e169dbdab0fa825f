// SPDX-License-Identifier: MIT

/// How an encoder did in real time; times in seconds.
package struct Pace: Codable, Equatable, Sendable {
    /// Seconds from one picture to the next, a mean where the rate varies.
    package var interval: Double
    /// Pictures that there were.
    package var frames: Int
    /// Pictures for which there was no room, so that they were never encoded.
    package var refused: Int
    /// Frames of pictures that were taken, which rate control left out of the stream.
    package var dropped: Int
    /// Frames that came after their time at a receiver that started with the first frame and buffers one interval.
    package var late: Int
    /// The most frames that were inside when the next picture was given.
    package var framesHeld: Int
    /// From giving a picture to its frame's coming out; nil where none came.
    package var latencies: Latencies?
    /// How much later frames came at the end than at the start, against their decode times: the median of the last
    /// quarter; nil for fewer than four frames.
    package var lag: Double?
    /// How much later than due a picture was given at most: for want of a processor, or because the clip is slow to
    /// read.
    package var givenLate: Double

    enum CodingKeys: String, CodingKey {
        case frames, refused, dropped, late, latencies
        case interval = "interval_seconds"
        case framesHeld = "frames_held"
        case lag = "lag_seconds"
        case givenLate = "given_late_seconds"
    }

    /// Whether the encoder keeps up; nil where so few frames say nothing.
    package var keepsUp: Bool? {
        if refused + dropped > 0 { return false }
        return lag.map { $0 <= interval }
    }

    /// Takes the measures of a run.
    ///
    /// - Parameters:
    ///   - pictures: All that there were, in display order.
    ///   - framesHeld: The most that were inside.
    ///   - interval: Seconds from one picture to the next.
    package init(_ pictures: [PacedResult.Frame], framesHeld: Int, interval: Double) {
        self.interval = interval
        self.framesHeld = framesHeld
        frames = pictures.count
        refused = pictures.count { !$0.isTaken }
        let coded = pictures.compactMap { frame in
            frame.out.flatMap { out in frame.decodeTime.map { (given: frame.given, out: out, decodeTime: $0) } }
        }.sorted { $0.decodeTime < $1.decodeTime }
        dropped = frames - refused - coded.count
        latencies = Latencies(coded.map { $0.out - $0.given })
        givenLate = pictures.map { $0.given - $0.due }.max() ?? 0
        guard let first = coded.first else {
            (late, lag) = (0, nil)
            return
        }
        // How much later than at a receiver that starts with the first frame.
        let lags = coded.map { ($0.out - first.out) - ($0.decodeTime - first.decodeTime) }
        late = lags.count { $0 > interval }
        lag = lags.count < 4 ? nil : PairedRatio.median(Array(lags.suffix(lags.count / 4)))
    }
}
