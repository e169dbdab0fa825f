// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport

/// Settings in libx264's terms: every assignment the back end makes, in the order of the `x264` program.
///
/// That order is preset and tune, then settings. The restrictions of the profile come before native options, which may
/// not pass them. What nobody asked for keeps the program's default. Nothing is opened here, and the library logs
/// nothing.
final class X264Parameters {
    /// What the library opens; owns strings that native options set.
    var raw = x264_param_t()
    /// Where the values differ from the settings.
    private(set) var adjustments: [Adjustment] = []
    /// Rate control as written into ``raw``.
    let rate: X264Rate
    /// Whether the session keeps data-rate limits.
    let hasLimits: Bool
    /// What native options changed.
    private var comparison: ParameterComparison<x264_param_t>?

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
        let request = settings.request
        rate = try X264Rate(settings).opening(framesPerSecond: settings.plan.frameRate.framesPerSecond)
        hasLimits = !settings.live.asked.dataRateLimits.isEmpty
        try X264Names.check(preset: request.preset, tune: request.tune)
        let preset = request.preset ?? (request.realTime ? Self.realTimePreset : nil)
        guard x264_param_default_preset(&raw, preset, request.tune) == 0 else {
            throw EncoderError(.backendFailure, reason: "x264_param_default_preset failed", setting: .preset)
        }
        for setting in Self.assigned { setting.assign(settings, &raw) }
        try setPicture(settings)
        try setTiming(settings.plan)
        rate.apply(to: &raw)
        if rate.buffer != nil { raw.rc.f_vbv_buffer_init = Float(min(max(settings.position.bufferFullness, 0), 1)) }
        setQuantizerBounds(settings.live.asked, bitDepth: settings.picture.bitDepth)
        try setLevel(settings)
        // Start codes and repeated parameter sets count in rate control, so they are as in the program, but for
        // sessions with limits. Only where libx264 repeats parameter sets does it write its note of its version and
        // options as well, some 750 bytes in the first picture, which leave no session. A limit over a short time
        // allows little more: the first picture then got 40 bytes, and the guess of what sync frames take stayed wrong
        // for seconds (measured on 0.164 with 60 kbit/s).
        raw.b_annexb = 1
        raw.b_repeat_headers = settings.repeatsHeaders ? 1 : 0
        var latency = X264Latency(preset: raw)
        adjustments += latency.plan(
            settings, untuned: try Self.untunedLatency(preset), processorCount: processorCount)
        latency.apply(to: &raw)
        try applyProfile(settings)
        comparison = try X264Options.apply(to: &raw, settings)
        X264Repeatability.apply(to: &raw, options: request.nativeOptions)
        // Measured on 0.164: one pass gives the same bytes whatever number of frames is announced.
        adjustments += .noPlan(request, reason: "x264 plans with the number of frames in a second pass only")
    }

    deinit {
        x264_param_cleanup(&raw)
    }

    /// What a preset holds without a tune.
    private static func untunedLatency(_ preset: String?) throws(EncoderError) -> X264Latency {
        var parameters = x264_param_t()
        defer { x264_param_cleanup(&parameters) }
        guard x264_param_default_preset(&parameters, preset, nil) == 0 else {
            throw EncoderError(.backendFailure, reason: "x264_param_default_preset failed", setting: .preset)
        }
        return X264Latency(preset: parameters)
    }

    /// Where values differ from the settings in an open library that made `parameters` of ``raw``.
    func adjustments(inForce parameters: x264_param_t) -> [Adjustment] {
        adjustments + (comparison?.adjustments(inForce: parameters, of: "x264") ?? [])
    }

    // MARK: - Settings

    private func setPicture(_ settings: ResolvedSettings) throws(EncoderError) {
        let picture = settings.picture
        guard settings.request.codec == .h264 else {
            throw EncoderError(.unsupported, reason: "x264 encodes H.264, not \(settings.request.codec)")
        }
        raw.i_width = Int32(clamping: picture.codedWidth)
        raw.i_height = Int32(clamping: picture.codedHeight)
        raw.i_csp = X264_CSP_I420
        raw.i_bitdepth = Int32(clamping: picture.bitDepth)
        raw.crop_rect.i_right = Int32(clamping: picture.cropRight)
        raw.crop_rect.i_bottom = Int32(clamping: picture.cropBottom)
    }

    private func setTiming(_ plan: EncodingPlan) throws(EncoderError) {
        guard plan.timescale > 0 else {
            throw EncoderError(
                .invalidValue, reason: "timescale \(plan.timescale), expected 1 or more", setting: .timescale)
        }
        (raw.i_fps_num, raw.i_fps_den) = try plan.frameRateTerms()
        raw.i_timebase_num = 1
        raw.i_timebase_den = UInt32(plan.timescale)
    }

    private func setQuantizerBounds(_ asked: LiveSettings, bitDepth: Int) {
        let offset = 6 * (bitDepth - 8)
        if let minimum = asked.minAllowedFrameQP { raw.rc.i_qp_min = Int32(clamping: minimum + offset) }
        if let maximum = asked.maxAllowedFrameQP { raw.rc.i_qp_max = Int32(clamping: maximum + offset) }
    }

    private func setLevel(_ settings: ResolvedSettings) throws(EncoderError) {
        try X264Level.check(settings, buffer: rate.buffer)
        guard let asked = settings.plan.level else { return }
        raw.i_level_idc = Int32(clamping: asked)
        let most = X264Level.mostReferences(asked, settings.picture)
        guard Self.restrictReferences(&raw, to: most, settings.plan) else { return }
        guard let preset = settings.request.preset else { return }
        adjustments.append(
            Adjustment(
                .preset, requested: preset, used: "\(preset) within \(most) reference pictures",
                reason: "level \(ProfileLevel.name(asked)) allows no more at this size"))
    }

    /// Leaves as many reference pictures as the decoder's buffer holds; whether there were more.
    private static func restrictReferences(_ raw: inout x264_param_t, to most: Int, _ plan: EncodingPlan) -> Bool {
        let wanted = Int(raw.i_frame_reference)
        // A pyramid of B pictures takes four pictures of the decoder's buffer, B pictures without one two.
        let takesPyramid = raw.i_bframe_pyramid != X264_B_PYRAMID_NONE && plan.allowFrameReordering
        guard wanted > most || (takesPyramid && most < 4) else { return false }
        raw.i_frame_reference = Int32(min(wanted, most))
        if most < 4 { raw.i_bframe_pyramid = X264_B_PYRAMID_NONE }
        if most < 2 { raw.i_bframe = 0 }
        return true
    }

    /// Takes away what the level does not allow.
    static func restrictToLevel(_ raw: inout x264_param_t, _ settings: ResolvedSettings) {
        guard let level = settings.plan.level else { return }
        let most = X264Level.mostReferences(level, settings.picture)
        _ = restrictReferences(&raw, to: most, settings.plan)
        raw.i_dpb_size = min(raw.i_dpb_size, Int32(most))
        // libx264 takes the level's own range where none is set, and never less than 32.
        if let range = X264Level.mostVerticalMotion(level) {
            raw.analyse.i_mv_range = min(raw.analyse.i_mv_range, range)
        }
    }

    // MARK: - Profile

    private func applyProfile(_ settings: ResolvedSettings) throws(EncoderError) {
        guard let profile = settings.request.profileLevel.profile else { return }
        guard let name = X264Names.profile(profile), settings.picture.bitDepth <= profile.maxBitDepth else {
            throw EncoderError(
                .conflictingSettings, reason: "profile \(profile.name) with \(settings.picture.bitDepth)-bit pictures",
                setting: .profileLevel)
        }
        guard !Self.isLossless(raw) else {
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

    /// Whether every quantizer is fixed beforehand, so that nothing can hold bits or quantizers within bounds.
    static func hasFixedQuantizers(_ raw: x264_param_t) -> Bool {
        raw.rc.i_rc_method == X264_RC_CQP || isLossless(raw)
    }

    /// Whether the library will code losslessly: it takes the whole number below the rate factor.
    static func isLossless(_ raw: x264_param_t) -> Bool {
        switch raw.rc.i_rc_method {
        case X264_RC_CQP: raw.rc.i_qp_constant <= 0
        case X264_RC_CRF: Int(raw.rc.f_rf_constant) + 6 * (Int(raw.i_bitdepth) - 8) <= 0
        default: false
        }
    }
}
