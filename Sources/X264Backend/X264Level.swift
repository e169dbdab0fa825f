// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import ParameterSets

/// What a level allows (H.264 table A-1): libx264 itself only warns, and writes the level all the same.
enum X264Level {
    /// The largest level the library knows.
    static let largest = 62

    /// Refuses what does not fit the level, or any level where none is asked for.
    static func check(_ settings: ResolvedSettings, buffer: KilobitRate.Buffer?) throws(EncoderError) {
        let (picture, asked) = (settings.picture, settings.plan.level)
        let number = asked ?? largest
        let planner = LevelPlanner(
            codec: .h264, size: PictureSize(width: picture.codedWidth, height: picture.codedHeight),
            profile: settings.request.profileLevel.profile, bitDepth: picture.bitDepth)
        let bounds = try planner.bounds(level: number, bitsPerSecond: nil)
        if settings.plan.isFrameRateKnown { try planner.check(settings.plan.frameRate, level: number, bounds: bounds) }
        guard asked != nil, let buffer else { return }
        guard buffer.maximum * 1000 <= bounds.bitsPerSecond, buffer.size * 1000 <= bounds.bufferBits else {
            throw EncoderError(
                .conflictingSettings,
                reason: "\(buffer.maximum * 1000) bit/s from a buffer of \(buffer.size * 1000) bits with level "
                    + "\(ProfileLevel.name(number)), which allows \(bounds.bitsPerSecond) from \(bounds.bufferBits)",
                setting: .profileLevel)
        }
    }

    /// The largest bit rate and buffer, in units of 1000 bits, of the profile that request and preset lead to.
    static func mostKilobits(_ level: Int, for settings: ResolvedSettings) -> KilobitRate.Buffer? {
        // Without the 8x8 transform, High is not signalled; see X264Encoder.
        let isBaseline = settings.request.preset == "ultrafast" && settings.picture.bitDepth == 8
        let profile = LevelPlanner.h264Profile(
            settings.request.profileLevel.profile, bitDepth: settings.picture.bitDepth)
        return mostKilobits(level, profile: isBaseline ? .main : profile)
    }

    /// Whether a level that is asked for allows the buffer of `parameters`, whose stream native options may have made
    /// Main.
    static func allowsBuffer(of parameters: x264_param_t, _ settings: ResolvedSettings) -> Bool {
        let isHigh = parameters.analyse.b_transform_8x8 != 0 || parameters.i_cqm_preset != X264_CQM_FLAT
        guard let level = settings.plan.level, !isHigh, parameters.i_bitdepth == 8,
            let most = mostKilobits(level, profile: .main)
        else { return true }
        return Int(parameters.rc.i_vbv_max_bitrate) <= most.maximum && Int(parameters.rc.i_vbv_buffer_size) <= most.size
    }

    /// The largest bit rate and buffer of a level for one profile; nil for a level that the table does not have.
    static func mostKilobits(_ level: Int, profile: H264Profile) -> KilobitRate.Buffer? {
        H264Level(rawValue: level).limits.map { limits in
            KilobitRate.Buffer(
                maximum: limits.bitRate * profile.vclFactor / 1000,
                size: limits.codedPictureBuffer * profile.vclFactor / 1000)
        }
    }

    /// Most pictures of a size that the decoder's buffer holds, 1 at least.
    static func mostReferences(_ level: Int, _ picture: PictureFormat) -> Int {
        let size = PictureSize(width: picture.codedWidth, height: picture.codedHeight)
        return max(H264Level(rawValue: level).maxDpbFrames(size) ?? 1, 1)
    }
}
