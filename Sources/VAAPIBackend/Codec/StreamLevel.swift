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

    /// Refuses settings that no level allows, before a driver is asked: with the least references that a stream has.
    static func check(_ settings: ResolvedSettings) throws(EncoderError) {
        guard settings.plan.level == nil else { return }
        let usual: Profile = settings.request.codec == .h264 ? .h264High : .hevcMain
        let rate = settings.live.rate
        var average = 0
        if case .averageBitRate(let asked) = rate.control { average = asked }
        _ = try StreamLevel(settings, settings.request.profileLevel.profile ?? usual, referenceFrames: 1)
            .level(bitsPerSecond: max(average, rate.buffer?.peakBitsPerSecond ?? 0), bufferBits: 0)
    }

    /// The lowest level for all of it, or else for all but the buffer, in tenths.
    ///
    /// - Throws: ``EncoderError`` that names what no level allows.
    func level(bitsPerSecond: Int, bufferBits: Int) throws(EncoderError) -> Int {
        if let level = lowest(bitsPerSecond: bitsPerSecond, bufferBits: bufferBits) { return level }
        throw EncoderError(
            .invalidValue,
            reason:
                "no \(profile.codec) level allows \(settings.picture.codedWidth)x\(settings.picture.codedHeight) at "
                + "\(settings.plan.frameRate) frames per second and \(bitsPerSecond) bit/s",
            setting: bitsPerSecond > 0 ? .averageBitRate : .profileLevel)
    }

    /// The same; nil where there is none.
    func lowest(bitsPerSecond: Int, bufferBits: Int) -> Int? {
        let (width, height) = (settings.picture.codedWidth, settings.picture.codedHeight)
        let framesPerSecond = settings.plan.frameRate.framesPerSecond
        return [bufferBits, 0].lazy.compactMap { bufferBits in
            switch profile.codec {
            case .h264:
                H264Level.lowest(
                    width: width, height: height, framesPerSecond: min(framesPerSecond, 172),
                    bitsPerSecond: bitsPerSecond, bufferBits: bufferBits,
                    profile: profile == .h264High || profile == .h264ConstrainedHigh ? .high : .main,
                    dpbFrames: referenceFrames
                ).map { $0 == .level1b ? 11 : $0.rawValue }
            case .hevc:
                HEVCLevel.lowest(
                    width: width, height: height, framesPerSecond: min(framesPerSecond, 300),
                    bitsPerSecond: bitsPerSecond, bufferBits: bufferBits, dpbFrames: referenceFrames + 1
                ).map { $0.rawValue / 3 }
            }
        }.first
    }
}
