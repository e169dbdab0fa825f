// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import BackendSupport

/// What of a stream is decided before a driver's encoder is opened: pure.
struct VAStreamPlan: Sendable {
    /// The profile, what the driver calls it, and what it can do in it.
    let profile: VACodedProfile
    let structure: GOPPlanner.Structure
    let references: ReferenceTracker.Limits
    /// Ways to control the rate, best first; one or more.
    let rates: [VARatePlan]
    /// 1 the best; nil leaves it to the driver.
    let qualityLevel: Int?
    /// Pictures that may be in flight.
    let depth: Int

    /// Most pictures from IDR to IDR picture where nobody says how many: x264's.
    static let usualInterval = 250
    /// B pictures in a row where there may be any.
    private static let consecutiveB = 2

    /// Decides.
    ///
    /// - Throws: ``EncoderError`` when the encoder has no profile or rate control for the settings.
    init(_ settings: ResolvedSettings, _ encoder: VAListedEncoder) throws(EncoderError) {
        let request = settings.request
        profile = try Self.profile(for: settings, of: encoder)
        let traits = profile.traits
        var structure = GOPPlanner.Structure()
        structure.interval = settings.live.asked.maxKeyFrameInterval ?? Self.usualInterval
        if settings.plan.allowFrameReordering, traits.predictsFromFuture, profile.profile.allowsFrameReordering,
            !request.realTime
        {
            structure.consecutiveB = min(Self.consecutiveB, request.maxFrameDelayCount ?? Self.consecutiveB)
        }
        self.structure = structure
        let hasB = structure.consecutiveB > 0
        references = ReferenceTracker.Limits(
            list0: 1, list1: hasB || traits.needsBothLists ? 1 : 0, kept: hasB ? 2 : 1,
            mirrorsList0: traits.needsBothLists)
        qualityLevel = request.realTime && traits.qualityLevels > 1 ? traits.qualityLevels : nil
        depth = 3
        rates = VARatePlan.candidates(settings, modes: traits.rateControl)
        guard !rates.isEmpty else {
            throw EncoderError(
                .unsupported, reason: "\(encoder.description) has no rate control for \(settings.live.rate.control)")
        }
    }

    /// Most pictures that may be being coded at once: flushing may add those that wait, behind an IDR picture.
    var mostCoding: Int { depth + structure.consecutiveB + 1 }

    /// The profile asked for, or the largest for as many bits as pictures have.
    private static func profile(
        for settings: ResolvedSettings, of encoder: VAListedEncoder
    ) throws(EncoderError) -> VACodedProfile {
        let depth = settings.picture.bitDepth
        let usable = encoder.profiles.filter { $0.traits.bitDepths.contains(depth) }
        let asked = settings.request.profileLevel.profile
        let fitting = usable.filter { profile in asked.map { profile.profile == $0 } ?? true }
        let least = fitting.map(\.profile.maxBitDepth).min()
        guard let found = fitting.last(where: { $0.profile.maxBitDepth == least }) else {
            throw EncoderError(
                .unsupported,
                reason:
                    "\(encoder.description) does not code \(depth) bits in \(asked.map { "\($0)" } ?? "any profile")",
                setting: .profileLevel)
        }
        return found
    }
}
