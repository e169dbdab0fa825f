// SPDX-License-Identifier: MIT

import EncoderAPI

/// What an encoder is asked in: a promise that it keeps in its first pictures, of eight bits, may be broken in others.
enum Circumstance: String, CaseIterable, Sendable {
    /// A session's first encoder.
    case first
    /// An encoder that follows another one, for pictures of another size.
    case afterAnotherSize = "after-another-size"
    /// Pictures of ten bits.
    case inTenBits = "in-ten-bits"

    /// What it adds to a scenario's sentence.
    fileprivate var summary: String {
        switch self {
        case .first: ""
        case .afterAnotherSize: " This of the encoder that follows one for another size."
        case .inTenBits: " This with pictures of ten bits."
        }
    }
}

extension Scenario {
    /// The same again in a circumstance.
    func again(_ circumstance: Circumstance) -> Scenario {
        var scenario = Scenario(
            "\(name)-\(circumstance.rawValue)", summary + circumstance.summary, settings: settings, effects: effects,
            needsDecoder: needsDecoder, needsCompanion: needsCompanion, length: length, body: body)
        scenario.circumstance = circumstance
        return scenario
    }
}

extension ScenarioContext {
    /// Frames of another size before a scenario's own, where the circumstance has them.
    struct Youth: Sendable {
        let width: Int
        let height: Int
        let rate: FrameRate
        /// How many frames.
        let count = 4

        /// The time of one, in front of those that follow.
        func time(_ index: Int) -> MediaTime {
            MediaTime(value: Int64(index) * Int64(rate.denominator), timescale: Int32(clamping: rate.numerator))
        }

        /// How much later the scenario's own frames come than they would without.
        var length: MediaTime { time(count) }
    }

    /// The frames before those of a session with a configuration; nil where there are none.
    ///
    /// - Throws: ``NotApplicable`` where the encoder has no other size than that of the configuration.
    func youth(before configuration: SessionConfiguration) throws(NotApplicable) -> Youth? {
        guard circumstance == .afterAnotherSize else { return nil }
        let (width, height) = (configuration.width, configuration.height)
        for size in [(height, width), (width, height + 16), (width + 16, height), (width, height - 16)]
        where size != (width, height) && capabilities.codedWidths.contains(size.0)
            && capabilities.codedHeights.contains(size.1)
        {
            let rate = configuration.live.expectedFrameRate ?? FrameRate(numerator: 30)
            return Youth(width: size.0, height: size.1, rate: rate)
        }
        throw NotApplicable("the encoder has no other size than \(width)x\(height)")
    }
}
