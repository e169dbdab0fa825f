// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import EncoderConformance
import ParameterSets
import SoftVAHarness
import TestSupport
import Testing

/// Settings, and the parameters of the library that say the same.
struct IdentityRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var width = 176
    var height = 144
    var frameRate: FrameRate = 30
    let content: SyntheticVideo.Content
    let change: @Sendable (inout ResolvedSettings) -> Void
    let raw: @Sendable (inout SEncParamExt) -> Void

    init(
        _ name: String, _ content: SyntheticVideo.Content = .calm,
        ours change: @escaping @Sendable (inout ResolvedSettings) -> Void = { _ in },
        theirs raw: @escaping @Sendable (inout SEncParamExt) -> Void = { _ in }
    ) {
        testDescription = name
        self.content = content
        self.change = change
        self.raw = raw
    }

    /// With an average of so many bit/s.
    static func average(
        _ name: String, _ rate: Int, _ content: SyntheticVideo.Content = .busy,
        ours change: @escaping @Sendable (inout ResolvedSettings) -> Void = { _ in },
        theirs raw: @escaping @Sendable (inout SEncParamExt) -> Void = { _ in }
    ) -> IdentityRow {
        IdentityRow(name, content) { settings in
            settings.live.rate = .init(.averageBitRate(rate))
            change(&settings)
        } theirs: { parameters in
            parameters.iRCMode = RC_BITRATE_MODE
            (parameters.iMinQp, parameters.iMaxQp) = (12, 51)
            parameters.bEnableFrameSkip = false
            parameters.iTargetBitrate = Int32(rate)
            parameters.sSpatialLayers.0.iSpatialBitrate = Int32(rate)
            raw(&parameters)
        }
    }

    func with(width: Int, height: Int, frameRate: FrameRate = 30) -> IdentityRow {
        var row = self
        (row.width, row.height, row.frameRate) = (width, height, frameRate)
        return row
    }

    private static func slices(_ count: UInt16) -> @Sendable (inout SEncParamExt) -> Void {
        {
            $0.iMultipleThreadIdc = count
            $0.bUseLoadBalancing = false
            $0.sSpatialLayers.0.sSliceArgument.uiSliceMode = SM_FIXEDSLCNUM_SLICE
            $0.sSpatialLayers.0.sSliceArgument.uiSliceNum = UInt32(count)
        }
    }

    private static let rates = [
        average("average", 300_000),
        average("average of calm pictures", 80_000, .calm),
        average("average at 12.5", 300_000).with(
            width: 176, height: 144, frameRate: FrameRate(numerator: 25, denominator: 2)),
        average("average of a large picture", 2_000_000, .calm).with(width: 1280, height: 720),
        average("bounds and average", 300_000) {
            $0.live.asked.minAllowedFrameQP = 24
            $0.live.asked.maxAllowedFrameQP = 30
        } theirs: {
            ($0.iMinQp, $0.iMaxQp) = (24, 30)
        },
        average("drops", 60_000) {
            $0.request.realTime = true
        } theirs: {
            $0.bEnableFrameSkip = true
        },
        average("two threads and average", 300_000) {
            $0.request.threadCount = 2
        } theirs: {
            slices(2)(&$0)
        },
        IdentityRow("quantizer 35") {
            $0.live.rate = .init(.constantQuantizer(35))
        } theirs: {
            $0.sSpatialLayers.0.iDLayerQp = 35
        },
        IdentityRow("quantizer bounds") {
            $0.live.asked.minAllowedFrameQP = 31
        } theirs: {
            $0.sSpatialLayers.0.iDLayerQp = 31
        },
    ]

    private static let streams = [
        IdentityRow("CABAC") {
            $0.request.h264EntropyMode = .cabac
        } theirs: {
            $0.iEntropyCodingModeFlag = 1
            $0.sSpatialLayers.0.uiProfileIdc = PRO_MAIN
        },
        IdentityRow("High") {
            $0.request.profileLevel.profile = .h264High
        } theirs: {
            $0.iEntropyCodingModeFlag = 1
            $0.sSpatialLayers.0.uiProfileIdc = PRO_HIGH
        },
        IdentityRow("High with CAVLC") {
            $0.request.profileLevel.profile = .h264High
            $0.request.h264EntropyMode = .cavlc
        } theirs: {
            $0.sSpatialLayers.0.uiProfileIdc = PRO_HIGH
        },
        IdentityRow("level 4.1") {
            $0.plan.level = 41
        } theirs: {
            $0.sSpatialLayers.0.uiLevelIdc = LEVEL_4_1
        },
        IdentityRow("color") {
            $0.request.color = .bt2100PQ
        } theirs: {
            $0.sSpatialLayers.0.bVideoSignalTypePresent = true
            $0.sSpatialLayers.0.bColorDescriptionPresent = true
            $0.sSpatialLayers.0.uiColorPrimaries = 9
            $0.sSpatialLayers.0.uiTransferCharacteristics = 16
            $0.sSpatialLayers.0.uiColorMatrix = 9
        },
        IdentityRow("aspect ratio") {
            $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 16, verticalSpacing: 11)
        } theirs: {
            $0.sSpatialLayers.0.bAspectRatioPresent = true
            $0.sSpatialLayers.0.eAspectRatio = ASP_EXT_SAR
            $0.sSpatialLayers.0.sAspectRatioExtWidth = 16
            $0.sSpatialLayers.0.sAspectRatioExtHeight = 11
        },
    ]

    static let rows =
        rates + streams + [
            IdentityRow("no wish"),
            IdentityRow("no wish, busy", .busy),
            IdentityRow("a size that is no multiple of 16").with(width: 66, height: 50),
            IdentityRow("medium", .busy) {
                $0.request.preset = "medium"
            } theirs: {
                $0.iComplexityMode = MEDIUM_COMPLEXITY
            },
            IdentityRow("high", .busy) {
                $0.request.preset = "high"
            } theirs: {
                $0.iComplexityMode = HIGH_COMPLEXITY
            },
            IdentityRow("interval 7") {
                $0.live.asked.maxKeyFrameInterval = 7
            } theirs: {
                $0.uiIntraPeriod = 7
            },
            IdentityRow("two threads", .busy) {
                $0.request.threadCount = 2
            } theirs: {
                slices(2)(&$0)
            },
            IdentityRow("four threads", .busy) {
                $0.request.threadCount = 9
            } theirs: {
                slices(4)(&$0)
            },
        ]
}

