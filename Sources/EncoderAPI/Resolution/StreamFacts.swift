// SPDX-License-Identifier: MIT

/// What only the frames of a session tell, and what it keeps from then on.
struct StreamFacts: Hashable, Sendable {
    /// The rate that encoders are opened for; nil until the first frame.
    var frameRate: FrameRate?
    /// Whether configuration or first frame told ``frameRate``; false where it is assumed.
    var isFrameRateKnown = false
    /// The rate that the first frame's duration tells; nil where it tells none.
    var durationRate: FrameRate?
    /// The rate by the presentation times, or by a hint given since, where it contradicts ``frameRate``.
    var pace: FrameRate?
    /// Ticks per second of the encoder's clock; nil until the first frame.
    var timescale: Int32?
    /// The level that the bit-rate ceiling pinned, in tenths; nil until the first frame, and without a ceiling.
    var level: Int?
    /// Where the stream was when the last encoder was opened; nil before the first.
    var position: StreamPosition?
}

extension StreamFacts {
    /// What the first frame's duration tells a session with `configuration`.
    init(firstDuration duration: MediaTime?, configuration: SessionConfiguration, assumed: FrameRate) {
        let told = duration.flatMap(FrameRate.init(frameDuration:))
        durationRate = told.flatMap { $0.isLegal ? $0 : nil }
        let rate = configuration.live.expectedFrameRate ?? durationRate
        begin(at: rate ?? assumed, isKnown: rate != nil)
    }

    /// Opens encoders for frames that come at a rate.
    mutating func begin(at rate: FrameRate, isKnown: Bool) {
        (frameRate, isFrameRateKnown) = (rate.opened, isKnown)
        pace = rate.opened == rate ? nil : rate
    }
}
