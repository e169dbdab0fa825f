// SPDX-License-Identifier: MIT

/// What a session is asked for now, what its frames told, and what became of both: a pure value.
///
/// Each change makes another value, which a session adopts once its encoder took it.
struct SettingsInForce: Sendable {
    private let encoder: EncoderDescription
    private(set) var facts: StreamFacts
    /// In the encoder's terms.
    private(set) var settings: ResolvedSettings
    /// What is otherwise than asked.
    private(set) var adjustments: [Adjustment]

    /// Resolves a configuration.
    ///
    /// - Throws: ``EncoderError`` for what cannot be.
    init(
        configuration: SessionConfiguration, encoder: EncoderDescription, facts: StreamFacts = StreamFacts()
    ) throws(EncoderError) {
        var resolver = SettingsResolver(configuration: configuration, encoder: encoder, facts: facts)
        settings = try resolver.resolve()
        adjustments = resolver.adjustments
        self.encoder = encoder
        self.facts = facts
    }

    /// What is asked for.
    var configuration: SessionConfiguration { settings.request }

    /// Whether the first frame told what only it can tell.
    var hasBegun: Bool { facts.frameRate != nil }

    /// Frames per second to reckon with now.
    var pace: FrameRate { settings.live.pace ?? settings.plan.frameRate }

    /// Frames per second that the caller gave to expect: the hint, else what the first frame's duration tells.
    var expectedFrameRate: FrameRate? { configuration.live.expectedFrameRate ?? facts.durationRate }

    /// Whether the number of pictures per second matters to rate control.
    var isRateBound: Bool { settings.live.rate.buffer != nil }

    // MARK: - Changes

    /// What another configuration becomes.
    ///
    /// A new hint of the frame rate counts until presentation times say otherwise. Where more than live settings
    /// differ, a bit-rate ceiling pins the level anew.
    func asking(_ next: SessionConfiguration) throws(EncoderError) -> SettingsInForce {
        var facts = facts
        if let frameRate = facts.frameRate, let hint = next.live.expectedFrameRate,
            hint != configuration.live.expectedFrameRate, hint.isLegal
        {
            facts.pace = hint == frameRate ? nil : hint
        }
        let isLive = next.differsOnlyLive(from: configuration)
        if !isLive { facts.level = nil }
        var asked = try SettingsInForce(configuration: next, encoder: encoder, facts: facts)
        if !isLive, hasBegun { asked.pinLevel() }
        return asked
    }

    /// Keeps the level that follows from a bit-rate ceiling, if there is one, whatever changes later.
    private mutating func pinLevel() {
        if configuration.bitRateCeiling != nil { facts.level = settings.plan.level }
    }

    /// These settings after the first frame, whose rate a bit-rate ceiling pins the level for.
    ///
    /// Where an encoder `isOpen` with these settings, it keeps its clock, and all of them if the frame rate is as
    /// assumed.
    func beginning(at time: MediaTime, duration: MediaTime?, isOpen: Bool) throws(EncoderError) -> SettingsInForce {
        var facts = StreamFacts(
            firstDuration: duration, configuration: configuration, assumed: settings.plan.frameRate)
        if isOpen, facts.frameRate == settings.plan.frameRate {
            facts.isFrameRateKnown = settings.plan.isFrameRateKnown
        }
        facts.timescale =
            isOpen || configuration.timescale != nil
            ? settings.plan.timescale
            : EncoderTimescale.timescale(first: time, rate: facts.frameRate ?? settings.plan.frameRate)
        var begun: SettingsInForce
        do throws(EncoderError) {
            begun = try SettingsInForce(configuration: configuration, encoder: encoder, facts: facts)
        } catch {
            // A duration is a hint: where no level allows its rate under the ceiling, the rate that is assumed stays.
            guard settings.isLevelFromCeiling, configuration.live.expectedFrameRate == nil, facts.isFrameRateKnown
            else {
                throw error
            }
            (facts.frameRate, facts.isFrameRateKnown) = (settings.plan.frameRate, settings.plan.isFrameRateKnown)
            begun = try SettingsInForce(configuration: configuration, encoder: encoder, facts: facts)
        }
        begun.pinLevel()
        return begun
    }

    /// These settings at the pace that presentation times show.
    func pacing(_ rate: FrameRate?) -> SettingsInForce {
        var next = self
        next.facts.pace = rate == settings.plan.frameRate ? nil : rate
        next.settings.live.pace = next.facts.pace
        return next
    }

    /// Whether rate or buffer are otherwise for the frame rate of these settings than for that of `other`: a buffer
    /// holds at least what one picture takes in, and where it holds less, libraries lower the rate.
    func hasOtherRate(than other: SettingsInForce) -> Bool {
        let rate = settings.live.rate
        guard rate == other.settings.live.rate else { return true }
        guard let buffer = rate.buffer else { return false }
        return Double(buffer.bits) * settings.plan.frameRate.framesPerSecond < Double(buffer.peakBitsPerSecond)
            && settings.plan.frameRate != other.settings.plan.frameRate
    }

    /// These settings on a finer clock.
    func ticking(_ timescale: Int32) throws(EncoderError) -> SettingsInForce {
        var facts = facts
        facts.timescale = timescale
        return try SettingsInForce(configuration: configuration, encoder: encoder, facts: facts)
    }

    /// The settings of an encoder that is opened at a place in the stream; for the measured pace if it `followsPace`.
    func opening(at position: StreamPosition, followsPace: Bool) -> SettingsInForce {
        var next = followsPace ? reopening : pacing(nil)
        next.facts.position = position
        next.settings.position = position
        return next
    }

    /// The settings of another encoder, opened for the pace of the frames so that it counts time as it passes, unless a
    /// bit-rate ceiling pins the level or a named level forbids it.
    var reopening: SettingsInForce {
        guard let pace = facts.pace, pace.isLegal, configuration.bitRateCeiling == nil else { return self }
        var facts = facts
        facts.begin(at: pace, isKnown: true)
        return (try? SettingsInForce(configuration: configuration, encoder: encoder, facts: facts)) ?? self
    }
}
