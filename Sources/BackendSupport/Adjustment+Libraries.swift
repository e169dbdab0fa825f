// SPDX-License-Identifier: MIT

package import EncoderAPI

// What several libraries make of a setting alike; nothing where it is not asked for.
extension [Adjustment] {
    /// A level that is written although nothing keeps its bit rate.
    package static func levelWithoutRate(_ settings: ResolvedSettings) -> [Adjustment] {
        guard let level = settings.plan.level.map({ "level \(ProfileLevel.name($0))" }) else { return [] }
        return [
            Adjustment(
                settings.isLevelFromCeiling ? .bitRateCeiling : .profileLevel, requested: level,
                used: "\(level) signalled, whatever the bit rate", reason: "a constant quantizer keeps no bit rate")
        ]
    }

    /// A number of frames to come that nothing is planned with.
    package static func noPlan(_ request: SessionConfiguration, reason: String) -> [Adjustment] {
        request.sourceFrameCount.map {
            [Adjustment(.sourceFrameCount, requested: "\($0)", used: "no plan", reason: reason)]
        } ?? []
    }
}
