// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265RefusalTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: EncoderError.Code
        let setting: Setting?
        let mentions: String
        let change: @Sendable (inout ResolvedSettings) -> Void

        init(
            _ name: String, _ code: EncoderError.Code, _ setting: Setting?, mentions: String,
            _ change: @escaping @Sendable (inout ResolvedSettings) -> Void
        ) {
            testDescription = name
            self.code = code
            self.setting = setting
            self.mentions = mentions
            self.change = change
        }
    }

    static let rows = [
        Row("an unknown preset", .invalidValue, .preset, mentions: "\"snail\"") { $0.request.preset = "snail" },
        Row("an unknown tune", .invalidValue, .tune, mentions: "\"piano\"") { $0.request.tune = "piano" },
        Row("a side that is odd", .invalidValue, .width, mentions: "65") { $0.picture.codedWidth = 65 },
        Row("a side that is too small", .invalidValue, .height, mentions: "14") { $0.picture.codedHeight = 14 },
        Row("a profile of fewer bits", .conflictingSettings, .profileLevel, mentions: "main") {
            $0.picture.pixelFormat = .i010
            $0.request.profileLevel.profile = .hevcMain
        },
        Row("a buffer with lossless", .conflictingSettings, .dataRateLimits, mentions: "Quality 1.0") {
            $0.live.rate = .init(.quality(1), buffer: BufferModel(peakBitsPerSecond: 100_000, bits: 100_000))
        },
        Row("bounds with lossless", .conflictingSettings, .minAllowedFrameQP, mentions: "10...51") {
            $0.live.rate = .init(.quality(1))
            $0.live.asked.minAllowedFrameQP = 10
        },
        Row("bounds that a constant quantizer leaves", .conflictingSettings, .maxAllowedFrameQP, mentions: "0...31") {
            $0.live.rate = .init(.constantQuantizer(30))
            $0.live.asked.maxAllowedFrameQP = 31
        },
        Row("a buffer of no bits", .invalidValue, .dataRateLimits, mentions: "999 bits") {
            $0.live.rate = .init(.automatic, buffer: BufferModel(peakBitsPerSecond: 100_000, bits: 999))
        },
        Row("a level that does not exist", .invalidValue, .profileLevel, mentions: "level 3.2") { $0.plan.level = 32 },
        Row("a level with a constant quantizer", .conflictingSettings, .profileLevel, mentions: "level 4.1") {
            $0.plan.level = 41
            $0.live.rate = .init(.constantQuantizer(30))
        },
        Row("a ceiling with a constant quantizer", .conflictingSettings, .bitRateCeiling, mentions: "bit-rate ceiling")
        {
            $0.plan.level = 41
            $0.request.bitRateCeiling = 1_000_000
            $0.live.rate = .init(.constantQuantizer(30))
        },
        Row("a level too low for the size", .conflictingSettings, .profileLevel, mentions: "640x360") {
            $0.plan.level = 20
        },
        Row(
            "a level too low for the frame rate", .conflictingSettings, .profileLevel, mentions: "300 frames per second"
        ) {
            $0.plan.level = 30
            $0.plan.frameRate = 300
        },
        Row("a level too low for the bit rate", .conflictingSettings, .profileLevel, mentions: "7000000 bit/s") {
            $0.plan.level = 30
            $0.live.rate = .init(.averageBitRate(7_000_000))
        },
        Row("a high level with a small picture", .conflictingSettings, .profileLevel, mentions: "tree units of 32") {
            $0.plan.level = 50
            $0.picture = PictureFormat(width: 640, height: 16)
        },
        Row("a refresh shorter than the B pictures", .conflictingSettings, .nativeOptions, mentions: "more than the 3")
        {
            $0.request.nativeOptions = [
                NativeOption("bframes", "3"), NativeOption("intra-refresh"), NativeOption("keyint", "3"),
            ]
        },
        Row(
            "key frames by two names", .conflictingSettings, .nativeOptions, mentions: "contradicts MaxKeyFrameInterval"
        ) {
            $0.live.asked.maxKeyFrameInterval = 10
            $0.request.nativeOptions = [NativeOption("--keyint", "250")]
        },
        Row("a number that is none", .invalidValue, .nativeOptions, mentions: "expected finite numbers") {
            $0.request.nativeOptions = [NativeOption("psy-rd", "nan")]
        },
        Row(
            "slices that corrupt memory", .conflictingSettings, .nativeOptions,
            mentions: "\"slices\" with \"2\" contradicts ThreadCount 1 threads: 2 slices, expected 1 without threads"
        ) {
            $0.request.threadCount = 1
            $0.request.nativeOptions = [NativeOption("slices", "2")]
        },
        Row(
            "slices that hang", .conflictingSettings, .nativeOptions,
            mentions: "\"slices\" with \"2\" contradicts native option \"no-wpp\": 2 slices, expected 1"
        ) {
            $0.request.nativeOptions = [NativeOption("no-wpp"), NativeOption("slices", "2")]
        },
        Row(
            "slices that crash", .invalidValue, .nativeOptions,
            mentions: "\"slices\" cannot have the value \"3\": 3 slices, expected 1...2"
        ) {
            $0.request.nativeOptions = [NativeOption("slices", "3")]
        },
        Row("a level by its own name", .unsupported, .nativeOptions, mentions: "use ProfileLevel") {
            $0.request.nativeOptions = [NativeOption("level-idc", "51")]
        },
        Row("an unknown option", .invalidValue, .nativeOptions, mentions: "\"warp\" is unknown to x265") {
            $0.request.nativeOptions = [NativeOption("warp", "9")]
        },
        Row("a value that is none", .invalidValue, .nativeOptions, mentions: "\"ref\" cannot have the value \"many\"") {
            $0.request.nativeOptions = [NativeOption("ref", "many")]
        },
        Row("a value that is missing", .invalidValue, .nativeOptions, mentions: "\"ref\" cannot have the value none") {
            $0.request.nativeOptions = [NativeOption("ref")]
        },
        Row("B pictures against the setting", .conflictingSettings, .nativeOptions, mentions: "\"bframes\" with \"3\"")
        {
            $0.plan.allowFrameReordering = false
            $0.request.nativeOptions = [NativeOption("bframes", "3")]
        },
        Row("tree units above the picture", .invalidValue, .nativeOptions, mentions: "expected at most 16") {
            $0.picture = PictureFormat(width: 32, height: 360)
            $0.request.nativeOptions = [NativeOption("ctu", "64")]
        },
        Row("delay against the limit", .conflictingSettings, .nativeOptions, mentions: "expected at most 3") {
            $0.request.maxFrameDelayCount = 3
            $0.request.nativeOptions = [NativeOption("rc-lookahead", "10")]
        },
        Row("a name with a zero byte", .invalidValue, .nativeOptions, mentions: "zero byte") {
            $0.request.nativeOptions = [NativeOption("ref\0x", "1")]
        },
        Row("options out of range", .invalidValue, .nativeOptions, mentions: "expected a number in 1...6") {
            $0.request.nativeOptions = [NativeOption("rd", "77")]
        },
        Row("a size above all levels that small units allow", .backendFailure, nil, mentions: "18x16384") {
            $0.picture = PictureFormat(width: 18, height: 16384)
        },
    ]

    @Test("what cannot be done is refused with value and reason", arguments: rows)
    func refusals(row: Row) {
        var settings = ResolvedSettings(codec: .hevc, width: 640, height: 360)
        row.change(&settings)
        let error = #expect(throws: EncoderError.self) {
            try X265Backend().openFirst(settings, logger: Logger(label: "test"))
        }
        #expect(error?.code == row.code)
        #expect(error?.setting == row.setting)
        #expect(error?.reason.contains(row.mentions) == true, "\(error?.reason ?? "")")
        // The size is named only where it is at fault.
        #expect(error?.reason.contains("above every level") == row.testDescription.contains("above all levels"))
    }

    @Test(
        "options that need more than a value are refused, however they are spelled",
        arguments: [
            "csv", "--csv", "zones", "analysis-save", "analysis_save", "open-gop", "pass", "fps", "asm", "frame-dup",
            "log-level", "info", "annexb=0", "nalu-file", "lambda-file", "hist-scenecut", "svt", "psnr", "cu-stats",
            "input-res=64x64", "interlace=tff", "field", "total-frames=9", "chunk-start=2", "force-flush=1",
            "copy-pic=0",
            "ctu-info=2", "stats=x", "multi-pass-opt-analysis", "scenecut-aware-qp", "analysis-reuse-level=3",
            "scale-factor=2", "refine-intra=2", "dynamic-refine", "dhdr10-info=x", "dhdr10-opt", "uhd-bd",
            "dolby-vision-profile=5", "vbv-live-multi-pass", "refine-ctu-distortion=1",
        ])
    func refusedNames(text: String) {
        let parts = text.split(separator: "=").map(String.init)
        let error = #expect(throws: EncoderError.self) {
            try X265ParametersTests.parameters {
                $0.request.nativeOptions = [NativeOption(parts[0], parts.count > 1 ? parts[1] : "1")]
            }
        }
        #expect(error?.setting == .nativeOptions)
    }

    @Test(
        "options that only set values, or say what is so anyway, are taken",
        arguments: ["aq-mode", "no-sao", "psy_rd", "--me", "deblock", "pools", "no-open-gop", "no-info", "annexb"])
    func acceptedNames(name: String) throws {
        _ = try X265ParametersTests.parameters { $0.request.nativeOptions = [NativeOption(name, "1")] }
    }

    @Test(
        "values that name files or crash libx265 are refused",
        arguments: [("scaling-list", "list.txt"), ("lookahead-threads", "-2147483648")])
    func harmfulValues(name: String, value: String) {
        #expect(X265Options.refusal(of: NativeOption(name, value)) != nil)
        #expect(X265Options.refusal(of: NativeOption(name, name == "scaling-list" ? "default" : "1")) == nil)
    }

    @Test("a value too long for the library's own buffer is refused")
    func longSearchNames() {
        #expect(X265Options.refusal(of: NativeOption("hme-search", "hex,umh,star")) == nil)
        #expect(X265Options.refusal(of: NativeOption("hme-search", String(repeating: "x", count: 400))) != nil)
    }

    @Test("primaries that the library does not write are refused")
    func color() {
        var configuration = SessionConfiguration(codec: .hevc, width: 640, height: 360)
        configuration.color = ColorDescription(primaries: 22)
        let error = #expect(throws: EncoderError.self) {
            try CompressionSession(configuration, encoder: X265Backend())
        }
        #expect(error?.setting == .color && error?.reason.contains("primaries 1...2, 4...12;") == true)
    }

    @Test("a picture of another size or format is refused")
    func wrongPicture() throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 1)
        let encoder = try X265Backend().openFirst(clip.settings(), logger: Logger(label: "test"))
        let other = try TestClip.scenes(width: 64, height: 80, count: 1).pixelBuffer(0)
        let error = #expect(throws: EncoderError.self) {
            try encoder.encode(SourcePicture(id: 0, pixelBuffer: other, ticks: 0)) { _ in }
        }
        #expect(error?.code == .invalidPixelBuffer)
        #expect(error?.reason.contains("64x80, expected i420 64x64") == true)
    }
}
