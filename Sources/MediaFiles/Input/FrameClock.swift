// SPDX-License-Identifier: MIT

import EncoderAPI

/// Times of pictures that come at a constant rate.
struct FrameClock {
    /// Ticks per second.
    let timescale: Int32
    /// Ticks per picture.
    let ticks: Int64

    /// Makes a clock; an unknown rate counts as 25 pictures per second.
    ///
    /// - Returns: Nil when the rate does not fit 31 bits, or is negative.
    init?(_ rate: FrameRate) {
        if rate == .unknown {
            timescale = 25
            ticks = 1
            return
        }
        guard rate.isKnown, let timescale = Int32(exactly: rate.numerator), rate.denominator <= Int(Int32.max) else {
            return nil
        }
        self.timescale = timescale
        ticks = Int64(rate.denominator)
    }

    /// When the picture of an index is shown.
    func time(_ index: Int) -> MediaTime { MediaTime(value: Int64(index) &* ticks, timescale: timescale) }

    /// How long each is shown.
    var duration: MediaTime { MediaTime(value: ticks, timescale: timescale) }
}
