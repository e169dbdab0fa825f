// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import TestSupport
import Testing

@testable import BackendSupport
@testable import X264Backend

@Suite struct X264NativeOptionTests {
    @Test(
        "every field of x264_param_t is decided by a setting, by the session or by native options, once",
        .requiresReflection(of: { x264_param_t() }))
    func fields() {
        let layout = StructureLayout(of: x264_param_t())
        #expect(layout.size == MemoryLayout<x264_param_t>.size)
        let offsets = X264Parameters.groups.flatMap(\.fields).map { MemoryLayout<x264_param_t>.offset(of: $0) }
        #expect(Set(offsets).count == offsets.count && !offsets.contains(nil))
        let missing = layout.fields.filter { !offsets.contains($0.offset) }
        #expect(missing.isEmpty, "\(missing.map(\.name))")
    }

    @Test(
        "an option that contradicts a setting is refused with the names of both",
        arguments: [
            NativeOptionRow("crf=40", "AverageBitRate 200000 bit/s") { $0.live.averageBitRate = 200_000 },
            NativeOptionRow("qp=40", "AverageBitRate 200000 bit/s") { $0.live.averageBitRate = 200_000 },
            NativeOptionRow("bitrate=50", "AverageBitRate 200000 bit/s") { $0.live.averageBitRate = 200_000 },
            NativeOptionRow("vbv-maxrate=9000", "AverageBitRate 200000 bit/s") { $0.live.averageBitRate = 200_000 },
            NativeOptionRow("crf=40", "Quality 0.5") { $0.live.quality = 0.5 },
            NativeOptionRow("vbv-bufsize=9000", "DataRateLimits 100000/1.0") {
                $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
            },
            NativeOptionRow("qp=20", "DataRateLimits 100000/1.0") {
                $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
            },
            NativeOptionRow("slices=4", "RealTime true") { $0.realTime = true },
            NativeOptionRow("sliced-threads=1", "RealTime true") { ($0.realTime, $0.threadCount) = (true, 4) },
            NativeOptionRow("force-cfr=0", "RealTime true") { $0.realTime = true },
            NativeOptionRow("8x8dct=0", "ProfileLevel 3.1") { $0.profileLevel.level = 31 },
            NativeOptionRow("level=5.1", "ProfileLevel 3.1") { $0.profileLevel.level = 31 },
            NativeOptionRow("ref=16", "ProfileLevel 1.3") { $0.profileLevel.level = 13 },
            NativeOptionRow("mvrange=512", "ProfileLevel 1.3") { $0.profileLevel.level = 13 },
            NativeOptionRow("slice-max-mbs=2", "ProfileLevel 3.0") { $0.profileLevel.level = 30 },
            NativeOptionRow("vbv-maxrate=90000", "ProfileLevel 3.0") { $0.profileLevel.level = 30 },
            NativeOptionRow("level=5.1", "BitRateCeiling 2000000 bit/s") { $0.bitRateCeiling = 2_000_000 },
            NativeOptionRow("8x8dct=1", "ProfileLevel h264-main-auto") { $0.profileLevel.profile = .h264Main },
            NativeOptionRow("cabac=1", "ProfileLevel h264-baseline-auto") { $0.profileLevel.profile = .h264Baseline },
            NativeOptionRow("qp=0", "ProfileLevel h264-high-auto") { $0.profileLevel.profile = .h264High },
            NativeOptionRow("cabac=0", "H264EntropyMode cabac") { $0.h264EntropyMode = .cabac },
            NativeOptionRow("colorprim=bt2020", "ColorPrimaries 1,1,1") { $0.color = .bt709 },
            NativeOptionRow("fullrange=on", "ColorPrimaries 1,1,1") { $0.color = .bt709 },
            NativeOptionRow("sar=1:1", "PixelAspectRatio 4:3") {
                $0.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
            },
            NativeOptionRow("qpmax=51", "MaxAllowedFrameQP 25 (quantizer)") { $0.live.maxAllowedFrameQP = 25 },
            NativeOptionRow("qpmin=0", "MinAllowedFrameQP 25 (quantizer)") { $0.live.minAllowedFrameQP = 25 },
            NativeOptionRow("keyint=7", "MaxKeyFrameInterval 50 frames") { $0.live.maxKeyFrameInterval = 50 },
            NativeOptionRow("bframes=3", "AllowFrameReordering false") { $0.allowFrameReordering = false },
            NativeOptionRow("threads=4", "ThreadCount 1 threads"),
            NativeOptionRow("fps=60", "ExpectedFrameRate 30 frames per second"),
        ])
    func contradictions(row: NativeOptionRow) {
        let error = row.refusal(by: X264Backend(), .h264)
        #expect(error?.code == .conflictingSettings && error?.setting == .nativeOptions)
        #expect(error?.reason.contains("contradicts \(row.says)") == true, "\(error?.reason ?? "no error")")
    }

