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
    /// As the driver calls it; nil leaves it to the driver.
    let qualityLevel: Int?
    /// What native options ask for.
    let options: VAOptions
    /// Pictures that may be in flight.
    let depth: Int

    /// Most pictures from IDR to IDR picture where nobody says how many: x264's.
    static let usualInterval = 250
    /// B pictures in a row where there may be any.
    private static let consecutiveB = 2
    /// Pictures that a P picture is predicted from where the driver takes so many, as with GStreamer.
    private static let usualReferences = 3

    /// Decides.
    ///
    /// - Throws: ``EncoderError`` when the encoder has no profile or rate control for the settings.
    init(_ settings: ResolvedSettings, _ encoder: VAListedEncoder) throws(EncoderError) {
        let request = settings.request
        profile = try Self.profile(for: settings, of: encoder)
        let traits = profile.traits
        options = try VAOptions(settings)
        try options.check(traits)
        var structure = GOPPlanner.Structure()
        structure.interval = settings.live.asked.maxKeyFrameInterval ?? Self.usualInterval
        if settings.plan.allowFrameReordering, traits.predictsFromFuture, profile.profile.allowsFrameReordering,
            !request.realTime
        {
            let wanted = options.consecutiveB ?? Self.consecutiveB
            structure.consecutiveB = min(wanted, request.maxFrameDelayCount ?? wanted)
            structure.hasPyramid = options.hasPyramid
        }
        self.structure = structure
        references = try Self.references(settings, structure, profile, options)
        let levels = traits.qualityValues
        qualityLevel =
            options.qualityLevel.map { levels[$0 - 1] }
            ?? (request.realTime ? (levels.count > 1 ? levels.last : nil) : traits.usualQuality)
        depth = 3
        rates = VARatePlan.candidates(settings, modes: traits.rateControl)
        guard !rates.isEmpty else {
            throw EncoderError(
                .unsupported, reason: "\(encoder.description) has no rate control for \(settings.live.rate.control)")
        }
    }

    /// Most pictures that may be being coded at once: flushing may add those that wait, behind an IDR picture.
    var mostCoding: Int { depth + structure.consecutiveB + 1 }

    /// What pictures are predicted from: as many as the driver takes, and as the level has room for.
    ///
    /// - Throws: ``EncoderError`` where a level that is named has no room for as many as are asked for.
    private static func references(
        _ settings: ResolvedSettings, _ structure: GOPPlanner.Structure, _ profile: VACodedProfile, _ options: VAOptions
    ) throws(EncoderError) -> ReferenceTracker.Limits {
        let traits = profile.traits
        func limits(_ count: Int) -> ReferenceTracker.Limits {
            let list1 = traits.needsBothLists ? min(count, traits.maxReferencesL1) : structure.consecutiveB > 0 ? 1 : 0
            return ReferenceTracker.Limits(
                list0: count, list1: list1, kept: count + structure.reorderDepth, mirrorsList0: traits.needsBothLists)
        }
        func hasRoom(_ count: Int) -> Bool {
            StreamLevel.keeps(limits(count).kept, insteadOf: limits(1).kept, settings, profile.profile)
        }
        if let asked = options.references {
            guard settings.plan.level == nil || hasRoom(asked) else {
                throw NativeOption("ref").refusal("the level has no room for \(limits(asked).kept) such pictures")
            }
            return limits(asked)
        }
        let most = settings.request.realTime ? 1 : min(usualReferences, traits.maxReferencesL0)
        return limits((1...most).last(where: hasRoom) ?? 1)
    }

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
