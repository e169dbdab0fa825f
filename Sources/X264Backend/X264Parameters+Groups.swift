// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import ParameterSets

extension X264Parameters {
    /// Who decides which fields of `x264_param_t`: every field stands here once.
    static let groups: [ParameterGroup<x264_param_t>] =
        rateGroups + assigned.map(\.group) + streamGroups + sessionGroups + [optionGroup]

    // MARK: - Settings

    /// Settings that are an assignment each.
    static let assigned: [AssignedSetting<x264_param_t>] = [
        AssignedSetting(.allowOpenGOP, [\.b_open_gop]) { $1.b_open_gop = $0.allowOpenGOP ? 1 : 0 },
        AssignedSetting(.sourceFrameCount, [\.i_frame_total]) { request, raw in
            if let count = request.sourceFrameCount { raw.i_frame_total = Int32(clamping: count) }
        },
        AssignedSetting(.maxKeyFrameInterval, \.live.asked.maxKeyFrameInterval, [\.i_keyint_max]) {
            $1.i_keyint_max = Int32(clamping: $0)
        } text: {
            $0.i_keyint_max < X264_KEYINT_MAX_INFINITE ? "\($0.i_keyint_max)" : "infinite"
        },
        AssignedSetting(.h264EntropyMode, \.request.h264EntropyMode, [\.b_cabac]) {
            $1.b_cabac = $0 == .cabac ? 1 : 0
        } text: {
            $0.b_cabac != 0 ? "cabac" : "cavlc"
        },
        AssignedSetting(
            .pixelAspectRatio, \.request.pixelAspectRatio, [\.vui.i_sar_width, \.vui.i_sar_height]
        ) { ratio, raw in
            raw.vui.i_sar_width = Int32(clamping: ratio.horizontalSpacing)
            raw.vui.i_sar_height = Int32(clamping: ratio.verticalSpacing)
        } text: { raw in
            guard raw.vui.i_sar_width > 0, raw.vui.i_sar_height > 0 else { return nil }
            return PixelAspectRatio(
                horizontalSpacing: Int(raw.vui.i_sar_width), verticalSpacing: Int(raw.vui.i_sar_height)
            ).reduced.description
        },
        AssignedSetting(
            .color, \.request.signalledColor,
            [\.vui.b_fullrange, \.vui.i_colorprim, \.vui.i_transfer, \.vui.i_colmatrix]
        ) { color, raw in
            raw.vui.b_fullrange = color.isFullRange ? 1 : 0
            raw.vui.i_colorprim = Int32(clamping: color.primaries)
            raw.vui.i_transfer = Int32(clamping: color.transfer)
            raw.vui.i_colmatrix = Int32(clamping: color.matrix)
        } text: { raw in
            let codes = [raw.vui.i_colorprim, raw.vui.i_transfer, raw.vui.i_colmatrix].map { $0 < 0 ? 2 : $0 }
            guard codes != [2, 2, 2] || raw.vui.b_fullrange == 1 else { return nil }
            return codes.map(String.init).joined(separator: ",") + (raw.vui.b_fullrange == 1 ? ",full" : "")
        },
    ]

    private static let rateGroups: [ParameterGroup<x264_param_t>] = [
        ParameterGroup(
            [\.rc.i_rc_method, \.rc.i_qp_constant, \.rc.i_bitrate, \.rc.f_rf_constant], asked: \.askedRate
        ) { raw, _ in
            switch raw.rc.i_rc_method {
            case X264_RC_CQP: (.constantQuantizer, quantizer(raw.rc.i_qp_constant, raw))
            case X264_RC_CRF: (.constantRateFactor, "\(raw.rc.f_rf_constant)")
            default: ResolvedSettings.average(kilobits: Int(raw.rc.i_bitrate))
            }
        },
        ParameterGroup([\.rc.i_vbv_max_bitrate, \.rc.i_vbv_buffer_size], asked: \.askedBuffer) { raw, _ in
            guard raw.rc.i_vbv_max_bitrate > 0, raw.rc.i_vbv_buffer_size > 0 else { return nil }
            let (rate, size) = (Int(raw.rc.i_vbv_max_bitrate) * 1000, Int(raw.rc.i_vbv_buffer_size) * 1000)
            return (.dataRateLimits, ResolvedSettings.text(bitsPerSecond: rate, bufferBits: size))
        },
        ParameterGroup([\.rc.f_vbv_buffer_init], asked: \.askedBufferStart),
        // How far the quantizers of a rate factor may go matters to limits only.
        ParameterGroup(.dataRateLimits, [\.rc.f_rf_constant_max]),
        ParameterGroup([\.rc.b_filler], asked: \.askedFiller),
        ParameterGroup(.minAllowedFrameQP, [\.rc.i_qp_min]) { quantizer($0.rc.i_qp_min, $0) },
        ParameterGroup(.maxAllowedFrameQP, [\.rc.i_qp_max]) { quantizer($0.rc.i_qp_max, $0) },
        ParameterGroup([\.i_fps_num, \.i_fps_den], asked: { _ in .expectedFrameRate }),
    ]

    private static let streamGroups: [ParameterGroup<x264_param_t>] = [
        ParameterGroup([\.i_level_idc], asked: \.askedLevel) { raw, settings in
            guard raw.i_level_idc > 0 else { return nil }
            let profile = settings.request.profileLevel.profile
            return (.profileLevel, ProfileLevel(profile: profile, level: Int(raw.i_level_idc)).description)
        },
        ParameterGroup(.maxKeyFrameInterval, [\.b_intra_refresh]),
        ParameterGroup([\.i_bframe], asked: \.askedBPictures),
        ParameterGroup([\.rc.i_lookahead, \.i_sync_lookahead], asked: \.askedRealTime),
        ParameterGroup(
            [
                \.i_slice_max_size, \.i_slice_max_mbs, \.i_slice_min_mbs, \.i_slice_count, \.i_slice_count_max,
                \.b_sliced_threads,
            ], asked: \.askedRealTime),
        // To follow timestamps holds a picture.
        ParameterGroup([\.b_vfr_input], asked: \.askedRealTime),
        ParameterGroup(.threadCount, [\.i_threads]) { $0.i_threads > 0 ? "\($0.i_threads)" : nil },
    ]