    @Test(
        "options that no setting allows are refused with the reason",
        arguments: [
            NativeOptionRow("zones=0,9,q=10", "hold for the whole stream") { $0.live.constantQuantizer = 30 },
            NativeOptionRow("dump-yuv=written.yuv", "no file is read or written"),
            NativeOptionRow("cqmfile=read.cfg", "no file is read or written"),
        ])
    func refused(row: NativeOptionRow) throws {
        let error = try #require(row.refusal(by: X264Backend(), .h264))
        #expect(error.code == .unsupported && error.setting == .nativeOptions)
        #expect(error.reason.contains("is refused") && error.reason.hasSuffix(row.says), "\(error.reason)")
    }

    @Test(
        "a level that an option names, and that the settings or options pass, is refused",
        arguments: [
            NativeOptionRow("level=1.0", "with level 1.0"),
            NativeOptionRow("level=1.3", "pass what it allows") { $0.nativeOptions = [NativeOption("mvrange", "512")] },
            NativeOptionRow("level=1.3", "pass what it allows") { $0.nativeOptions = [NativeOption("ref", "12")] },
            NativeOptionRow("level=1.3", "with level 1.3") { $0.live.averageBitRate = 9_000_000 },
        ])
    func namedLevel(row: NativeOptionRow) throws {
        let error = try #require(row.refusal(by: X264Backend(), .h264))
        #expect(error.setting == .nativeOptions)
        #expect(error.reason.contains("native option \"level\" is refused"), "\(error.reason)")
        #expect(error.reason.contains(row.says), "\(error.reason)")
    }

