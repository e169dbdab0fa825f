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

    /// Most rows of luma samples that a motion vector may go up or down (`MaxVmvR`, table A-1); nil for a level that
    /// the table does not have.
    static func mostVerticalMotion(_ level: Int) -> Int32? {
        switch level {
        case 9...10: 64
        case 11...20: 128
        case 21...30: 256
        case 31...52: 512
        case 60...62: 8192
        default: nil
        }
    }

    /// Whether a level that is asked for allows the slices of `parameters`: from level 3 on their number in a second is
    /// bounded (A.3.3, `SliceRate` in table A-4).
    static func allowsSlices(of parameters: x264_param_t, _ settings: ResolvedSettings) -> Bool {
        guard let level = settings.plan.level, let rate = macroblocksPerSlice(level),
            let limits = H264Level(rawValue: level).limits
        else { return true }
        let (width, height) = ((Int(parameters.i_width) + 15) / 16, (Int(parameters.i_height) + 15) / 16)
        let most = Int(
            Double(limits.macroblocksPerSecond) / settings.plan.frameRate.framesPerSecond / Double(rate))
        var slices = max(Int(parameters.i_slice_count), 1)
        if parameters.i_slice_max_mbs > 0 {
            slices = max(
                slices, (width * height + Int(parameters.i_slice_max_mbs) - 1) / Int(parameters.i_slice_max_mbs))
        }
        return slices <= max(most, 1)
    }

    /// Refuses a level that native options name and that they, or the settings, pass.
    ///
    /// - Parameters:
    ///   - parameters: After all native options.
    ///   - settings: Those that name no level.
    ///   - isBroken: Whether parameters break settings that name one.
    /// - Throws: ``EncoderError`` that names the option.
    static func checkOption(
        in parameters: x264_param_t, _ settings: ResolvedSettings, isBroken: (ResolvedSettings) -> Bool
    ) throws(EncoderError) {
        guard settings.plan.level == nil, parameters.i_level_idc > 0,
            let option = settings.request.nativeOptions.last(where: { $0.canonicalName.hasPrefix("level") })
        else { return }
        let level = Int(parameters.i_level_idc)
        var named = settings
        named.plan.level = level
        named.request.profileLevel.level = level
        var buffer: KilobitRate.Buffer?
        let rate = max(
            Int(parameters.rc.i_vbv_max_bitrate),
            parameters.rc.i_rc_method == X264_RC_ABR ? Int(parameters.rc.i_bitrate) : 0)
        if rate > 0 { buffer = KilobitRate.Buffer(maximum: rate, size: Int(parameters.rc.i_vbv_buffer_size)) }
        do throws(EncoderError) {
            try check(named, buffer: buffer)
        } catch {
            throw option.refusal(error.reason)
        }
        guard !isBroken(named) else {
            throw option.refusal(
                "the preset or other options pass what it allows; ProfileLevel brings a preset within a level")
        }
    }

    private static func macroblocksPerSlice(_ level: Int) -> Int? {
        switch level {
        case 30: 22
        case 31...40: 60
        case 41...62: 24
        default: nil
        }
    }
}
