// SPDX-License-Identifier: MIT

import EncoderAPI

/// Times of pictures that come at a constant rate.
struct FrameClock {
    /// The rate of pictures whose file states none, as the x264 program assumes too.
    static let assumedRate = FrameRate(numerator: 25, denominator: 1)

    /// Frames per second.
    let rate: FrameRate
    /// Ticks per second.
    let timescale: Int32
    /// Ticks per picture.
    let ticks: Int64

    /// Makes a clock; nil counts as 25 pictures per second.
    ///
    /// - Returns: Nil when the rate does not fit 31 bits, or is negative.
    init?(_ stated: FrameRate?) {
        rate = stated ?? Self.assumedRate
        guard rate.isPositive, let timescale = Int32(exactly: rate.numerator), rate.denominator <= Int(Int32.max) else {
            return nil
        }
        self.timescale = timescale
        ticks = Int64(rate.denominator)
    }

    /// Says so where the rate is not the one stated; empty otherwise.
    func assumption(stated: FrameRate?) -> [String] {
        stated == nil ? ["no frame rate is stated; the pictures are timed at \(rate) frames per second"] : []
    }

    /// When the picture of an index is shown.
    func time(_ index: Int) -> MediaTime { MediaTime(value: Int64(index) &* ticks, timescale: timescale) }

    /// How long each is shown.
    var duration: MediaTime { MediaTime(value: ticks, timescale: timescale) }
}
