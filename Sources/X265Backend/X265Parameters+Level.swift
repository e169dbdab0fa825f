// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import ParameterSets

extension X265Parameters {
    /// Sets the level, in the Main tier unless the bit rate needs the High one.
    ///
    /// Refuses what libx265 would answer with NULL, or by quietly lowering a bit rate.
    static func assignLevel(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        guard let number = settings.plan.level else { return [] }
        let name = "level \(number / 10).\(number % 10)"
        guard let level = HEVCLevel.all.first(where: { $0.tenths == number }), let main = level.limits() else {
            throw refusal("\(name), expected one of \(HEVCLevel.all.map(\.tenths)) in tenths", .invalidValue)
        }
        guard !hasFixedQuantizers(parameters) else {
            guard !settings.isLevelFromCeiling else {
                throw EncoderError(
                    .conflictingSettings,
                    reason: "a bit-rate ceiling with \(settings.live.rate.control), whose bit rate nothing bounds",
                    setting: .bitRateCeiling)
            }
            throw refusal("\(name) with \(settings.live.rate.control): libx265 cannot promise its bit rate")
        }
        try checkSize(settings, main, name, parameters)
        // A.4.1: CtbSizeY is 32 or 64 from level 5 on.
        guard number < 50 || parameters.maxCUSize >= 32 else {
            throw refusal(
                "\(parameters.sourceWidth)x\(parameters.sourceHeight) at \(name), which asks for coding tree units of 32 "
                    + "and sides of 32 or more")
        }
        let needed = max(parameters.rc.bitrate, parameters.rc.vbvMaxBitrate, 0)
        let buffer = parameters.rc.vbvBufferSize
        // In kbit, as libx265 has them for all profiles.
        let fits = { (limits: HEVCLevel.Limits) in
            Int(needed) <= limits.bitRate && Int(buffer) <= limits.codedPictureBuffer
        }
        let high = level.limits(isHighTier: true)
        guard fits(main) || high.map(fits) == true else {
            throw refusal(
                "\(needed) kbit/s and a buffer of \(buffer) kbit at \(name), expected at most \((high ?? main).bitRate)"
            )
        }
        parameters.levelIdc = Int32(number)
        parameters.bHighTier = fits(main) ? 0 : 1
        return []
    }

    private static func checkSize(
        _ settings: ResolvedSettings, _ limits: HEVCLevel.Limits, _ name: String, _ parameters: x265_param
    ) throws(EncoderError) {
        // libx265 goes by the size in whole coding units.
        let unit = Int(parameters.minCUSize)
        let width = (Int(parameters.sourceWidth) + unit - 1) / unit * unit
        let height = (Int(parameters.sourceHeight) + unit - 1) / unit * unit
        guard width * height <= limits.lumaSamplesPerPicture, max(width, height) <= limits.longestSide else {
            throw refusal(
                "\(width)x\(height) at \(name), expected at most \(limits.lumaSamplesPerPicture) luma samples")
        }
        let perSecond = Double(width * height) * settings.plan.frameRate.framesPerSecond
        guard perSecond <= Double(limits.lumaSamplesPerSecond) else {
            throw refusal(
                "\(width)x\(height) at \(settings.plan.frameRate) fps and \(name), expected at most "
                    + "\(limits.lumaSamplesPerSecond) luma samples per second")
        }
    }

    /// Whether a size or frame rate lies above every level that coding tree units of `unit` may have (A.4.1).
    static func exceedsAllLevels(_ settings: ResolvedSettings, unit: UInt32) -> Bool {
        let levels = HEVCLevel.all.filter { unit >= 32 || $0.tenths < 50 }
        let samples = settings.picture.codedWidth * settings.picture.codedHeight
        return !levels.compactMap { $0.limits() }.contains { limits in
            samples <= limits.lumaSamplesPerPicture
                && max(settings.picture.codedWidth, settings.picture.codedHeight) <= limits.longestSide
                && Double(samples) * settings.plan.frameRate.framesPerSecond <= Double(limits.lumaSamplesPerSecond)
        }
    }

    private static func refusal(
        _ reason: String, _ code: EncoderError.Code = .conflictingSettings
    ) -> EncoderError {
        EncoderError(code, reason: reason, setting: .profileLevel)
    }
}

extension HEVCLevel {
    /// The level as settings have it: 31 is 3.1.
    fileprivate var tenths: Int { rawValue / 3 }
}
