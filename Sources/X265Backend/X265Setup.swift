// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport
import Synchronization

/// Everything decided before libx265 is opened: the library's parameters and what they leave out.
struct X265Setup: ~Copyable {
    /// What differs from the settings.
    let adjustments: [Adjustment]
    /// What native options changed, beside the parameters in force.
    ///
    /// In a closure: the compiler takes seconds for each copy of a value whose moves it checks and that has hundreds of
    /// fields.
    let optionAdjustments: (x265_param) -> [Adjustment]
    /// The parameters, ready to open.
    private(set) var parameters: X265ParameterBlock
    private let settings: ResolvedSettings

    /// Maps `settings`: preset and tune, then every setting, then native options, then the profile.
    init(_ settings: ResolvedSettings, library: X265Library) throws(EncoderError) {
        let names = X265Parameters.presetAndTune(settings.request)
        var parameters = try X265ParameterBlock(library: library, preset: names.preset, tune: names.tune)
        let untuned = try X265ParameterBlock(library: library, preset: names.preset, tune: nil)
        let adjustments = try X265Parameters.apply(
            settings, to: &parameters.pointer.pointee, untuned: untuned.pointer.pointee)
        parameters.setThreadPools(X265Parameters.threadPools(count: settings.request.threadCount))
        let comparison = try X265Options.apply(to: parameters, settings, library: library)
        X265Parameters.repeatHeadersWithDelimiters(&parameters.pointer.pointee)
        if let profile = X265Parameters.profileName(settings.request.profileLevel.profile) {
            let status = library.api.param_apply_profile?(parameters.pointer, profile) ?? -1
            guard status == 0 else {
                throw EncoderError(
                    .conflictingSettings,
                    reason: "profile \(profile) does not allow \(settings.picture.bitDepth)-bit samples",
                    setting: .profileLevel, status: Int(status))
            }
        }
        self.adjustments = adjustments
        optionAdjustments = { comparison.adjustments(inForce: $0, of: "libx265") }
        self.parameters = parameters
        self.settings = settings
    }

    /// Opens an encoder.
    func open(library: X265Library) throws(EncoderError) -> X265Handle {
        try X265Handle(opening: parameters, library: library, likely: likelyReasons)
    }

    private var likelyReasons: String {
        var reasons: [String] = []
        let unit = parameters.pointer.pointee.maxCUSize
        if X265Parameters.exceedsAllLevels(settings, unit: unit) {
            reasons.append(
                "\(settings.picture.codedWidth)x\(settings.picture.codedHeight) at \(settings.plan.frameRate) fps is above every level that "
                    + "has coding tree units of \(unit)")
        }
        if let level = settings.plan.level { reasons.append("level \(ProfileLevel.name(level)) is too low") }
        return (reasons + ["no memory"]).joined(separator: "; ")
    }
}

// MARK: - Native options

extension X265Setup {
    /// Refuses native options with which libx265 does not open, or holds more pictures than may be held: opens an
    /// encoder for a moment where there are any.
    ///
    /// - Throws: ``EncoderError`` that names the option at fault, and its legal range or what it contradicts.
    static func checkOptions(_ settings: ResolvedSettings, library: X265Library) throws(EncoderError) {
        guard !settings.request.nativeOptions.isEmpty, !tried.withLock({ $0.contains(settings) }) else { return }
        do throws(EncoderError) {
            try tryOpening(settings, library: library)
        } catch {
            throw explanation(of: error, settings, library: library)
        }
        tried.withLock { settled in
            if settled.count >= mostTried { settled = [] }
            settled.insert(settings)
        }
    }

    /// What opening with native options failed with, in words of the options.
    static func explanation(
        of error: EncoderError, _ settings: ResolvedSettings, library: X265Library
    ) -> EncoderError {
        let trial = OptionTrial(settings, library: "libx265") { (settings) throws(EncoderError) in
            try tryOpening(settings, library: library)
        }
        return trial.explanation(of: error)
    }

    /// Opens an encoder that has no threads besides its own, and closes it.
    private static func tryOpening(_ settings: ResolvedSettings, library: X265Library) throws(EncoderError) {
        var setup = try X265Setup(settings, library: library)
        if settings.request.nativeOptions.allSatisfy({ !$0.name.hasSuffix("pools") }) {
            setup.parameters.setThreadPools(X265Parameters.threadPools(count: 1))
        }
        let handle = try setup.open(library: library)
        let running = try X265ParameterBlock(library: library, preset: nil, tune: nil)
        handle.readParameters(into: running)
        let delay = X265Delay(running.pointer.pointee, settings.request)
        _ = try settings.request.checkDelay(of: delay.maximumDelay, heldBy: delay.held)
    }

    /// Settings that libx265 was opened with for a moment: each opening leaves some memory behind.
    private static let tried = Mutex<Set<ResolvedSettings>>([])
    private static let mostTried = 64
}