    @Test(
        "a value that the library does not understand is refused with the option, the value and the form",
        arguments: [
            NativeOptionRow("mastering-display=garbage", "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)"),
            NativeOptionRow("mastering-display=G(1,1)B(1,1)R(1,1)WP(1,1)L(9,1)x", "G(x,y)B(x,y)"),
            NativeOptionRow("cll=70000,4", "2 numbers in 0...65535 with , between"),
            NativeOptionRow("cll=4,4x", "2 numbers in 0...65535 with , between"),
            NativeOptionRow("psy-rd=garbage", "1 or 2 numbers with or without fractions"),
            NativeOptionRow("partitions=p8x8,garbage", "p8x8, p4x4, b8x8, i8x8, i4x4"),
            NativeOptionRow("deblock=1:garbage", "1 or 2 numbers in -6...6"),
            NativeOptionRow("sar=4:3x", "2 numbers in 0..."), NativeOptionRow("cqm=garbage", "flat or jvt"),
            NativeOptionRow("cqm4=1,2,3", "16 numbers in 1...255"), NativeOptionRow("fps=30/1x", "1 or 2 numbers"),
            NativeOptionRow("me=garbage", "dia, hex, umh, esa or tesa"),
            NativeOptionRow("colorprim=garbage", "bt709"), NativeOptionRow("overscan=garbage", "undef, show or crop"),
            NativeOptionRow("level=9.9", "1 of 1.0, 1.1, 1.2"), NativeOptionRow("ref=many", "a whole number"),
            NativeOptionRow("qcomp=many", "a number"),
            NativeOptionRow("aud=maybe", "true or false"),
            NativeOptionRow("ref=4294967297", "finite numbers in -2147483648...2147483647"),
        ])
    func garbage(row: NativeOptionRow) {
        #expect(
            row.isRefusedForValue(by: X264Backend(), .h264), "\(row.refusal(by: X264Backend(), .h264)?.reason ?? "")")
    }

    @Test(
        "values in the form that the library understands are taken",
        arguments: [
            "mastering-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)", "cll=1000,400",
            "psy-rd=1.0:0.2", "psy-rd=1", "partitions=p8x8,i4x4", "partitions=none", "deblock=-1,-1", "deblock=false",
            "no-deblock", "sar=4:3", "cqm=jvt", "cqm4=\(Array(repeating: "16", count: 16).joined(separator: ","))",
            "fps=30", "fps=60/2", "me=umh", "no-psy", "asm=auto",
        ])
    func understood(text: String) throws {
        #expect(NativeOptionRow(text, "").refusal(by: X264Backend(), .h264) == nil)
    }

    @Test(
        "an option that says what a setting says is taken",
        arguments: [
            NativeOptionRow("level=3.1", "") { $0.profileLevel.level = 31 },
            NativeOptionRow("cabac=1", "") { $0.h264EntropyMode = .cabac },
            NativeOptionRow("bitrate=200", "") { $0.live.averageBitRate = 200_000 },
            NativeOptionRow("annexb=1", ""), NativeOptionRow("no-open-gop", ""), NativeOptionRow("threads=1", ""),
            NativeOptionRow("aq-mode=2", "") { $0.live.constantQuantizer = 30 },
            NativeOptionRow("keyint-min=2", "") { $0.live.maxKeyFrameInterval = 10 },
            NativeOptionRow("mvrange=128", "") { $0.profileLevel.level = 13 },
        ])
    func agreement(row: NativeOptionRow) throws {
        #expect(row.refusal(by: X264Backend(), .h264) == nil)
    }

    @Test(
        "what an option decides where nobody asked is listed, and is the value in force",
        arguments: [
            (NativeOptionRow("crf=40", "40.0"), .constantRateFactor),
            (NativeOptionRow("qp=31", "31"), .constantQuantizer),
            (NativeOptionRow("bitrate=90", "90000"), .averageBitRate),
            (NativeOptionRow("level=5.1", "5.1"), .profileLevel),
            (NativeOptionRow("keyint=7", "7"), .maxKeyFrameInterval),
            (NativeOptionRow("colorprim=bt2020", "9,2,2"), .color),
            (NativeOptionRow("sar=4:6", "2:3"), .pixelAspectRatio),
            (NativeOptionRow("qpmax=30", "30"), .maxAllowedFrameQP),
            (NativeOptionRow("no-cabac", "cavlc"), .h264EntropyMode),
        ] as [(NativeOptionRow, Setting)])
    func decided(row: NativeOptionRow, setting: Setting) async throws {
        let outcome = try await row.outcome(setting, of: X264Backend(), .h264)
        #expect(outcome.value == row.says)
        #expect(outcome.adjustments.contains { $0.setting == setting && $0.reason.contains("native option") })
    }

    @Test(
        "an option that the library changes is listed with what is used",
        arguments: [
            NativeOptionRow("ref=99", "aq-mode=2:ref=16") { $0.nativeOptions = [NativeOption("aq-mode", "2")] },
            NativeOptionRow("merange=20", "merange=16"),
        ])
    func clipped(row: NativeOptionRow) async throws {
        #expect(try await row.outcome(.nativeOptions, of: X264Backend(), .h264).value == row.says)
    }

    @Test(
        "a largest quantizer that the library passes for want of CABAC is listed",
        arguments: [
            (10, "ultrafast", nil, "13"), (12, "veryfast", nil, "13"), (12, "medium", nil, "15"),
            (14, "medium", "grain", "17"),
        ] as [(Int, String, String?, String)])
    func largestQuantizer(largest: Int, preset: String, tune: String?, used: String) async throws {
        let row = NativeOptionRow("aq-mode=1", used) {
            $0.live.maxAllowedFrameQP = largest
            ($0.preset, $0.tune) = (preset, tune)
            $0.profileLevel.profile = .h264Baseline
        }
        let outcome = try await row.outcome(.maxAllowedFrameQP, of: X264Backend(), .h264)
        #expect(outcome.value == row.says)
        #expect(outcome.adjustments.contains { $0.setting == .maxAllowedFrameQP && $0.requested == "\(largest)" })
    }
}
