// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import TestSupport
import Testing

@testable import BackendSupport
@testable import X265Backend

@Suite struct X265NativeOptionTests {
    @Test(
        "every field of x265_param has one owner among settings, session and native options",
        .requiresReflection(of: { x265_param() }))
    func structure() throws {
        let (values, _) = try X265ParametersTests.parameters { _ in }
        let layout = StructureLayout(of: values)
        #expect(layout.size == MemoryLayout<x265_param>.stride)
        let owned = X265Parameters.groups.flatMap(\.fields).compactMap { MemoryLayout<x265_param>.offset(of: $0) }
        #expect(owned.count == Set(owned).count)
        #expect(layout.fields.filter { !owned.contains($0.offset) }.map(\.name) == [])
    }

    static let contradictory = [
        NativeOptionRow("bitrate=50", "AverageBitRate 300000 bit/s") { $0.live.averageBitRate = 300_000 },
        NativeOptionRow("qp=40", "AverageBitRate 300000 bit/s") { $0.live.averageBitRate = 300_000 },
        NativeOptionRow("lossless", "AverageBitRate 300000 bit/s") { $0.live.averageBitRate = 300_000 },
        NativeOptionRow("--crf=20", "ConstantRateFactor 30.0") { $0.live.constantRateFactor = 30 },
        NativeOptionRow("vbv-bufsize=900", "DataRateLimits 50000/1.0") {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 50_000, seconds: 1)]
        },
        NativeOptionRow("wpp", "DataRateLimits 50000/1.0") {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 50_000, seconds: 1)]
        },
        NativeOptionRow("lossless=1", "DataRateLimits 50000/1.0") {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 50_000, seconds: 1)]
        },
        NativeOptionRow("qp=30", "ProfileLevel 3.0") { $0.profileLevel.level = 30 },
        NativeOptionRow("level_idc=51", "ProfileLevel 3.0") { $0.profileLevel.level = 30 },
        NativeOptionRow("high-tier", "ProfileLevel 3.0") { $0.profileLevel.level = 30 },
        NativeOptionRow("colorprim=bt2020", "ColorPrimaries 1,1,1") { $0.color = .bt709 },
        NativeOptionRow("range=full", "ColorPrimaries 1,1,1") { $0.color = .bt709 },
        NativeOptionRow("sar=1:1", "PixelAspectRatio 12:11") {
            $0.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 12, verticalSpacing: 11)
        },
        NativeOptionRow("qpmax=51", "MaxAllowedFrameQP 40 (quantizer)") { $0.live.maxAllowedFrameQP = 40 },
        NativeOptionRow("min-keyint=61", "MaxKeyFrameInterval 60 frames") { $0.live.maxKeyFrameInterval = 60 },
        NativeOptionRow("ctu=16", "ProfileLevel 5.0") { $0.profileLevel.level = 50 },
        NativeOptionRow("max-luma=150", "Quality 1.0") { $0.live.quality = 1 },
        NativeOptionRow("aq-motion=1", "ConstantQuantizer 26 (quantizer)") { $0.live.constantQuantizer = 26 },
        NativeOptionRow("slices=2", "RealTime true") { ($0.realTime, $0.threadCount) = (true, 2) },
        NativeOptionRow("bframes=2", "AllowFrameReordering false") { $0.allowFrameReordering = false },
        NativeOptionRow("pools=4", "ThreadCount 1 threads"),
        NativeOptionRow("frame-threads=2", "ThreadCount 1 threads"),
        NativeOptionRow("fps=60", "ExpectedFrameRate 30 frames per second"),
    ]

    @Test("an option against a setting is refused, and the error names both", arguments: contradictory)
    func refused(row: NativeOptionRow) throws {
        let error = try #require(row.refusal(by: X265Backend(), .hevc))
        #expect((error.code, error.setting) == (.conflictingSettings, .nativeOptions))
        #expect(error.reason.hasSuffix("contradicts \(row.says)"), "\(error.reason)")
    }

    @Test(
        "options that change parameter sets in midstream, spoil them, or change every encoder of the process, are refused",
        arguments: ["opt-qp-pps=1", "opt-ref-list-length-pps=1", "vui-timing-info=0", "lowpass-dct=1"])
    func beyondTheStream(option: String) throws {
        let error = try #require(NativeOptionRow(option, "").refusal(by: X265Backend(), .hevc))
        #expect(error.setting == .nativeOptions && error.reason.contains("is refused"))
    }

    @Test("a least interval between key frames does not contradict the largest")
    func leastInterval() {
        let row = NativeOptionRow("min-keyint=9", "") { $0.live.maxKeyFrameInterval = 60 }
        #expect(row.refusal(by: X265Backend(), .hevc) == nil)
    }

    @Test("where nobody asked, the value of a setting is the one that an option gave")
    func values() async throws {
        let rows: [(NativeOptionRow, Setting)] = [
            (NativeOptionRow("crf=31", "31.0"), .constantRateFactor), (NativeOptionRow("lossless", "1.0"), .quality),
            (NativeOptionRow("qp=33", "33"), .constantQuantizer),
            (NativeOptionRow("bitrate=80", "80000"), .averageBitRate),
            (NativeOptionRow("keyint=9", "9"), .maxKeyFrameInterval),
            (NativeOptionRow("sar=4:3", "4:3"), .pixelAspectRatio),
            (NativeOptionRow("colorprim=bt2020", "9,2,2"), .color),
            (NativeOptionRow("qpmin=20", "20"), .minAllowedFrameQP),
        ]
        for (row, setting) in rows {
            let outcome = try await row.outcome(setting, of: X265Backend(), .hevc)
            #expect(outcome.value == row.says, "\(row)")
            #expect(outcome.adjustments.map(\.setting).contains(setting), "\(row)")
        }
    }

    @Test("what the library makes of an option when it opens is listed")
    func replaced() async throws {
        // A constant quantizer leaves no room for adaptive quantization.
        let row = NativeOptionRow("aq-mode=3", "aq-mode=0") { $0.live.constantQuantizer = 30 }
        #expect(try await row.outcome(.nativeOptions, of: X265Backend(), .hevc).value == row.says)
    }
}