@Suite(.requiresOpenH264)
struct OpenH264IdentityTests {
    private static let count = 45

    @Test("NAL units are those of the library driven directly", .inTurn(), arguments: IdentityRow.rows)
    func units(row: IdentityRow) throws {
        let settings = ResolvedSettings.small(
            width: row.width, height: row.height, frameRate: row.frameRate, row.change)
        let run = try EncoderDriver(settings, row.content)
        try run.encode(Self.count, forcing: [20])
        let direct = try Self.direct(settings, row.raw)
        let video = SyntheticVideo(settings, row.content)
        for index in 0..<Self.count {
            if index == 20 { direct.force() }
            let seconds = Double(index) / settings.plan.frameRate.framesPerSecond
            try direct.encode(try video.picture(at: index), milliseconds: Int(seconds * 1000))
        }
        Self.expectSame(run.units, direct.stream)
    }

    @Test("after live changes too")
    func liveChanges() throws {
        let settings = ResolvedSettings.small { $0.live.rate = .init(.averageBitRate(300_000)) }
        let run = try EncoderDriver(settings, .busy)
        let direct = try Self.direct(settings, IdentityRow.average("", 300_000).raw)
        let video = SyntheticVideo(settings, .busy)
        for index in 0..<60 {
            if index == 20 {
                #expect(
                    try run.update {
                        $0.rate = .init(.averageBitRate(150_000))
                        $0.pace = 15
                        $0.asked.maxKeyFrameInterval = 25
                    } == .fromNextPicture)
                direct.set(ENCODER_OPTION_FRAME_RATE, Float(15))
                direct.set(ENCODER_OPTION_BITRATE, SBitrateInfo(iLayer: SPATIAL_LAYER_ALL, iBitrate: 150_000))
                direct.set(ENCODER_OPTION_IDR_INTERVAL, Int32(25))
            }
            try run.encode(1)
            try direct.encode(try video.picture(at: index), milliseconds: index * 1000 / 30)
        }
        Self.expectSame(run.units, direct.stream)
        #expect(run.keyFrames == [0, 25, 50])
    }

    @Test(
        "FFmpeg and the library's own decoder show the same", .requiresProgram(.ffmpeg),
        arguments: Sample.of(IdentityRow.rows, least: 8) { ["\($0.width)x\($0.height)", "\($0.content)"] })
    func sampledDecoders(row: IdentityRow) async throws {
        let settings = ResolvedSettings.small(
            width: row.width, height: row.height, frameRate: row.frameRate, row.change)
        let run = try EncoderDriver(settings, row.content)
        try run.encode(Self.count, forcing: [20])
        let stream = AnnexB.join(run.units)
        let output = try await ExternalProgram.ffmpeg.run(
            [
                "-v", "warning", "-xerror", "-err_detect", "explode", "-f", "h264", "-i", "-", "-fps_mode",
                "passthrough", "-f", "rawvideo", "-pix_fmt",
                "yuv420p", "-",
            ], input: stream)
        #expect(output.standardError == "")
        let coded = run.output.count
        #expect(output.standardOutput.count == coded * row.width * row.height * 3 / 2)
        var (size, state) = (0, Int32(0))
        let shown = try #require(openh264_decode(stream, stream.count, &size, &state))
        defer { shown.deallocate() }
        #expect(output.standardOutput == [UInt8](UnsafeBufferPointer(start: shown, count: size)))
    }

    private static func direct(
        _ settings: ResolvedSettings, _ change: (inout SEncParamExt) -> Void
    ) throws -> DirectEncoder {
        try DirectEncoder {
            ($0.iPicWidth, $0.iPicHeight) = (Int32(settings.picture.codedWidth), Int32(settings.picture.codedHeight))
            $0.fMaxFrameRate = Float(settings.plan.frameRate.framesPerSecond)
            $0.iRCMode = RC_OFF_MODE
            $0.eSpsPpsIdStrategy = CONSTANT_ID
            $0.bEnableSceneChangeDetect = false
            ($0.sSpatialLayers.0.iVideoWidth, $0.sSpatialLayers.0.iVideoHeight) = ($0.iPicWidth, $0.iPicHeight)
            $0.sSpatialLayers.0.fFrameRate = $0.fMaxFrameRate
            change(&$0)
        }
    }

    private static func expectSame(_ ours: [[UInt8]], _ stream: [UInt8]) {
        let theirs = AnnexB.nalUnitRanges(in: stream).map { range in
            var unit = Array(stream[range])
            // constraint_set3_flag, which the library sets where level 1b would do, whatever level it writes.
            if (try? H264NALUnitHeader(nalUnit: unit))?.type == .sps { unit[2] &= ~16 }
            return unit
        }
        #expect(ours.count == theirs.count)
        #expect(zip(ours, theirs).enumerated().first { $1.0 != $1.1 }?.offset == nil, "first different unit")
    }
}
