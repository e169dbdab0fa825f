// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import TestSupport
import Testing

@testable import X264Backend

/// A setting, a parameter of the library, and the value it must get.
struct ParameterRow: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout ResolvedSettings) -> Void
    let read: @Sendable (x264_param_t) -> Int
    let value: Int

    init(
        _ name: String, _ value: Int, _ read: @escaping @Sendable (x264_param_t) -> Int,
        _ change: @escaping @Sendable (inout ResolvedSettings) -> Void
    ) {
        self.name = name
        self.change = change
        self.read = read
        self.value = value
    }

    var testDescription: String { name }

    static let rows = [
        ParameterRow("width", 640, { Int($0.i_width) }) { _ in },
        ParameterRow("height", 360, { Int($0.i_height) }) { _ in },
        ParameterRow("bit depth", 10, { Int($0.i_bitdepth) }) {
            $0.picture.pixelFormat = .i010
        },
        ParameterRow("crop right", 2, { Int($0.crop_rect.i_right) }) {
            $0.picture = PictureFormat(width: 637, height: 360, codedWidth: 640)
        },
        ParameterRow("crop bottom", 0, { Int($0.crop_rect.i_bottom) }) {
            $0.picture = PictureFormat(width: 640, height: 359)
        },
        ParameterRow("preset", 3, { Int($0.i_frame_reference) }) { _ in },
        ParameterRow("preset named", 16, { Int($0.i_frame_reference) }) { $0.request.preset = "veryslow" },
        ParameterRow("tune", 0, { Int($0.analyse.b_psy) }) { $0.request.tune = "psnr" },
        ParameterRow("real-time preset", 2, { Int($0.analyse.i_subpel_refine) }) { $0.request.realTime = true },
        ParameterRow("default interval", 250, { Int($0.i_keyint_max) }) { _ in },
        ParameterRow("interval", 48, { Int($0.i_keyint_max) }) { $0.live.asked.maxKeyFrameInterval = 48 },
        ParameterRow("closed GOP", 0, { Int($0.b_open_gop) }) { _ in },
        ParameterRow("open GOP", 1, { Int($0.b_open_gop) }) { $0.request.allowOpenGOP = true },
        ParameterRow("no intra refresh", 0, { Int($0.b_intra_refresh) }) { _ in },
        ParameterRow("B pictures", 3, { Int($0.i_bframe) }) { _ in },
        ParameterRow("no reordering", 0, { Int($0.i_bframe) }) { $0.plan.allowFrameReordering = false },
        ParameterRow("frame total", 77, { Int($0.i_frame_total) }) { $0.request.sourceFrameCount = 77 },
        ParameterRow("threads by default", 0, { Int($0.i_threads) }) { _ in },
        ParameterRow("threads", 3, { Int($0.i_threads) }) { $0.request.threadCount = 3 },
        ParameterRow("rate numerator", 30000, { Int($0.i_fps_num) }) { $0.plan.frameRate = 29.97 },
        ParameterRow("rate denominator", 1001, { Int($0.i_fps_den) }) { $0.plan.frameRate = 29.97 },
        ParameterRow("timebase", 90000, { Int($0.i_timebase_den) }) { $0.plan.timescale = 90000 },
        ParameterRow("timestamps", 1, { Int($0.b_vfr_input) }) { _ in },
        ParameterRow("CRF by default", Int(X264_RC_CRF), { Int($0.rc.i_rc_method) }) { _ in },
        ParameterRow("factor by default", 23, { Int($0.rc.f_rf_constant) }) { _ in },
        ParameterRow("factor", 31, { Int($0.rc.f_rf_constant) }) { $0.live.rate = .init(.constantRateFactor(31)) },
        ParameterRow("quantizer method", Int(X264_RC_CQP), { Int($0.rc.i_rc_method) }) {
            $0.live.rate = .init(.constantQuantizer(31))
        },
        ParameterRow("quantizer", 31, { Int($0.rc.i_qp_constant) }) { $0.live.rate = .init(.constantQuantizer(31)) },
        ParameterRow("quantizer at ten bits", 43, { Int($0.rc.i_qp_constant) }) {
            $0.live.rate = .init(.constantQuantizer(31))
            $0.picture.pixelFormat = .i010
        },
        ParameterRow("smallest quantizer", 12, { Int($0.rc.i_qp_min) }) { $0.live.asked.minAllowedFrameQP = 12 },
        ParameterRow("largest quantizer", 40, { Int($0.rc.i_qp_max) }) { $0.live.asked.maxAllowedFrameQP = 40 },
        ParameterRow("largest quantizer at ten bits", 52, { Int($0.rc.i_qp_max) }) {
            $0.live.asked.maxAllowedFrameQP = 40
            $0.picture.pixelFormat = .i010
        },
        ParameterRow("average", 1234, { Int($0.rc.i_bitrate) }) { $0.live.rate = .init(.averageBitRate(1_234_567)) },
        ParameterRow("no buffer", 0, { Int($0.rc.i_vbv_buffer_size) }) {
            $0.live.rate = .init(.averageBitRate(1_234_567))
        },
        ParameterRow("peak", 1999, { Int($0.rc.i_vbv_max_bitrate) }) { $0.live.rate = buffered },
        ParameterRow("buffer", 2999, { Int($0.rc.i_vbv_buffer_size) }) { $0.live.rate = buffered },
        ParameterRow("fullness", 25, { Int($0.rc.f_vbv_buffer_init * 100) }) {
            $0.live.rate = buffered
            $0.position.bufferFullness = 0.25
        },
        ParameterRow("no HRD", Int(X264_NAL_HRD_NONE), { Int($0.i_nal_hrd) }) { $0.live.rate = buffered },
        ParameterRow("level by default", -1, { Int($0.i_level_idc) }) { _ in },
        ParameterRow("level", 40, { Int($0.i_level_idc) }) { $0.plan.level = 40 },
        ParameterRow("references in a level", 8, { Int($0.i_frame_reference) }) {
            $0.plan.level = 30
            $0.request.preset = "veryslow"
        },
        ParameterRow("Baseline has no B pictures", 0, { Int($0.i_bframe) }) {
            $0.request.profileLevel.profile = .h264Baseline
        },
        ParameterRow("Baseline has no CABAC", 0, { Int($0.b_cabac) }) {
            $0.request.profileLevel.profile = .h264ConstrainedBaseline
        },
        ParameterRow("Main has no 8x8 transform", 0, { Int($0.analyse.b_transform_8x8) }) {
            $0.request.profileLevel.profile = .h264Main
        },
        ParameterRow("High has", 1, { Int($0.analyse.b_transform_8x8) }) {
            $0.request.profileLevel.profile = .h264High
        },
        ParameterRow("Constrained High has no B", 0, { Int($0.i_bframe) }) {
            $0.request.profileLevel.profile = .h264ConstrainedHigh
        },
        ParameterRow("CAVLC", 0, { Int($0.b_cabac) }) { $0.request.h264EntropyMode = .cavlc },
        ParameterRow("CABAC", 1, { Int($0.b_cabac) }) {
            $0.request.h264EntropyMode = .cabac
            $0.request.preset = "ultrafast"
        },
        ParameterRow("aspect width", 4, { Int($0.vui.i_sar_width) }) {
            $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        },
        ParameterRow("aspect height", 3, { Int($0.vui.i_sar_height) }) {
            $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        },
        ParameterRow("primaries", 9, { Int($0.vui.i_colorprim) }) { $0.request.color = .bt2100PQ },
        ParameterRow("transfer", 16, { Int($0.vui.i_transfer) }) { $0.request.color = .bt2100PQ },
        ParameterRow("matrix", 9, { Int($0.vui.i_colmatrix) }) { $0.request.color = .bt2100PQ },
        ParameterRow("full range", 1, { Int($0.vui.b_fullrange) }) {
            $0.request.color = ColorDescription(isFullRange: true)
        },
        ParameterRow("limited range", 0, { Int($0.vui.b_fullrange) }) { $0.request.color = .bt709 },
        ParameterRow("start codes", 1, { Int($0.b_annexb) }) { _ in },
        ParameterRow("repeated headers", 1, { Int($0.b_repeat_headers) }) { _ in },
        ParameterRow("native option", 20, { Int($0.analyse.i_me_range) }) {
            $0.request.nativeOptions = [NativeOption("me_range", "20")]
        },
        ParameterRow("native options come last", 7, { Int($0.i_keyint_max) }) {
            $0.request.preset = "fast"
            $0.request.nativeOptions = [NativeOption("keyint", "7")]
        },
    ]

    private static let buffered = LiveParameters.Rate(
        .averageBitRate(1_000_000),
        buffer: BufferModel(peakBitsPerSecond: 1_999_999, bits: 2_999_999))
}

