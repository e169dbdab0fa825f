// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

/// Chooses a stream's level where nobody names one: pure.
struct StreamLevel {
    private let settings: ResolvedSettings
    private let profile: Profile
    private let referenceFrames: Int

    init(_ settings: ResolvedSettings, _ profile: Profile, referenceFrames: Int) {
        (self.settings, self.profile, self.referenceFrames) = (settings, profile, referenceFrames)
    }

    /// A level in its tier.
    struct Choice: Sendable, Hashable {
        /// In tenths.
        var level: Int
        /// Whether it is HEVC's High tier.
        var isHighTier = false
    }

    /// Most frames per second of any size, in HEVC's levels and in H.264's up to 5.2, the last one that drivers know.
    ///
    /// HEVC A.4.2 and H.264 A.3.1; faster streams get the level for so many.
    static func mostFramesPerSecond(_ codec: VideoCodec) -> Double { codec == .h264 ? 172 : 300 }

    /// Refuses settings that no level allows, before a driver is asked: with the least references that a stream has.
    static func check(_ settings: ResolvedSettings) throws(EncoderError) {
        guard settings.plan.level == nil else { return }
        let usual: Profile = settings.request.codec == .h264 ? .h264High : .hevcMain
        let rate = settings.live.rate
        let average = rate.control.bitsPerSecond ?? 0
        _ = try StreamLevel(settings, settings.request.profileLevel.profile ?? usual, referenceFrames: 1)
            .choice(bitsPerSecond: max(average, rate.buffer?.peakBitsPerSecond ?? 0), bufferBits: 0)
    }

    /// The level that is named, in the tier that the bit rate needs; else the lowest for all of it, or for all but the
    /// buffer.
    ///
    /// - Throws: ``EncoderError`` that names what no level allows.
    func choice(bitsPerSecond: Int, bufferBits: Int) throws(EncoderError) -> Choice {
        if let choice = lowest(bitsPerSecond: bitsPerSecond, bufferBits: bufferBits) { return choice }
        throw EncoderError(
            .invalidValue,
            reason:
                "no \(profile.codec) level allows \(settings.picture.codedWidth)x\(settings.picture.codedHeight) at "
                + "\(settings.plan.frameRate) frames per second and \(bitsPerSecond) bit/s",
            setting: bitsPerSecond > 0 ? .averageBitRate : .profileLevel)
    }

    /// The lowest level that allows the stream; nil where there is none.
    func lowest(bitsPerSecond: Int, bufferBits: Int) -> Choice? {
        if let level = settings.plan.level {
            let main = profile.codec == .hevc ? HEVCLevel(rawValue: level * 3).limits() : nil
            return Choice(level: level, isHighTier: main.map { bitsPerSecond > $0.bitRate * 1000 } ?? false)
        }
        // The Main tier has a level for most rates, and every decoder takes it.
        let tiers = profile.codec == .hevc ? [false, true] : [false]
        return tiers.lazy.flatMap { isHighTier in
            [bufferBits, 0].lazy.compactMap { bufferBits in
                lowest(bitsPerSecond: bitsPerSecond, bufferBits: bufferBits, isHighTier: isHighTier)
            }
        }.first
    }

    private func lowest(bitsPerSecond: Int, bufferBits: Int, isHighTier: Bool) -> Choice? {
        let (width, height) = (settings.picture.codedWidth, settings.picture.codedHeight)
        let framesPerSecond = min(settings.plan.frameRate.framesPerSecond, Self.mostFramesPerSecond(profile.codec))
        switch profile.codec {
        case .h264:
            return H264Level.lowest(
                width: width, height: height, framesPerSecond: framesPerSecond, bitsPerSecond: bitsPerSecond,
                bufferBits: bufferBits,
                profile: profile == .h264High || profile == .h264ConstrainedHigh ? .high : .main,
                dpbFrames: referenceFrames
            ).map { Choice(level: $0 == .level1b ? 11 : $0.rawValue) }
        case .hevc:
            return HEVCLevel.lowest(
                width: width, height: height, framesPerSecond: framesPerSecond, bitsPerSecond: bitsPerSecond,
                bufferBits: bufferBits, isHighTier: isHighTier, dpbFrames: referenceFrames + 1
            ).map { Choice(level: $0.rawValue / 3, isHighTier: isHighTier) }
        }
    }
}
