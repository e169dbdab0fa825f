// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// Everything decided before libx265 is opened: the library's parameters and what they leave out.
struct X265Setup: ~Copyable {
    /// What differs from the settings.
    let adjustments: [Adjustment]
    /// What native options changed.
    let comparison: ParameterComparison<x265_param>
    /// The parameters, ready to open.
    let parameters: X265ParameterBlock
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
        try X265Parameters.checkResult(settings, parameters.pointer.pointee)
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
        self.comparison = comparison
        self.parameters = parameters
        self.settings = settings
    }

    /// Opens an encoder.
    func open(library: X265Library) throws(EncoderError) -> X265Handle {
        try X265Handle(opening: parameters, library: library, likely: likelyReasons)
    }

    private var likelyReasons: String {
        var reasons: [String] = []
        if !settings.request.nativeOptions.isEmpty {
            reasons.append(
                "native options \(settings.request.nativeOptions.map(\.name)) exclude each other or are out of range")
        }
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