/// Settings that are refused, with a word of the reason and the setting it names.
struct RefusalRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let setting: Setting?
    let change: @Sendable (inout ResolvedSettings) -> Void

    init(_ reason: String, _ setting: Setting?, _ change: @escaping @Sendable (inout ResolvedSettings) -> Void) {
        testDescription = reason
        self.setting = setting
        self.change = change
    }

    static let rows = [
        RefusalRow("preset \"quick\"", .preset) { $0.request.preset = "quick" },
        RefusalRow("tune \"film,grain\"", .tune) { $0.request.tune = "film,grain" },
        RefusalRow("tune \"\"", .tune) { $0.request.tune = "" },
        RefusalRow("10-bit", .profileLevel) {
            $0.request.profileLevel.profile = .h264High
            $0.picture.pixelFormat = .i010
        },
        RefusalRow("hevc-main", .profileLevel) { $0.request.profileLevel.profile = .hevcMain },
        RefusalRow("lossless", .profileLevel) {
            $0.request.profileLevel.profile = .h264High
            $0.live.rate = .init(.constantQuantizer(0))
        },
        RefusalRow("lossless", .profileLevel) {
            $0.request.profileLevel.profile = .h264Main
            $0.live.rate = .init(.constantRateFactor(0.5))
        },
        RefusalRow("data-rate limit", .dataRateLimits) {
            $0.live.rate = .init(
                .constantQuantizer(20), buffer: BufferModel(peakBitsPerSecond: 1_000_000, bits: 1_000_000))
        },
        RefusalRow("bounds", .minAllowedFrameQP) {
            $0.live.rate = .init(.constantQuantizer(20))
            $0.live.asked.minAllowedFrameQP = 10
        },
        RefusalRow("average bit rate 999", .averageBitRate) { $0.live.rate = .init(.averageBitRate(999)) },
        RefusalRow("500 bits", .dataRateLimits) {
            $0.live.rate = .init(.automatic, buffer: BufferModel(peakBitsPerSecond: 1_000_000, bits: 500))
        },
        RefusalRow("level 1.1, which allows 396", .profileLevel) { $0.plan.level = 11 },
        RefusalRow("level 9.9", .profileLevel) { $0.plan.level = 99 },
        RefusalRow("60 frames per second with level 3.0", .profileLevel) {
            $0.plan.level = 30
            $0.plan.frameRate = 60
        },
        RefusalRow("bits with level 3.0, which allows 12500000", .profileLevel) {
            $0.plan.level = 30
            $0.live.rate = .init(
                .averageBitRate(5_000_000), buffer: BufferModel(peakBitsPerSecond: 13_000_000, bits: 5_000_000))
        },
        RefusalRow("\"bogus\" is unknown", .nativeOptions) { $0.request.nativeOptions = [NativeOption("bogus", "1")] },
        RefusalRow("\"crf\" cannot have the value \"high\"", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("crf", "high")]
        },
        RefusalRow("\"ref\" cannot have the value none", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("ref")]
        },
        RefusalRow("\"asm\" with \"2147483647\" asks for instructions", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("asm", "2147483647")]
        },
        RefusalRow("\"no-annexb\" is refused", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("no-annexb")]
        },
        RefusalRow("\"repeat_headers\" is refused", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("repeat_headers", "0")]
        },
        RefusalRow("\"intra_refresh\" with \"1\" contradicts MaxKeyFrameInterval 50 frames", .nativeOptions) {
            $0.live.asked.maxKeyFrameInterval = 50
            $0.request.nativeOptions = [NativeOption("intra_refresh", "1")]
        },
        RefusalRow("\"pass\" is refused: a session encodes once", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("pass", "1")]
        },
        RefusalRow("\"stats\" is refused: a session encodes once", .nativeOptions) {
            $0.request.nativeOptions = [NativeOption("stats", "x.log")]
        },
        RefusalRow("use AllowOpenGOP", .nativeOptions) { $0.request.nativeOptions = [NativeOption("open-gop")] },
        RefusalRow("finite numbers", .nativeOptions) { $0.request.nativeOptions = [NativeOption("qcomp", "-inf")] },
        RefusalRow("\"bframes\" with \"3\" contradicts AllowFrameReordering false", .nativeOptions) {
            $0.plan.allowFrameReordering = false
            $0.request.nativeOptions = [NativeOption("bframes", "3")]
        },
        RefusalRow("zero byte", .nativeOptions) { $0.request.nativeOptions = [NativeOption("crf\0x", "20")] },
        RefusalRow("frame rate", .expectedFrameRate) { $0.plan.frameRate = 0 },
        RefusalRow("timescale 0", .timescale) { $0.plan.timescale = 0 },
    ]
}

