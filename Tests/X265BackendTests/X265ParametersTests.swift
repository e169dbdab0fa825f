// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265ParametersTests {
    /// Parameters as given to libx265 for settings of 640x360.
    static func parameters(
        width: Int = 640, height: Int = 360, _ change: (inout ResolvedSettings) -> Void
    ) throws -> (values: x265_param, adjustments: [Adjustment]) {
        var settings = ResolvedSettings(codec: .hevc, width: width, height: height, frameRate: 25)
        change(&settings)
        let setup = try X265Setup(settings, library: X265Library(bitDepth: settings.picture.bitDepth))
        return (setup.parameters.pointer.pointee, setup.adjustments + X265Parameters.keyFramesBeyondLimits(settings))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout ResolvedSettings) -> Void
        /// Field name, value expected, value of unset settings.
        let fields: @Sendable (x265_param) -> [Double]
        let expected: [Double]
        let unset: [Double]

        init(
            _ name: String, _ change: @escaping @Sendable (inout ResolvedSettings) -> Void,
            _ fields: @escaping @Sendable (x265_param) -> [Double], _ expected: [Double], unset: [Double]
        ) {
            testDescription = name
            self.change = change
            self.fields = fields
            self.expected = expected
            self.unset = unset
        }
    }

    static let rows = [
        Row("preset", { $0.request.preset = "slow" }, { [Double($0.rdLevel)] }, [4], unset: [3]),
        Row("tune", { $0.request.tune = "psnr" }, { [$0.psyRd] }, [0], unset: [2]),
        Row(
            "constant rate factor", { $0.live.rate = .init(.constantRateFactor(20.5)) },
            { [Double($0.rc.rateControlMode), $0.rc.rfConstant] }, [2, 20.5], unset: [2, 28]),
        Row(
            "constant quantizer", { $0.live.rate = .init(.constantQuantizer(31)) },
            { [Double($0.rc.rateControlMode), Double($0.rc.qp)] }, [1, 31], unset: [2, 32]),
        Row(
            "average bit rate", { $0.live.rate = .init(.averageBitRate(1_500_000)) },
            { [Double($0.rc.rateControlMode), Double($0.rc.bitrate)] }, [0, 1500], unset: [2, 0]),
        Row(
            "buffer model",
            {
                $0.live.rate = .init(
                    .automatic,
                    buffer: BufferModel(peakBitsPerSecond: 2_000_999, bits: 500_999))
                $0.position.bufferFullness = 0.4
            },
            { [Double($0.rc.vbvMaxBitrate), Double($0.rc.vbvBufferSize), $0.rc.vbvBufferInit] }, [2000, 500, 0.4],
            unset: [0, 0, 0.9]),
        Row(
            "a limit under a rate factor",
            { $0.live.rate = .init(.automatic, buffer: BufferModel(peakBitsPerSecond: 2_000_000, bits: 500_000)) },
            { [Double($0.bEnableWavefront)] }, [0], unset: [1]),
        Row("half quality", { $0.live.rate = .init(.quality(0.5)) }, { [$0.rc.rfConstant] }, [28], unset: [28]),
        Row("high quality", { $0.live.rate = .init(.quality(0.75)) }, { [$0.rc.rfConstant] }, [16.5], unset: [28]),
        Row("no quality", { $0.live.rate = .init(.quality(0)) }, { [$0.rc.rfConstant] }, [51], unset: [28]),
        Row("full quality", { $0.live.rate = .init(.quality(1)) }, { [Double($0.bLossless)] }, [1], unset: [0]),
        Row(
            "smallest quantizer", { $0.live.asked.minAllowedFrameQP = 12 }, { [Double($0.rc.qpMin)] }, [12], unset: [0]),
        Row(
            "largest quantizer", { $0.live.asked.maxAllowedFrameQP = 40 }, { [Double($0.rc.qpMax)] }, [40], unset: [69]),
        Row("interval", { $0.live.asked.maxKeyFrameInterval = 48 }, { [Double($0.keyframeMax)] }, [48], unset: [250]),
        Row("every frame", { $0.live.asked.maxKeyFrameInterval = 1 }, { [Double($0.keyframeMax)] }, [1], unset: [250]),
        Row(
            "every frame with a profile",
            {
                $0.live.asked.maxKeyFrameInterval = 1
                $0.request.profileLevel.profile = .hevcMain
            },
            { [Double($0.keyframeMax), Double($0.bframes), Double($0.lookaheadDepth)] }, [2, 0, 0],
            unset: [250, 4, 20]),
        Row("no reordering", { $0.plan.allowFrameReordering = false }, { [Double($0.bframes)] }, [0], unset: [4]),
        Row("open GOP", { $0.request.allowOpenGOP = true }, { [Double($0.bOpenGOP)] }, [1], unset: [0]),
        Row("one source frame", { $0.request.sourceFrameCount = 1 }, { [Double($0.totalFrames)] }, [0], unset: [0]),
        Row("source frames", { $0.request.sourceFrameCount = 99 }, { [Double($0.totalFrames)] }, [99], unset: [0]),
        Row(
            "frame rate", { $0.plan.frameRate = 29.97 }, { [Double($0.fpsNum), Double($0.fpsDenom)] }, [30000, 1001],
            unset: [25, 1]),
        Row(
            "no delay", { $0.request.maxFrameDelayCount = 0 },
            { [Double($0.bframes), Double($0.lookaheadDepth), Double($0.frameNumThreads)] }, [0, 0, 1],
            unset: [4, 20, 0]),
        Row(
            "real time", { $0.request.realTime = true },
            { [Double($0.bframes), Double($0.lookaheadDepth), Double($0.frameNumThreads), Double($0.rdLevel)] },
            [0, 0, 1, 2], unset: [4, 20, 0, 3]),
        Row(
            "real time with a preset",
            {
                $0.request.realTime = true
                $0.request.preset = "medium"
            }, { [Double($0.bframes), Double($0.lookaheadDepth), Double($0.frameNumThreads), Double($0.rdLevel)] },
            [0, 0, 1, 3], unset: [4, 20, 0, 3]),
        Row(
            "real time with a tune",
            {
                $0.request.realTime = true
                $0.request.tune = "psnr"
            }, { [Double($0.lookaheadDepth), $0.psyRd, Double($0.maxCUSize)] }, [0, 0, 32], unset: [20, 2, 64]),
        Row("one thread", { $0.request.threadCount = 1 }, { [Double($0.frameNumThreads)] }, [1], unset: [0]),
        Row("four threads", { $0.request.threadCount = 4 }, { [Double($0.frameNumThreads)] }, [0], unset: [0]),
        Row(
            "level", { $0.plan.level = 41 }, { [Double($0.levelIdc), Double($0.bHighTier)] }, [41, 0], unset: [0, 1]),
        Row(
            "level in the high tier",
            {
                $0.plan.level = 41
                $0.live.rate = .init(.averageBitRate(30_000_000))
            }, { [Double($0.levelIdc), Double($0.bHighTier)] }, [41, 1], unset: [0, 1]),
        Row(
            "color",
            { $0.request.color = ColorDescription(primaries: 9, transfer: 16, matrix: 8, isFullRange: true) },
            {
                [
                    $0.vui.bEnableVideoSignalTypePresentFlag, $0.vui.bEnableColorDescriptionPresentFlag,
                    $0.vui.colorPrimaries, $0.vui.transferCharacteristics, $0.vui.matrixCoeffs,
                    $0.vui.bEnableVideoFullRangeFlag,
                ].map(Double.init)
            }, [1, 1, 9, 16, 8, 1], unset: [0, 0, 2, 2, 2, 0]),
        Row(
            "pixel aspect ratio of the table",
            { $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 12, verticalSpacing: 11) },
            { [Double($0.vui.aspectRatioIdc), Double($0.vui.sarWidth)] }, [2, 0], unset: [0, 0]),
        Row(
            "any other pixel aspect ratio",
            { $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 7, verticalSpacing: 5) },
            { [$0.vui.aspectRatioIdc, $0.vui.sarWidth, $0.vui.sarHeight].map(Double.init) }, [255, 7, 5],
            unset: [0, 0, 0]),
        Row(
            "native option", { $0.request.nativeOptions = [NativeOption("ref", "2")] },
            { [Double($0.maxNumReferences)] }, [2],
            unset: [3]),
        Row(
            "native option after the setting it overrides",
            {
                $0.request.preset = "ultrafast"
                $0.request.nativeOptions = [NativeOption("rc-lookahead", "7")]
            }, { [Double($0.lookaheadDepth)] }, [7], unset: [20]),
    ]

    @Test("a setting reaches its fields, and unset leaves them as the library has them", arguments: rows)
    func mapping(row: Row) throws {
        #expect(row.fields(try Self.parameters(row.change).values) == row.expected)
        #expect(row.fields(try Self.parameters { _ in }.values) == row.unset)
    }

    @Test("what the session relies on is always set")
    func fixedFields() throws {
        let values = try Self.parameters { $0.request.preset = "placebo" }.values
        #expect(values.bAnnexB == 1)
        #expect(values.bRepeatHeaders == 1)
        #expect(values.bEmitInfoSEI == 0)
        #expect(values.logLevel == X265_LOG_NONE)
    }

    @Test("with limits the library repeats no headers, unless it writes access unit delimiters")
    func headers() throws {
        func repeats(_ options: NativeOption...) throws -> Bool {
            let settings = ResolvedSettings(codec: .hevc, width: 64, height: 64).with {
                $0.live.asked.dataRateLimits = [DataRateLimit(bytes: 9000, seconds: 1)]
                $0.request.nativeOptions = options
            }
            let library = try X265Library(bitDepth: 8)
            return try X265Setup(settings, library: library).parameters.pointer.pointee.bRepeatHeaders != 0
        }
        #expect(try !repeats() && !repeats(NativeOption("ref", "2")) && repeats(NativeOption("aud")))
    }

    @Test("quality falls from 51 to 5 steadily")
    func qualityIsMonotone() {
        let factors = stride(from: 0.0, to: 1.0, by: 0.01).map(X265Parameters.constantRateFactor)
        #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 > $1 })
        #expect(factors.allSatisfy { (5...51).contains($0) })
    }

    @Test(
        "thread counts become pools", arguments: [(nil, nil), (1, "none"), (2, "2"), (64, "64")] as [(Int?, String?)])
    func threadPools(count: Int?, expected: String?) {
        #expect(X265Parameters.threadPools(count: count) == expected)
    }

    @Test(
        "coding tree units fit the height, and the width twice",
        arguments: [
            (66, 64, "medium", 64, 8), (64, 64, "medium", 32, 8), (62, 200, "medium", 32, 8),
            (32, 200, "ultrafast", 16, 16), (200, 34, "ultrafast", 32, 16), (30, 30, "ultrafast", 16, 16),
            (18, 16, "placebo", 16, 8), (18, 640, "slow", 16, 8),
        ])
    func codingTreeUnits(row: (width: Int, height: Int, preset: String, largest: UInt32, smallest: UInt32)) throws {
        let result = try Self.parameters(width: row.width, height: row.height) { $0.request.preset = row.preset }
        #expect(result.values.maxCUSize == row.largest)
        #expect(result.values.minCUSize == row.smallest)
        let usual: UInt32 = row.preset == "ultrafast" ? 32 : 64
        #expect(result.adjustments.isEmpty == (row.largest == usual))
    }

    @Test(
        "CU-tree is off in pictures too narrow for it, and that is listed",
        arguments: [(34, 18, false), (62, 200, false), (64, 18, true), (200, 34, true)])
    func narrowTree(row: (width: Int, height: Int, tree: Bool)) throws {
        let result = try Self.parameters(width: row.width, height: row.height) { $0.request.preset = "ultrafast" }
        #expect((result.values.rc.cuTree != 0) == row.tree)
        #expect(result.adjustments.contains { $0.requested.contains("CU-tree") } != row.tree)
    }

    @Test("the size is the one shown, so that libx265 pads and signals the rest")
    func cropping() throws {
        let values = try Self.parameters(width: 98, height: 58) {
            $0.picture = PictureFormat(width: 98, height: 58, codedWidth: 112, codedHeight: 64)
        }.values
        #expect(values.sourceWidth == 98)
        #expect(values.sourceHeight == 58)
    }

    private static let limited = LiveParameters.Rate(
        .automatic, buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 300_000))

    struct AdjustmentRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout ResolvedSettings) -> Void
        let expected: [Setting]

        init(
            _ name: String, _ expected: [Setting], _ change: @escaping @Sendable (inout ResolvedSettings) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.change = change
        }
    }

    @Test(
        "what is done otherwise is listed",
        arguments: [
            AdjustmentRow("nothing asked", []) { _ in },
            AdjustmentRow("a frame rate that is a guess", [.expectedFrameRate]) { $0.plan.isFrameRateKnown = false },
            AdjustmentRow("a bit rate", []) { $0.live.rate = .init(.averageBitRate(300_000)) },
            AdjustmentRow("a bit rate between thousands", [.averageBitRate]) {
                $0.live.rate = .init(.averageBitRate(300_999))
            },
            AdjustmentRow("a buffer between thousands, which keeps the limits", []) {
                $0.live.rate = .init(.automatic, buffer: BufferModel(peakBitsPerSecond: 300_001, bits: 300_001))
            },
            AdjustmentRow("a buffer beyond 32 bits, of which a part does", []) {
                $0.live.rate = .init(.automatic, buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 3_000_000_000))
            },
            AdjustmentRow("a buffer smaller than a picture's share", [.dataRateLimits, .averageBitRate]) {
                $0.live.rate = .init(
                    .averageBitRate(300_000), buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 5_000))
            },
            AdjustmentRow("limits with key frames close by", [.dataRateLimits]) {
                $0.live.rate = limited
                $0.live.asked.maxKeyFrameInterval = 4
            },
            AdjustmentRow("limits with key frames 0.1 s apart", [.dataRateLimits]) {
                $0.live.rate = limited
                $0.live.asked.maxKeyFrameInterval = 100
                $0.live.asked.maxKeyFrameIntervalDuration = 0.1
            },
            AdjustmentRow("limits with key frames far enough apart", []) {
                $0.live.rate = limited
                $0.live.asked.maxKeyFrameInterval = 5
            },
            AdjustmentRow("key frames close by without limits", []) { $0.live.asked.maxKeyFrameInterval = 1 },
            AdjustmentRow("a preset against real time", [.preset]) {
                $0.request.realTime = true
                $0.request.preset = "slow"
            },
            AdjustmentRow("a preset and a tune with B pictures against real time", [.preset, .tune]) {
                $0.request.realTime = true
                ($0.request.preset, $0.request.tune) = ("slow", "animation")
            },
            AdjustmentRow("a tune without delay in real time", []) {
                $0.request.realTime = true
                $0.request.tune = "grain"
            },
            AdjustmentRow("a preset against a delay", [.preset]) {
                $0.request.maxFrameDelayCount = 2
                $0.request.preset = "slow"
            },
            AdjustmentRow("a delay that the preset has", []) {
                $0.request.maxFrameDelayCount = 100
                $0.request.preset = "slow"
            },
        ])
    func adjustments(row: AdjustmentRow) throws {
        #expect(try Self.parameters(row.change).adjustments.map(\.setting) == row.expected)
    }
}
