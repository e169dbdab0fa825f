// SPDX-License-Identifier: MIT

/// Where in a stream an encoder starts: what the one before it left behind.
public struct StreamPosition: Sendable, Hashable {
    /// How full the decoder's buffer is when the encoder's first picture is decoded, 0 to 1; of use with a
    /// ``BufferModel``.
    public var bufferFullness: Double

    /// Makes a position; without an argument, that of a stream's first picture.
    public init(bufferFullness: Double = 0.9) { self.bufferFullness = bufferFullness }
}

extension StreamPosition {
    /// That of a stream's first picture.
    init(startOf live: LiveSettings) {
        self.init()
        if let percent = live.vbvInitialDelayPercentage { bufferFullness = percent / 100 }
    }
}