@Suite struct X264ParametersTests {
    private static let settings = ResolvedSettings(codec: .h264, width: 640, height: 360)

    @Test("each setting becomes its parameter", arguments: ParameterRow.rows)
    func parameter(row: ParameterRow) throws {
        let parameters = try X264Parameters(Self.settings.with(row.change), processorCount: 4)
        #expect(row.read(parameters.raw) == row.value)
    }

    @Test("what the library would take otherwise is refused by name", arguments: RefusalRow.rows)
    func refusal(row: RefusalRow) {
        let error = #expect(throws: EncoderError.self) {
            try X264Parameters(Self.settings.with(row.change), processorCount: 4)
        }
        #expect(error?.setting == row.setting)
        #expect(error?.reason.contains(row.testDescription) == true, "\(error?.reason ?? "")")
    }

    @Test("the library takes every preset and tune, and the values are its own", arguments: X264Family.presets)
    func names(preset: String) throws {
        for tune in X264Names.tunes {
            let parameters = try X264Parameters(
                Self.settings.with {
                    $0.request.preset = preset
                    $0.request.tune = tune
                })
            var expected = x264_param_t()
            #expect(x264_param_default_preset(&expected, preset, tune) == 0)
            #expect(parameters.raw.analyse.i_subpel_refine == expected.analyse.i_subpel_refine)
            #expect(parameters.raw.i_bframe == expected.i_bframe)
            #expect(parameters.raw.rc.i_lookahead == expected.rc.i_lookahead)
            #expect(parameters.raw.rc.b_mb_tree == expected.rc.b_mb_tree)
            #expect(parameters.raw.b_sliced_threads == expected.b_sliced_threads)
            #expect(parameters.raw.i_sync_lookahead == expected.i_sync_lookahead)
        }
    }

    @Test(
        "colors that no 4:2:0 stream of the library's can have are refused",
        arguments: [
            ColorDescription(primaries: 3), .init(primaries: 22), .init(transfer: 0), .init(matrix: 3),
            .init(matrix: 0),
        ])
    func color(color: ColorDescription) throws {
        var configuration = SessionConfiguration(codec: .h264, width: 640, height: 360)
        configuration.color = color
        let error = #expect(throws: EncoderError.self) {
            try CompressionSession(configuration, encoder: X264Backend())
        }
        #expect(error?.setting == .color)
    }
}
