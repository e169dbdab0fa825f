// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import TestSupport
import Testing

@testable import OpenH264Backend

@Suite(.requiresOpenH264)
struct OpenH264ParametersTests {
    /// Settings, a parameter of the library or of its layer, and the value it must get.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: Int
        let read: @Sendable (SEncParamExt, SSpatialLayerConfig) -> Int
        let settings: ResolvedSettings

        init(
            _ name: String, _ value: Int, _ read: @escaping @Sendable (SEncParamExt, SSpatialLayerConfig) -> Int,
            _ settings: ResolvedSettings = .small()
        ) {
            (testDescription, self.value, self.read, self.settings) = (name, value, read, settings)
        }
    }

    static let rows = [
        Row("width", 66, { raw, _ in Int(raw.iPicWidth) }, .small(width: 65, height: 50)),
        Row("layer's height", 50, { _, layer in Int(layer.iVideoHeight) }, .small(width: 65, height: 50)),
        Row("ids that stay", 0, { raw, _ in Int(raw.eSpsPpsIdStrategy.rawValue) }),
        Row("frames per second", 25, { raw, _ in Int(raw.fMaxFrameRate) }, .small(frameRate: 25)),
        Row(
            "measured frames per second", 12, { raw, _ in Int(raw.fMaxFrameRate) },
            .small { $0.live.pace = 12 }),
        Row("more than 60 frames per second", 60, { raw, _ in Int(raw.fMaxFrameRate) }, .small(frameRate: 240)),
        Row("rate control off", -1, { raw, _ in Int(raw.iRCMode.rawValue) }),
        Row("rate control on", 1, { raw, _ in Int(raw.iRCMode.rawValue) }, .average(100_000)),
        Row("average", 100_000, { _, layer in Int(layer.iSpatialBitrate) }, .average(100_000)),
        Row("average at 120 frames per second", 50_000, { raw, _ in Int(raw.iTargetBitrate) }, .average(100_000, 120)),
        Row(
            "average at half a frame per second", 200_000, { raw, _ in Int(raw.iTargetBitrate) },
            .average(100_000, FrameRate(numerator: 1, denominator: 2))),
        Row(
            "average of so slow a pace that the level allows no more", 230_400, { raw, _ in Int(raw.iTargetBitrate) },
            .average(100_000).with { $0.live.pace = FrameRate(numerator: 1, denominator: 3) }),
        Row(
            "average of so slow a pace that the library calculates with no more", 5_368_709,
            { raw, _ in Int(raw.iTargetBitrate) },
            .average(100_000_000).with { $0.live.pace = FrameRate(numerator: 1, denominator: 60) }),
        Row(
            "a bit for each picture", 60, { raw, _ in Int(raw.iTargetBitrate) },
            .average(1000).with { $0.live.pace = 100_000 }),
        Row("quantizer", 26, { _, layer in Int(layer.iDLayerQp) }),
        Row(
            "constant quantizer", 40, { _, layer in Int(layer.iDLayerQp) },
            .small { $0.live.rate = .init(.constantQuantizer(40)) }),
        Row(
            "quantizer in its bounds", 20, { _, layer in Int(layer.iDLayerQp) },
            .small { $0.live.asked.maxAllowedFrameQP = 20 }),
        Row("smallest quantizer", 12, { raw, _ in Int(raw.iMinQp) }, .small { $0.live.asked.minAllowedFrameQP = 3 }),
        Row("largest quantizer", 51, { raw, _ in Int(raw.iMaxQp) }),
        Row("no drops", 0, { raw, _ in raw.bEnableFrameSkip ? 1 : 0 }),
        Row("drops", 1, { raw, _ in raw.bEnableFrameSkip ? 1 : 0 }, .small { $0.request.realTime = true }),
        Row("lowest level", 11, { _, layer in Int(layer.uiLevelIdc.rawValue) }),
        Row("level of the rate", 30, { _, layer in Int(layer.uiLevelIdc.rawValue) }, .average(9_000_000)),
        Row(
            "level above 60 frames per second", 42, { _, layer in Int(layer.uiLevelIdc.rawValue) },
            .small(width: 1280, height: 720, frameRate: 120)),
        Row("level asked for", 40, { _, layer in Int(layer.uiLevelIdc.rawValue) }, .small { $0.plan.level = 40 }),
        Row("one thread", 1, { raw, _ in Int(raw.iMultipleThreadIdc) }),
        Row("threads", 3, { raw, _ in Int(raw.iMultipleThreadIdc) }, .small { $0.request.threadCount = 3 }),
        Row(
            "slices of a wide picture", 1, { _, layer in Int(layer.sSliceArgument.uiSliceNum) },
            .small(width: 1920, height: 64) { $0.request.threadCount = 3 }),
        Row("profile", 66, { _, layer in Int(layer.uiProfileIdc.rawValue) }),
        Row(
            "profile of CABAC", 77, { _, layer in Int(layer.uiProfileIdc.rawValue) },
            .small { $0.request.h264EntropyMode = .cabac }),
        Row(
            "full range", 1, { _, layer in layer.bFullRange ? 1 : 0 },
            .small { $0.request.color = ColorDescription(isFullRange: true) }),
    ]

    @Test("each setting becomes the library's parameter", arguments: rows)
    func parameter(row: Row) throws {
        let raw = try OpenH264Parameters(row.settings).raw
        #expect(row.read(raw, raw.sSpatialLayers.0) == row.value)
    }

    @Test(
        "what the library cannot do is refused with its name",
        arguments: [
            (.width, ResolvedSettings.padded(width: 8, height: 64)),
            (.height, .padded(width: 64, height: 8)),
            (
                .maxAllowedFrameQP,
                .small { ($0.live.rate, $0.live.asked.maxAllowedFrameQP) = (.init(.averageBitRate(100_000)), 11) }
            ),
            (.profileLevel, .small { $0.plan.level = 60 }),
            (.profileLevel, .small(width: 8688, height: 4096)),
            (.profileLevel, .small(width: 3840, height: 2160, frameRate: 120)),
            (.profileLevel, .small { ($0.plan.level, $0.live.rate) = (30, .init(.averageBitRate(10_000_001))) }),
        ] as [(Setting, ResolvedSettings)])
    func refusals(setting: Setting, settings: ResolvedSettings) throws {
        let backend = OpenH264Backend()
        let encoder = try #require(try backend.listEncoders().first)
        let error = #expect(throws: EncoderError.self) { try backend.check(settings, for: encoder) }
        #expect(error?.setting == setting, "\(String(describing: error))")
    }

    @Test(
        "what the library does otherwise is listed",
        arguments: [
            (nil, ResolvedSettings.small()),
            (nil, .small { $0.request.threadCount = 4 }),
            (.threadCount, .small { $0.request.threadCount = 5 }),
            (
                .threadCount,
                .small {
                    ($0.request.threadCount, $0.request.realTime, $0.live.rate) = (
                        2, true, .init(.averageBitRate(100_000))
                    )
                }
            ),
            (nil, .small { ($0.live.rate, $0.live.asked.minAllowedFrameQP) = (.init(.constantQuantizer(30)), 30) }),
            (
                .constantQuantizer,
                .small { ($0.live.rate, $0.live.asked.minAllowedFrameQP) = (.init(.constantQuantizer(30)), 31) }
            ),
            (.averageBitRate, .average(6_000_000, 1)),
            (.averageBitRate, .average(100_000, FrameRate(numerator: 1, denominator: 3))),
            (nil, .average(100_000, FrameRate(numerator: 1, denominator: 1))),
            (.sourceFrameCount, .small { $0.request.sourceFrameCount = 10 }),
            (.realTime, .small { $0.request.realTime = true }),
            (
                .averageBitRate,
                .small {
                    $0.live.rate = .init(
                        .averageBitRate(100_000), buffer: BufferModel(peakBitsPerSecond: 100_000, bits: 1))
                }
            ),
            (.profileLevel, .small { ($0.request.profileLevel.level, $0.plan.level) = (30, 30) }),
            (.bitRateCeiling, .small { ($0.request.bitRateCeiling, $0.plan.level) = (1_000_000, 30) }),
        ] as [(Setting?, ResolvedSettings)])
    func adjustments(setting: Setting?, settings: ResolvedSettings) throws {
        #expect(try OpenH264Parameters(settings).adjustments.map(\.setting) == (setting.map { [$0] } ?? []))
    }
}

extension ResolvedSettings {
    /// With an average of so many bit/s.
    fileprivate static func average(_ rate: Int, _ frameRate: FrameRate = 30) -> Self {
        .small(frameRate: frameRate) { $0.live.rate = .init(.averageBitRate(rate)) }
    }

    /// Pictures that are coded with 16 samples or more.
    fileprivate static func padded(width: Int, height: Int) -> Self {
        .small {
            $0.picture = PictureFormat(
                width: width, height: height, codedWidth: max(width, 16), codedHeight: max(height, 16))
        }
    }
}
