// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import ParameterSets

extension X265Parameters {
    /// Whether a level that is asked for allows the coding tree units of `parameters`: 32 or 64 from level 5 on
    /// (A.4.1).
    static func allowsUnits(of parameters: x265_param, _ settings: ResolvedSettings) -> Bool {
        settings.plan.level.map { $0 < 50 || parameters.maxCUSize >= 32 } ?? true
    }

    /// Sets the level, in the Main tier unless the bit rate needs the High one.
    ///
    /// Refuses what libx265 would answer with NULL, or by quietly lowering a bit rate.
    static func assignLevel(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) {
        guard let number = settings.plan.level else { return }
        let name = "level \(ProfileLevel.name(number))"
        guard !hasFixedQuantizers(parameters) else {
            guard !settings.isLevelFromCeiling else {
                throw EncoderError(
                    .conflictingSettings,
                    reason: "a bit-rate ceiling with \(settings.live.rate.control), whose bit rate nothing bounds",
                    setting: .bitRateCeiling)
            }
            throw refusal("\(name) with \(settings.live.rate.control): libx265 cannot promise its bit rate")
        }
        // libx265 goes by the size in whole coding units.
        let unit = Int(parameters.minCUSize)
        let planner = LevelPlanner(
            codec: .hevc,
            size: PictureSize(
                width: (Int(parameters.sourceWidth) + unit - 1) / unit * unit,
                height: (Int(parameters.sourceHeight) + unit - 1) / unit * unit))
        // A second of few pictures is told as more than a second, up to what the level allows.
        let told = Int(max(parameters.rc.bitrate, parameters.rc.vbvMaxBitrate, 0)) * 1000
        let needed = min(told, Int((Double(told) / settings.pacedShare).rounded()))
        let bounds = try planner.bounds(level: number, bitsPerSecond: needed)
        try planner.check(settings.plan.frameRate, level: number, bounds: bounds)
        guard allowsUnits(of: parameters, settings) else {
            throw refusal(
                "\(parameters.sourceWidth)x\(parameters.sourceHeight) at \(name), which asks for coding tree units of 32 "
                    + "and sides of 32 or more")
        }
        let buffer = Int(parameters.rc.vbvBufferSize) * 1000
        guard needed <= bounds.bitsPerSecond, buffer <= bounds.bufferBits else {
            throw refusal(
                "\(needed) bit/s and a buffer of \(buffer) bits at \(name), expected at most \(bounds.bitsPerSecond) and "
                    + "\(bounds.bufferBits)")
        }
        let most = Int32(clamping: bounds.bitsPerSecond / 1000)
        parameters.rc.bitrate = min(parameters.rc.bitrate, most)
        parameters.rc.vbvMaxBitrate = min(parameters.rc.vbvMaxBitrate, most)
        parameters.levelIdc = Int32(number)
        parameters.bHighTier = bounds.isHighTier ? 1 : 0
    }

    /// The largest bit rate of a level; nil for one that the table does not have.
    static func mostBits(level: Int, isHighTier: Bool) -> Int? {
        let limits = HEVCLevel(rawValue: level * 3).limits(isHighTier: isHighTier)
        return limits.map { $0.bitRate * 1000 }
    }

    /// Whether a size or frame rate lies above every level that coding tree units of `unit` may have (A.4.1).
    static func exceedsAllLevels(_ settings: ResolvedSettings, unit: UInt32) -> Bool {
        let size = PictureSize(width: settings.picture.codedWidth, height: settings.picture.codedHeight)
        let lowest = LevelPlanner(codec: .hevc, size: size).lowest(
            framesPerSecond: settings.plan.frameRate.framesPerSecond)
        return lowest.map { unit < 32 && $0 >= 50 } ?? true
    }

    private static func refusal(_ reason: String) -> EncoderError {
        EncoderError(.conflictingSettings, reason: reason, setting: .profileLevel)
    }
}
