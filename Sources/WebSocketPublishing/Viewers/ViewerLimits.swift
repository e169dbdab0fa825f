// SPDX-License-Identifier: MIT

public import EncoderAPI
import Publishing

/// How much may wait for one viewer.
public struct ViewerLimits: Sendable, Hashable {
    /// Media time from the oldest to the newest frame by decode time, above 0 and at most 60 s; 1 s by default.
    public var duration = MediaTime(value: 1, timescale: 1)
    /// Bytes of all frames, 1...1,073,741,824, though one frame alone may have more; 4 MiB by default.
    public var byteCount = 4 << 20

    /// The defaults.
    public init() {}

    /// - Throws: `PublishingError` with `.invalidValue`, which names the limit, its value and its range.
    func check() throws(PublishingError) {
        guard duration > .zero, duration <= MediaTime(value: 60, timescale: 1), (1...(1 << 30)).contains(byteCount)
        else {
            throw PublishingError(
                .invalidValue,
                reason: "\(duration.seconds) s and \(byteCount) bytes that may wait for a viewer, expected above 0 "
                    + "and at most 60 s, and 1...1073741824 bytes")
        }
    }
}
