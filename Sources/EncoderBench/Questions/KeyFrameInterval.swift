// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What was promised of the distance of key frames, and what became of it.
package struct KeyFrameInterval: Codable, Equatable, Sendable {
    /// Most frames from one key frame to the next; nil for a promise in seconds.
    package var frames: Int?
    /// The first frame so many seconds or more after a key frame is one too; nil for a promise in frames.
    package var seconds: Double?
    /// The first frame that should have been a key frame; nil where the promise is kept.
    package var brokenAt: Int?

    enum CodingKeys: String, CodingKey {
        case frames, seconds
        case brokenAt = "broken_at_frame"
    }

    /// Whether there is a key frame wherever there has to be one.
    package var isKept: Bool { brokenAt == nil }

    /// What settings promise.
    package static func promised(by live: LiveSettings) -> [KeyFrameInterval] {
        [live.maxKeyFrameInterval.map { KeyFrameInterval(frames: $0) }].compactMap { $0 }
            + [live.maxKeyFrameIntervalDuration.map { KeyFrameInterval(seconds: $0) }].compactMap { $0 }
    }

    /// The intervals that are asked for, checked.
    ///
    /// - Parameters:
    ///   - isKey: Whether decoding can start at each frame, in display order.
    ///   - times: When each frame is shown, in seconds.
    /// - Returns: The promise, with the first frame that breaks it.
    package func checked(isKey: [Bool], seconds times: [Double]) -> KeyFrameInterval {
        var result = self
        var last = 0
        for frame in isKey.indices {
            if isKey[frame] {
                last = frame
                continue
            }
            // Times are sums of exact ticks; a tick of 90 kHz or coarser is 20 times that.
            let isDue =
                frame - last >= frames ?? .max || times[frame] - times[last] >= (self.seconds ?? .infinity) - 5e-7
            guard isDue else { continue }
            result.brokenAt = frame
            return result
        }
        return result
    }
}
