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

    /// Refuses settings that no level allows, before a driver is asked: with the least references that a stream has.
    static func check(_ settings: ResolvedSettings) throws(EncoderError) {
        guard settings.plan.level == nil else { return }
        let usual: Profile = settings.request.codec == .h264 ? .h264High : .hevcMain
        let rate = settings.live.rate
        let average = rate.control.bitsPerSecond ?? 0
        _ = try StreamLevel(settings, settings.request.profileLevel.profile ?? usual, referenceFrames: 1)
            .choice(bitsPerSecond: max(average, rate.buffer?.peakBitsPerSecond ?? 0), bufferBits: 0)
    }

    /// Whether a stream of an average may reach a higher rate in the level that is named, or in some level where none
    /// is, and without the High tier where the average does not need that.
    static func allows(bitsPerSecond most: Int, above average: Int, _ settings: ResolvedSettings) -> Bool {
        let usual: Profile = settings.request.codec == .h264 ? .h264High : .hevcMain
        let level = StreamLevel(settings, settings.request.profileLevel.profile ?? usual, referenceFrames: 1)
        if let named = settings.plan.level {
            let bounds = try? level.planner.bounds(level: named, bitsPerSecond: average)
            return bounds.map { most <= $0.bitsPerSecond } ?? false
        }
        let needed = level.lowest(bitsPerSecond: average, bufferBits: 0)
        return level.lowest(bitsPerSecond: most, bufferBits: 0).map { $0.isHighTier == needed?.isHighTier } ?? false
    }

    /// Whether the level that is named has room for so many pictures that a decoder keeps, or where none is, the level
    /// that pictures and frame rate need for fewer.
    static func keeps(_ count: Int, insteadOf fewer: Int, _ settings: ResolvedSettings, _ profile: Profile) -> Bool {
        func lowest(_ count: Int) -> Int? {
            let level = StreamLevel(settings, profile, referenceFrames: count)
            return level.planner.lowest(framesPerSecond: level.framesPerSecond, referenceFrames: count)
        }
        guard let needed = lowest(count), let most = settings.plan.level ?? lowest(fewer) else { return false }
        return needed <= most
    }

    /// No level of HEVC, and none of H.264 that drivers know, which end at 5.2, allows more frames: faster streams get
    /// the level for the most that there may be.
    private var framesPerSecond: Double {
        min(settings.plan.frameRate.framesPerSecond, LevelPlanner.mostFramesPerSecond(profile.codec))
    }

    private var planner: LevelPlanner {
        let size = PictureSize(width: settings.picture.codedWidth, height: settings.picture.codedHeight)
        return LevelPlanner(
            codec: profile.codec, size: size, profile: profile, bitDepth: settings.picture.bitDepth)
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
        let planner = planner
        if let level = settings.plan.level {
            let bounds = try? planner.bounds(level: level, bitsPerSecond: bitsPerSecond)
            return Choice(level: level, isHighTier: bounds?.isHighTier ?? false)
        }
        let framesPerSecond = framesPerSecond
        // The Main tier has a level for most rates, and every decoder takes it.
        let tiers = profile.codec == .hevc ? [false, true] : [false]
        return tiers.lazy.flatMap { isHighTier in
            [bufferBits, 0].lazy.compactMap { bufferBits in
                planner.lowest(
                    framesPerSecond: framesPerSecond, bitsPerSecond: bitsPerSecond, bufferBits: bufferBits,
                    referenceFrames: referenceFrames, isHighTier: isHighTier
                ).map { Choice(level: $0, isHighTier: isHighTier) }
            }
        }.first
    }
}
