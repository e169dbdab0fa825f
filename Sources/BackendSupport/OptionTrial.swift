// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Finds by trial which native option keeps a library from opening, or from opening as asked, and what it contradicts:
/// libraries say no more than that they fail.
package struct OptionTrial {
    private let settings: ResolvedSettings
    private let library: String
    /// Opens an encoder for a moment.
    private let open: (ResolvedSettings) throws(EncoderError) -> Void

    /// Makes a trial of settings; nothing is opened.
    ///
    /// - Parameters:
    ///   - settings: Those with which the library does not open.
    ///   - library: What messages call it.
    ///   - open: Opens an encoder with other settings, closes it, and throws what was wrong.
    package init(
        _ settings: ResolvedSettings, library: String,
        open: @escaping (ResolvedSettings) throws(EncoderError) -> Void
    ) {
        (self.settings, self.library, self.open) = (settings, library, open)
    }

    /// The error that names the option at fault, with its legal range or with what it contradicts.
    ///
    /// - Parameter failure: What opening with the settings threw.
    /// - Returns: `failure` itself where no native option is at fault, or where it names one.
    package func explanation(of failure: EncoderError) -> EncoderError {
        let options = settings.request.nativeOptions
        guard failure.setting != .nativeOptions, !options.isEmpty, opens([]) else { return failure }
        var count = options.count
        while count > 1, !opens(Array(options.prefix(count - 1))) { count -= 1 }
        let (option, others) = (options[count - 1], Array(options.prefix(count - 1)))
        if let reason = self.failure(others + [option], settings), reason.setting == .maxFrameDelayCount {
            return option.refusal(contradicting: .maxFrameDelayCount, settings, because: reason.reason)
        }
        // The option may need one of the others, so it does not have to open alone.
        let partner = partner(of: option, among: others)
        if partner != nil || opens([option]) { return option.refusal(contradicting: partner, library) }
        if let setting = contradicted(by: others + [option]) ?? contradicted(by: [option]) {
            return option.refusal(contradicting: setting, settings)
        }
        let wishless = Self.withoutWishes(settings)
        let range = OptionRange(around: option.value) { value in
            self.failure([NativeOption(option.name, value)], wishless) == nil
        }
        if let expected = range.text { return option.refusal(expecting: expected) }
        let reason = self.failure([option], wishless)?.reason ?? failure.reason
        return EncoderError(
            .invalidValue, reason: "\(option.quotedName) cannot have the value \(option.quotedValue): \(reason)",
            setting: .nativeOptions)
    }

    // MARK: - Trials

    private func failure(_ options: [NativeOption], _ settings: ResolvedSettings) -> EncoderError? {
        var tried = settings
        tried.request.nativeOptions = options
        do throws(EncoderError) {
            try open(tried)
            return nil
        } catch {
            return error
        }
    }

    private func opens(_ options: [NativeOption]) -> Bool { failure(options, settings) == nil }

    /// The option without which the library opens; nil where more than one would have to go.
    private func partner(of option: NativeOption, among others: [NativeOption]) -> NativeOption? {
        let index = others.indices.first { index in
            var rest = others
            rest.remove(at: index)
            return opens(rest + [option])
        }
        return index.map { others[$0] }
    }

    /// The setting without which the library opens with options, or the last of those that have to go.
    private func contradicted(by options: [NativeOption]) -> Setting? {
        let wishes = Self.wishes.filter { wish in
            var without = settings
            wish.drop(&without)
            return without != settings
        }
        for wish in wishes {
            var without = settings
            wish.drop(&without)
            if failure(options, without) == nil { return wish.setting(settings) }
        }
        var without = settings
        for wish in wishes {
            wish.drop(&without)
            if failure(options, without) == nil { return wish.setting(settings) }
        }
        return nil
    }

    // MARK: - Settings

    private struct Wish: Sendable {
        let setting: @Sendable (ResolvedSettings) -> Setting
        let drop: @Sendable (inout ResolvedSettings) -> Void

        init(_ setting: Setting, _ drop: @escaping @Sendable (inout ResolvedSettings) -> Void) {
            self.init({ _ in setting }, drop)
        }

        init(
            _ setting: @escaping @Sendable (ResolvedSettings) -> Setting,
            _ drop: @escaping @Sendable (inout ResolvedSettings) -> Void
        ) {
            (self.setting, self.drop) = (setting, drop)
        }
    }

    /// What may keep a library from opening with an option, the likeliest first.
    private static let wishes = [
        Wish(.maxFrameDelayCount) { $0.request.maxFrameDelayCount = nil },
        Wish(.realTime) { $0.request.realTime = false },
        Wish({ $0.askedBPictures ?? .allowFrameReordering }) { $0.plan.allowFrameReordering = true },
        Wish(.allowOpenGOP) { $0.request.allowOpenGOP = false },
        Wish({ $0.askedLevel ?? .profileLevel }) {
            $0.request.profileLevel = .automatic
            $0.request.bitRateCeiling = nil
            $0.plan.level = nil
        },
        Wish(.maxKeyFrameInterval) { $0.live.asked.maxKeyFrameInterval = nil },
        Wish(.threadCount) { $0.request.threadCount = nil },
        Wish(.tune) { $0.request.tune = nil },
        Wish(.preset) { $0.request.preset = nil },
        Wish({ $0.askedRate ?? .dataRateLimits }) {
            $0.live.rate = LiveParameters.Rate(.automatic)
            $0.live.asked.minAllowedFrameQP = nil
            $0.live.asked.maxAllowedFrameQP = nil
        },
    ]

    private static func withoutWishes(_ settings: ResolvedSettings) -> ResolvedSettings {
        var without = settings
        for wish in wishes { wish.drop(&without) }
        return without
    }
}
