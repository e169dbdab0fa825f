// SPDX-License-Identifier: MIT

import Logging

/// Watches what goes in for what contradicts the settings, and says it: as adjustments, and once in the log.
struct StreamWatch {
    private let logger: Logger
    private var hint: FrameRate?
    /// Measures against the pace in force, to follow it.
    private var meter = FrameRateMeter()
    /// Measures against the hint, to say that it is wrong: what a variable rate does is no news.
    private var hintMeter = FrameRateMeter(tolerance: hintTolerance)
    private var notes: [Adjustment] = []
    private var warned: Set<Setting> = []

    /// How far off a hint may be without a warning.
    private static let hintTolerance = 0.1

    init(live: LiveSettings, logger: Logger) {
        self.logger = logger
        hint = live.expectedFrameRate
    }

    /// What was seen so far.
    var adjustments: [Adjustment] { notes }

    /// Goes on with other live settings; what was measured before says nothing about another hint.
    mutating func change(to live: LiveSettings) {
        guard live.expectedFrameRate != hint else { return }
        hint = live.expectedFrameRate
        meter = FrameRateMeter()
        hintMeter = FrameRateMeter(tolerance: Self.hintTolerance)
        notes.removeAll { $0.setting == .expectedFrameRate }
    }

    /// Notes something once.
    ///
    /// - Returns: Whether ``adjustments`` changed.
    mutating func note(_ adjustment: Adjustment) -> Bool {
        guard !notes.contains(adjustment) else { return false }
        notes.append(adjustment)
        return true
    }

    // MARK: - Frame rate

    /// Notes a frame that goes in.
    ///
    /// - Returns: What presentation times say where it contradicts `pace`, and whether ``adjustments`` changed.
    mutating func noteInput(
        at time: MediaTime, pace: FrameRate
    ) -> (contradiction: FrameRateMeter.Contradiction?, isNews: Bool) {
        let contradiction = meter.note(time, expecting: pace)
        guard let hint, let seen = hintMeter.note(time, expecting: hint) else { return (contradiction, false) }
        return (contradiction, say(hint, contradictedBy: seen.rate))
    }

    /// Measures from a frame on.
    mutating func measureAgain(from time: MediaTime) { meter.startOver(at: time) }

    /// Says that durations of `rate` are believed in place of presentation times, and measures on their clock from
    /// `time` on.
    mutating func followDurations(of rate: FrameRate, from time: MediaTime) {
        meter.startOver(at: time)
        hintMeter.startOver(at: time)
        let adjustment = Adjustment(
            .expectedFrameRate, requested: hint.map { "\($0) frames per second" } ?? "unknown",
            used: "\(rate) frames per second by durations",
            reason: "by their presentation times, which are passed on, pictures would overlap")
        warn(adjustment)
        notes.removeAll { $0.setting == .expectedFrameRate }
        notes.append(adjustment)
    }

    private mutating func say(_ hint: FrameRate, contradictedBy rate: FrameRate) -> Bool {
        guard !notes.contains(where: { $0.setting == .expectedFrameRate }) else { return false }
        let measured = (rate.framesPerSecond * 100).rounded() / 100
        let adjustment = Adjustment(
            .expectedFrameRate, requested: "\(hint) frames per second", used: "\(measured) frames per second",
            reason: "the presentation times of the frames that were taken say so")
        warn(adjustment)
        return note(adjustment)
    }

    // MARK: - Warnings

    /// Warns of what is otherwise than asked, where the setting's row says so.
    mutating func announce(_ adjustments: [Adjustment]) {
        for adjustment in adjustments
        where SettingRow.all.contains(where: { $0.warns && $0.setting == adjustment.setting }) { warn(adjustment) }
    }

    /// One warning for each setting is enough; the adjustments have the rest.
    private mutating func warn(_ adjustment: Adjustment) {
        guard warned.insert(adjustment.setting).inserted else { return }
        logger.warning("\(adjustment)")
    }
}
