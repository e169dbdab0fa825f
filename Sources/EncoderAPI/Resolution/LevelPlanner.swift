// SPDX-License-Identifier: MIT

import ParameterSets

/// Chooses levels from the tables of the standards: pure.
enum LevelPlanner {
    /// `general_level_idc` counts thirtieths of a level.
    private static let levelIdcPerTenth = 3

    /// The levels a configuration may name, in tenths.
    static func legalLevels(_ codec: VideoCodec) -> [Int] {
        switch codec {
        case .h264: [10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62]
        case .hevc: HEVCLevel.all.map { $0.rawValue / levelIdcPerTenth }
        }
    }

    /// The level that a stream needs at the bit-rate ceiling, so that no live change moves it.
    ///
    /// Counts four reference frames, as most presets use, and ``EncoderClock/assumedFrameRate`` where none is known.
    static func pinnedLevel(
        for configuration: SessionConfiguration, settings: ResolvedSettings
    ) throws(EncoderError) -> Int? {
        let ceiling = configuration.bitRateCeiling
        let rate = settings.isFrameRateKnown ? settings.frameRate : EncoderClock.assumedFrameRate
        // The largest buffer of any rate below the ceiling, so that sessions at all these rates agree.
        let limited = configuration.live.dataRateLimits.map { 8 * $0.bytes }.min()
        let bits = limited ?? Int(Double(ceiling) * RatePlanner.defaultBufferSeconds)
        let lowest = lowest(configuration.codec, settings, rate: rate.framesPerSecond, ceiling: ceiling, bits: bits)
        guard let lowest else {
            throw EncoderError(
                .invalidValue,
                reason:
                    "no \(configuration.codec) level allows \(settings.codedWidth)x\(settings.codedHeight) at \(rate) "
                    + "frames per second and \(ceiling) bit/s", setting: .bitRateCeiling)
        }
        guard let asked = settings.level else { return lowest }
        guard asked >= lowest else {
            throw EncoderError(
                .conflictingSettings,
                reason: "level \(asked / 10).\(asked % 10) does not allow the ceiling of \(ceiling) bit/s, expected "
                    + "\(lowest / 10).\(lowest % 10) or more", setting: .bitRateCeiling)
        }
        return asked
    }

    private static func lowest(
        _ codec: VideoCodec, _ settings: ResolvedSettings, rate: Double, ceiling: Int, bits: Int
    ) -> Int? {
        switch codec {
        case .h264:
            let profile: H264Profile =
                switch settings.profile {
                case .h264Baseline, .h264ConstrainedBaseline: .constrainedBaseline
                case .h264Main: .main
                case .h264High10: .high10
                default: settings.bitDepth > 8 ? .high10 : .high
                }
            return H264Level.lowest(
                width: settings.codedWidth, height: settings.codedHeight, framesPerSecond: rate, bitsPerSecond: ceiling,
                bufferBits: bits, profile: profile, referenceFrames: 4
            )?.rawValue
        case .hevc:
            return HEVCLevel.lowest(
                width: settings.codedWidth, height: settings.codedHeight, framesPerSecond: rate, bitsPerSecond: ceiling,
                bufferBits: bits, factor: settings.bitDepth > 10 ? 1500 : 1000, dpbFrames: 5
            ).map { $0.rawValue / levelIdcPerTenth }
        }
    }
}