    /// A quantizer on the scale of eight bits.
    private static func quantizer(_ quantizer: Int32, _ raw: x264_param_t) -> String {
        "\(Int(quantizer) - 6 * (Int(raw.i_bitdepth) - 8))"
    }

    // MARK: - The session

    private static let sessionGroups: [ParameterGroup<x264_param_t>] = [
        ParameterGroup(session: [\.b_annexb], "the framing is the session's"),
        ParameterGroup(session: [\.b_repeat_headers], "the session places the parameter sets"),
        ParameterGroup(session: [\.pf_log, \.p_log_private, \.i_log_level], "messages go to the session's logger"),
        ParameterGroup(
            session: [
                \.i_width, \.i_height, \.crop_rect.i_left, \.crop_rect.i_top, \.crop_rect.i_right, \.crop_rect.i_bottom,
            ], "width and height say what is shown"),
        ParameterGroup(session: [\.i_csp, \.i_bitdepth], "the pixel format is the session's"),
        ParameterGroup(session: [\.i_timebase_num, \.i_timebase_den, \.b_pulldown], "the clock is the session's"),
        ParameterGroup(
            session: [\.b_interlaced, \.b_tff, \.b_fake_interlaced], "only progressive pictures are encoded"),
        ParameterGroup(session: [\.i_avcintra_class, \.i_avcintra_flavor], "it needs 4:2:2 pictures"),
        ParameterGroup(
            session: [\.rc.b_stat_write, \.rc.psz_stat_out, \.rc.b_stat_read, \.rc.psz_stat_in],
            "a session encodes once"),
        ParameterGroup(
            session: [\.psz_cqm_file, \.psz_dump_yuv, \.psz_clbin_file], "no file is read or written"),
        ParameterGroup(
            session: [\.rc.zones, \.rc.i_zones, \.rc.psz_zones], "a session's settings hold for the whole stream"),
        ParameterGroup(
            session: [\.analyse.b_mb_info, \.analyse.b_mb_info_update, \.param_free, \.nalu_process],
            "it needs calls that no session makes"),
    ]

    // MARK: - Native options

    /// What presets and native options decide; `opaque` holds the texts of options.
    private static let optionGroup = ParameterGroup<x264_param_t>(options: [
        \.cpu, \.i_lookahead_threads, \.b_deterministic, \.b_cpu_independent, \.i_nal_hrd,
        \.vui.i_overscan, \.vui.i_vidformat, \.vui.i_chroma_loc, \.i_frame_reference, \.i_dpb_size,
        \.i_keyint_min, \.i_scenecut_threshold, \.i_bframe_adaptive, \.i_bframe_bias, \.i_bframe_pyramid,
        \.b_bluray_compat,
        \.b_deblocking_filter, \.i_deblocking_filter_alphac0, \.i_deblocking_filter_beta, \.i_cabac_init_idc,
        \.b_constrained_intra, \.i_cqm_preset, \.cqm_4iy, \.cqm_4py, \.cqm_4ic, \.cqm_4pc, \.cqm_8iy,
        \.cqm_8py, \.cqm_8ic, \.cqm_8pc, \.b_full_recon, \.analyse.intra, \.analyse.inter,
        \.analyse.b_transform_8x8, \.analyse.i_weighted_pred, \.analyse.b_weighted_bipred, \.analyse.i_direct_mv_pred,
        \.analyse.i_chroma_qp_offset, \.analyse.i_me_method, \.analyse.i_me_range, \.analyse.i_mv_range,
        \.analyse.i_mv_range_thread, \.analyse.i_subpel_refine, \.analyse.b_chroma_me, \.analyse.b_mixed_references,
        \.analyse.i_trellis, \.analyse.b_fast_pskip, \.analyse.b_dct_decimate, \.analyse.i_noise_reduction,
        \.analyse.f_psy_rd, \.analyse.f_psy_trellis, \.analyse.b_psy, \.analyse.i_luma_deadzone.0,
        \.analyse.i_luma_deadzone.1, \.analyse.b_psnr, \.analyse.b_ssim, \.rc.i_qp_step, \.rc.f_rate_tolerance,
        \.rc.f_ip_factor, \.rc.f_pb_factor, \.rc.i_aq_mode, \.rc.f_aq_strength, \.rc.b_mb_tree,
        \.rc.f_qcompress, \.rc.f_qblur, \.rc.f_complexity_blur,
        \.i_frame_packing, \.mastering_display.b_mastering_display, \.mastering_display.i_green_x,
        \.mastering_display.i_green_y, \.mastering_display.i_blue_x, \.mastering_display.i_blue_y,
        \.mastering_display.i_red_x, \.mastering_display.i_red_y, \.mastering_display.i_white_x,
        \.mastering_display.i_white_y, \.mastering_display.i_display_max, \.mastering_display.i_display_min,
        \.content_light_level.b_cll, \.content_light_level.i_max_cll, \.content_light_level.i_max_fall,
        \.i_alternative_transfer, \.b_aud, \.i_sps_id, \.b_pic_struct, \.b_stitchable, \.b_opencl,
        \.i_opencl_device, \.opencl_device_id, \.opaque,
    ])
}
