// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI

/// Settings in libx264's terms: every assignment the back end makes, in the order of the `x264` program.
///
/// That order is preset and tune, then settings, then native options, then the restrictions of the profile. What nobody
/// asked for keeps the program's default. Nothing is opened here, and the library logs nothing.
final class X264Parameters {
    /// What the library opens; owns strings that native options set.
    var raw = x264_param_t()
    /// Where the values differ from the settings.
    private(set) var adjustments: [Adjustment] = []
    /// Rate control as written into ``raw``.
    let rate: X264Rate

    /// The preset of real-time sessions that name none.
    static let realTimePreset = "veryfast"

    /// Maps `settings`.
    ///
    /// - Parameters:
    ///   - settings: Values of a session, for 4:2:0 pictures.
    ///   - processorCount: Processors that threads may be planned for.
    /// - Throws: ``EncoderError`` that names the value that the library cannot take.
    init(
        _ settings: ResolvedSettings, processorCount: Int = X264Latency.processorCount
    ) throws(EncoderError) {
        rate = try X264Rate(settings)
        try X264Names.check(preset: settings.preset, tune: settings.tune)
        let preset = settings.preset ?? (settings.realTime ? Self.realTimePreset : nil)
        guard x264_param_default_preset(&raw, preset, settings.tune) == 0 else {
            throw EncoderError(.backendFailure, reason: "x264_param_default_preset failed", setting: .preset)
        }
        try setPicture(settings)
        setGroupsOfPictures(settings)
        try setTiming(settings)
        rate.apply(to: &raw)
        setQuantizerBounds(settings)
        try setLevel(settings)
        try setSignal(settings)
        if let entropyMode = settings.entropyMode { raw.b_cabac = entropyMode == .cabac ? 1 : 0 }
        // Start codes and repeated parameter sets count in rate control, so they are as in the program.
        raw.b_annexb = 1
        raw.b_repeat_headers = 1
        var latency = X264Latency(preset: raw)
        adjustments += latency.plan(settings, processorCount: processorCount)
        latency.apply(to: &raw)
        try X264Options.apply(settings.nativeOptions, to: &raw)
        notePlan(settings)
        // The program does the same; it changes something only in the first of two passes.
        if preset != "placebo" { x264_param_apply_fastfirstpass(&raw) }
        try applyProfile(settings)
        guard settings.allowFrameReordering || raw.i_bframe == 0 else {
            throw EncoderError(
                .conflictingSettings, reason: "\(raw.i_bframe) B pictures where frames must not be reordered",
                setting: .allowFrameReordering)
        }
    }

    deinit {
        x264_param_cleanup(&raw)
    }

    // MARK: - Settings

    private func setPicture(_ settings: ResolvedSettings) throws(EncoderError) {
        guard settings.codec == .h264, settings.bitDepth == settings.pixelFormat.bitDepth else {
            throw EncoderError(
                .unsupported,
                reason: "\(settings.codec) at \(settings.bitDepth) bits from \(settings.pixelFormat) with x264")
        }
        raw.i_width = Int32(clamping: settings.codedWidth)
        raw.i_height = Int32(clamping: settings.codedHeight)
        raw.i_csp = X264_CSP_I420
        raw.i_bitdepth = Int32(clamping: settings.bitDepth)
        raw.crop_rect.i_right = Int32(clamping: settings.cropRight)
        raw.crop_rect.i_bottom = Int32(clamping: settings.cropBottom)
        raw.i_frame_total = Int32(clamping: settings.sourceFrameCount)
    }

    /// Measured on 0.164: one pass gives the same bytes whatever number of frames is announced.
    private func notePlan(_ settings: ResolvedSettings) {
        guard settings.sourceFrameCount > 0, raw.rc.b_stat_read == 0 else { return }
        adjustments.append(
            Adjustment(
                .sourceFrameCount, requested: "\(settings.sourceFrameCount)", used: "no plan",
                reason: "x264 plans with the number of frames in a second pass only"))
    }

    private func setGroupsOfPictures(_ settings: ResolvedSettings) {
        if settings.maxKeyFrameInterval > 0 { raw.i_keyint_max = Int32(clamping: settings.maxKeyFrameInterval) }
        raw.b_open_gop = settings.allowOpenGOP ? 1 : 0
    }

