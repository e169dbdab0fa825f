// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI

/// One row of tables A.8 and A.9 of H.265: what a level allows.
struct X265Level {
    /// In tenths: 31 is 3.1.
    let number: Int
    /// MaxLumaPs.
    let lumaSamples: Int
    /// MaxLumaSr.
    let lumaSamplesPerSecond: Int
    /// MaxBR of the Main tier in kbit/s; MaxCPB in kbit is the same number except at level 1.
    let mainKilobits: Int
    /// The same of the High tier; nil below level 4, which has none.
    let highKilobits: Int?

    static let all = [
        X265Level(10, 36864, 552_960, 128, nil),
        X265Level(20, 122_880, 3_686_400, 1500, nil),
        X265Level(21, 245_760, 7_372_800, 3000, nil),
        X265Level(30, 552_960, 16_588_800, 6000, nil),
        X265Level(31, 983_040, 33_177_600, 10000, nil),
        X265Level(40, 2_228_224, 66_846_720, 12000, 30000),
        X265Level(41, 2_228_224, 133_693_440, 20000, 50000),
        X265Level(50, 8_912_896, 267_386_880, 25000, 100_000),
        X265Level(51, 8_912_896, 534_773_760, 40000, 160_000),
        X265Level(52, 8_912_896, 1_069_547_520, 60000, 240_000),
        X265Level(60, 35_651_584, 1_069_547_520, 60000, 240_000),
        X265Level(61, 35_651_584, 2_139_095_040, 120_000, 480_000),
        X265Level(62, 35_651_584, 4_278_190_080, 240_000, 800_000),
    ]

    /// MaxCPB of the Main tier in kbit.
    var mainBufferKilobits: Int { number == 10 ? 350 : mainKilobits }

    private init(
        _ number: Int, _ lumaSamples: Int, _ lumaSamplesPerSecond: Int, _ mainKilobits: Int, _ highKilobits: Int?
    ) {
        self.number = number
        self.lumaSamples = lumaSamples
        self.lumaSamplesPerSecond = lumaSamplesPerSecond
        self.mainKilobits = mainKilobits
        self.highKilobits = highKilobits
    }

    /// Whether a picture fits: its samples, and each side within the root of eight times as many (A.4.1).
    func allows(width: Int, height: Int) -> Bool {
        width * height <= lumaSamples && max(width, height) * max(width, height) <= lumaSamples * 8
    }
}

extension X265Parameters {
    /// Sets the level, in the Main tier unless the bit rate needs the High one, and refuses what libx265 would answer with NULL or by quietly lowering a bit rate.
    static func assignLevel(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        guard let number = settings.level else { return [] }
        let name = "level \(number / 10).\(number % 10)"
        guard let level = X265Level.all.first(where: { $0.number == number }) else {
            throw refusal("\(name), expected one of \(X265Level.all.map(\.number)) in tenths", .invalidValue)
        }
        guard !hasFixedQuantizers(parameters) else {
            throw refusal("\(name) with \(settings.rate.control): libx265 cannot promise its bit rate")
        }
        try checkSize(settings, level, name, parameters)
        let needed = max(parameters.rc.bitrate, parameters.rc.vbvMaxBitrate, 0)
        let buffer = parameters.rc.vbvBufferSize
        let fitsMain = Int(needed) <= level.mainKilobits && Int(buffer) <= level.mainBufferKilobits
        guard fitsMain || max(Int(needed), Int(buffer)) <= level.highKilobits ?? 0 else {
            throw refusal(
                "\(needed) kbit/s and a buffer of \(buffer) kbit at \(name), expected at most "
                    + "\(level.highKilobits ?? level.mainKilobits)")
        }
        parameters.levelIdc = Int32(number)
        parameters.bHighTier = fitsMain ? 0 : 1
        return []
    }

    private static func checkSize(
        _ settings: ResolvedSettings, _ level: X265Level, _ name: String, _ parameters: x265_param
    ) throws(EncoderError) {
        // libx265 goes by the size in whole coding units.
        let unit = Int(parameters.minCUSize)
        let width = (Int(parameters.sourceWidth) + unit - 1) / unit * unit
        let height = (Int(parameters.sourceHeight) + unit - 1) / unit * unit
        guard level.allows(width: width, height: height) else {
            throw refusal("\(width)x\(height) at \(name), expected at most \(level.lumaSamples) luma samples")
        }
        let perSecond = Double(width * height) * settings.frameRate.framesPerSecond
        guard perSecond <= Double(level.lumaSamplesPerSecond) else {
            throw refusal(
                "\(width)x\(height) at \(settings.frameRate) fps and \(name), expected at most "
                    + "\(level.lumaSamplesPerSecond) luma samples per second")
        }
        guard number(level, allowsUnit: parameters.maxCUSize) else {
            throw refusal(
                "\(width)x\(height) at \(name), which asks for coding tree units of 32 and sides of 32 or more")
        }
    }

    // A.4.1: CtbSizeY is 32 or 64 from level 5 on.
    private static func number(_ level: X265Level, allowsUnit unit: UInt32) -> Bool { level.number < 50 || unit >= 32 }

    private static func refusal(
        _ reason: String, _ code: EncoderError.Code = .conflictingSettings
    ) -> EncoderError {
        EncoderError(code, reason: reason, setting: .profileLevel)
    }
}