    private func setTiming(_ settings: ResolvedSettings) throws(EncoderError) {
        guard let numerator = UInt32(exactly: settings.frameRate.numerator), numerator > 0,
            let denominator = UInt32(exactly: settings.frameRate.denominator), denominator > 0
        else {
            throw EncoderError(
                .invalidValue, reason: "frame rate \(settings.frameRate), expected 32-bit terms",
                setting: .expectedFrameRate)
        }
        guard settings.timescale > 0 else {
            throw EncoderError(
                .invalidValue, reason: "timescale \(settings.timescale), expected 1 or more", setting: .timescale)
        }
        raw.i_fps_num = numerator
        raw.i_fps_den = denominator
        raw.i_timebase_num = 1
        raw.i_timebase_den = UInt32(settings.timescale)
    }

    private func setQuantizerBounds(_ settings: ResolvedSettings) {
        let offset = 6 * (settings.bitDepth - 8)
        if let minimum = settings.minQP { raw.rc.i_qp_min = Int32(clamping: minimum + offset) }
        if let maximum = settings.maxQP { raw.rc.i_qp_max = Int32(clamping: maximum + offset) }
    }

    private func setLevel(_ settings: ResolvedSettings) throws(EncoderError) {
        let level = try X264Level(settings.level ?? X264Level.largest)
        try level.check(settings, buffer: settings.level == nil ? nil : rate.buffer)
        guard let asked = settings.level else { return }
        raw.i_level_idc = Int32(clamping: asked)
        let most = level.mostReferences(width: settings.codedWidth, height: settings.codedHeight)
        let wanted = Int(raw.i_frame_reference)
        // A pyramid of B pictures takes four pictures of the decoder's buffer, B pictures without one two.
        let takesPyramid = raw.i_bframe_pyramid != X264_B_PYRAMID_NONE && settings.allowFrameReordering
        guard wanted > most || (takesPyramid && most < 4) else { return }
        raw.i_frame_reference = Int32(min(wanted, most))
        if most < 4 { raw.i_bframe_pyramid = X264_B_PYRAMID_NONE }
        if most < 2 { raw.i_bframe = 0 }
        guard let preset = settings.preset else { return }
        adjustments.append(
            Adjustment(
                .preset, requested: preset, used: "\(preset) within \(most) reference pictures",
                reason: "level \(asked / 10).\(asked % 10) allows no more at this size"))
    }

    // MARK: - Profile

    private func applyProfile(_ settings: ResolvedSettings) throws(EncoderError) {
        guard let profile = settings.profile else { return }
        guard let name = X264Names.profile(profile), settings.bitDepth <= profile.maxBitDepth else {
            throw EncoderError(
                .conflictingSettings, reason: "profile \(profile.name) with \(settings.bitDepth)-bit \(settings.codec)",
                setting: .profileLevel)
        }
        if settings.entropyMode == .cabac, !profile.allowsCABAC {
            throw EncoderError(
                .conflictingSettings, reason: "CABAC with profile \(profile.name), which has only CAVLC",
                setting: .h264EntropyMode)
        }
        guard !isLossless else {
            throw EncoderError(
                .conflictingSettings,
                reason: "profile \(profile.name) with quantizer or rate factor 0, which is lossless in x264 and needs "
                    + "the automatic profile", setting: .profileLevel)
        }
        guard x264_param_apply_profile(&raw, name) == 0 else {
            throw EncoderError(
                .conflictingSettings, reason: "x264 cannot apply profile \(name)", setting: .profileLevel)
        }
    }

    /// Whether the library will code losslessly: it takes the whole number below the rate factor.
    private var isLossless: Bool {
        switch raw.rc.i_rc_method {
        case X264_RC_CQP: raw.rc.i_qp_constant <= 0
        case X264_RC_CRF: Int(raw.rc.f_rf_constant) + 6 * (Int(raw.i_bitdepth) - 8) <= 0
        default: false
        }
    }
}

extension X264Parameters {
    /// Signals what the samples mean.
    private func setSignal(_ settings: ResolvedSettings) throws(EncoderError) {
        if let ratio = settings.pixelAspectRatio {
            raw.vui.i_sar_width = Int32(clamping: ratio.horizontalSpacing)
            raw.vui.i_sar_height = Int32(clamping: ratio.verticalSpacing)
        }
        guard let color = settings.color else { return }
        try color.check(largestPrimaries: ColorDescription.libraryPrimaries)
        raw.vui.b_fullrange = color.isFullRange ? 1 : 0
        raw.vui.i_colorprim = Int32(color.primaries)
        raw.vui.i_transfer = Int32(color.transfer)
        raw.vui.i_colmatrix = Int32(color.matrix)
    }
}
