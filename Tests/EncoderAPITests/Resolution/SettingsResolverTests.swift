// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct SettingsResolverTests {
    private func resolve(
        _ backend: FakeBackend = FakeBackend(), facts: StreamFacts = StreamFacts(),
        _ change: (inout SessionConfiguration) -> Void
    ) throws -> (settings: ResolvedSettings, adjustments: [Adjustment]) {
        var resolver = SettingsResolver(
            configuration: FakeStream.configuration(change), encoder: backend.encoder, facts: facts)
        return (try resolver.resolve(), resolver.adjustments)
    }

    @Test("a buffer is no larger than an encoder needs for the frames that it is opened for, however seldom they come")
    func slowFrames() throws {
        var facts = StreamFacts()
        facts.begin(at: 30, isKnown: true)
        facts.pace = FrameRate(0.1)
        let (settings, _) = try resolve(facts: facts) { $0.live.constantBitRate = 2_000_000 }
        #expect(settings.live.rate.buffer == BufferModel(peakBitsPerSecond: 2_000_000, bits: 300_000))
        facts.begin(at: FrameRate(0.1), isKnown: true)
        #expect(facts.frameRate == 1 && facts.pace == FrameRate(0.1))
        let (slow, _) = try resolve(facts: facts) { $0.live.constantBitRate = 2_000_000 }
        #expect(slow.plan.frameRate == 1 && slow.live.pace == FrameRate(0.1))
        #expect(slow.live.rate.buffer == BufferModel(peakBitsPerSecond: 2_000_000, bits: 2_000_000))
    }

    /// A change to a configuration, and what its refusal must be about and say.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let setting: Setting
        let says: String
        let change: @Sendable (inout SessionConfiguration) -> Void
        var testDescription: String { says }
    }

    static let refusals: [Refusal] = [
        Refusal(setting: .width, says: "width 0, expected 1...4096") { $0.width = 0 },
        Refusal(setting: .height, says: "height -2, expected") { $0.height = -2 },
        Refusal(setting: .width, says: "width 4097, expected 1...4096") { $0.width = 4097 },
        Refusal(setting: .width, says: "width \(Int.max), expected 1...4096") { $0.width = .max },
        Refusal(setting: .height, says: "height \(Int.max - 1), expected 1...4096") { $0.height = .max - 1 },
        Refusal(setting: .h264EntropyMode, says: "CABAC with profile h264-baseline") {
            $0.profileLevel = ProfileLevel(profile: .h264Baseline)
            $0.h264EntropyMode = .cabac
        },
        Refusal(setting: .allowFrameReordering, says: "frame reordering with profile h264-baseline") {
            $0.profileLevel = ProfileLevel(profile: .h264Baseline)
            $0.allowFrameReordering = true
        },
        Refusal(setting: .profileLevel, says: "profile hevc-main with H.264") {
            $0.profileLevel = ProfileLevel(profile: .hevcMain)
        },
        Refusal(setting: .profileLevel, says: "10-bit pictures with profile h264-high") {
            $0.pixelFormat = .i010
            $0.profileLevel = ProfileLevel(profile: .h264High)
        },
        Refusal(setting: .profileLevel, says: "level 7.7, expected one of 1.0, 1.1") {
            $0.profileLevel = ProfileLevel(profile: .h264High, level: 77)
        },
        Refusal(setting: .pixelFormat, says: "12 bits with fake") { $0.pixelFormat = .i012 },
        Refusal(setting: .maxKeyFrameInterval, says: "MaxKeyFrameInterval -1 frames, expected 1...") {
            $0.live.maxKeyFrameInterval = -1
        },
        Refusal(setting: .maxKeyFrameIntervalDuration, says: "nan seconds, expected 0.001...86400.0") {
            $0.live.maxKeyFrameIntervalDuration = .nan
        },
        Refusal(setting: .maxFrameDelayCount, says: "-1 frames") { $0.maxFrameDelayCount = -1 },
        Refusal(setting: .expectedFrameRate, says: "-30 frames per second, expected 0.01...1000") {
            $0.live.expectedFrameRate = -30
        },
        Refusal(setting: .dataRateLimits, says: "data-rate limits with ConstantBitRate") {
            $0.live.constantBitRate = 500_000
            $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
        },
        Refusal(setting: .dataRateLimits, says: "data-rate limits with VariableBitRate") {
            $0.live.variableBitRate = 500_000
            $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
        },
        Refusal(setting: .vbvMaxBitRate, says: "VBVMaxBitRate 900000 with ConstantBitRate, expected Var") {
            $0.live.constantBitRate = 500_000
            $0.live.vbvMaxBitRate = 900_000
        },
        Refusal(setting: .vbvMaxBitRate, says: "a VariableBitRate of 500000 bit/s, expected 500000...1000000000") {
            $0.live.variableBitRate = 500_000
            $0.live.vbvMaxBitRate = 499_999
        },
        Refusal(setting: .vbvMaxBitRate, says: "expected 500000...600000") {
            $0.live.variableBitRate = 500_000
            $0.live.vbvMaxBitRate = 600_001
            $0.bitRateCeiling = 600_000
        },
        Refusal(setting: .vbvBufferDuration, says: "VBVBufferDuration 1.0 with AverageBitRate, expected Constant") {
            $0.live.averageBitRate = 500_000
            $0.live.vbvBufferDuration = 1
        },
        Refusal(setting: .vbvInitialDelayPercentage, says: "50.0 with the encoder's own rate, expected Constant") {
            $0.live.vbvInitialDelayPercentage = 50
        },
        Refusal(setting: .framing, says: "avcc3, expected annexb, or lengths of 1, 2 or 4") {
            $0.framing = .lengthPrefixed(bytes: 3)
        },
        Refusal(setting: .quality, says: "Quality 1.5, expected 0.0...1.0") { $0.live.quality = 1.5 },
        Refusal(setting: .constantQuantizer, says: "52 (quantizer), expected 0...51") {
            $0.live.rateControl = .constantQuantizer(52)
        },
        Refusal(setting: .dataRateLimits, says: "a constant quantizer cannot keep") {
            $0.live.rateControl = .constantQuantizer(30)
            $0.live.dataRateLimits = [DataRateLimit(bytes: 1_000_000, seconds: 1)]
        },
        Refusal(setting: .preset, says: "Preset warp, expected one of fast, slow") { $0.preset = "warp" },
        Refusal(setting: .tune, says: "fake has no Tune") { $0.tune = "film" },
        Refusal(setting: .color, says: "fake has no ColorPrimaries") { $0.color = .bt709 },
        Refusal(setting: .threadCount, says: "fake has no ThreadCount") { $0.threadCount = 129 },
        Refusal(setting: .timescale, says: "Timescale 0") { $0.timescale = 0 },
        Refusal(setting: .bitRateCeiling, says: "BitRateCeiling 1 bit/s") { $0.bitRateCeiling = 1 },
    ]

    @Test("what cannot be is refused before anything opens, by name, value and legal range", arguments: refusals)
    func refused(refusal: Refusal) {
        let error = #expect(throws: EncoderError.self) {
            try resolve(FakeBackend(), refusal.change)
        }
        #expect(error?.setting == refusal.setting)
        #expect(error?.reason.contains(refusal.says) == true, "\(error?.reason ?? "no error")")
    }

    @Test("rates and limits outside their range are refused with the range, and so is an average above the ceiling")
    func rates() {
        for average in [999, -1, .max, 1_000_000_001] {
            let error = #expect(throws: EncoderError.self) { try resolve { $0.live.averageBitRate = average } }
            #expect(error?.setting == .averageBitRate && error?.reason.contains("1000...1000000000") == true)
        }
        for limit in [
            DataRateLimit(bytes: 0, seconds: 1), DataRateLimit(bytes: -5, seconds: 1),
            DataRateLimit(bytes: 1000, seconds: 0), DataRateLimit(bytes: 1000, seconds: -1),
            DataRateLimit(bytes: 1000, seconds: .nan), DataRateLimit(bytes: .max, seconds: 1),
        ] {
            let error = #expect(throws: EncoderError.self) {
                try resolve { $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1), limit] }
            }
            #expect(error?.setting == .dataRateLimits)
        }
        let ceiling = #expect(throws: EncoderError.self) {
            try resolve {
                $0.live.averageBitRate = 2_000_000
                $0.bitRateCeiling = 1_000_000
            }
        }
        #expect(ceiling?.code == .conflictingSettings)
    }

    @Test("setting one rate replaces another, and the initial delay is where the stream starts")
    func initialDelay() throws {
        let (settings, _) = try resolve {
            $0.live.averageBitRate = 400_000
            $0.live.constantBitRate = 500_000
            $0.live.vbvInitialDelayPercentage = 40
        }
        #expect(settings.live.rate.control == .constantBitRate(500_000))
        #expect(settings.position.bufferFullness == 0.4)
    }

    @Test("an entropy mode on HEVC is refused")
    func entropyOnHEVC() {
        var encoder = FakeBackend().encoder
        encoder.codec = .hevc
        var configuration = SessionConfiguration(codec: .hevc, width: 64, height: 64)
        configuration.h264EntropyMode = .cabac
        var resolver = SettingsResolver(configuration: configuration, encoder: encoder)
        let error = #expect(throws: EncoderError.self) { try resolver.resolve() }
        #expect(error?.setting == .h264EntropyMode)
    }

    @Test("the range of sizes ends where the encoder's steps do", arguments: [(32, 32), (33, 32), (34, 34)])
    func largestSide(most: Int, largest: Int) throws {
        let backend = FakeBackend(codedWidths: 16...most)
        #expect(try resolve(backend) { $0.width = largest }.settings.picture.codedWidth == largest)
        let error = #expect(throws: EncoderError.self) { try resolve(backend) { $0.width = largest + 1 } }
        #expect(error?.reason == "width \(largest + 1), expected 1...\(largest)")
    }

    @Test(
        "odd and small sides are listed with what is shown of them",
        arguments: [
            (319, "320 shown", "4:2:0 pictures are cropped in steps of two; the edge is repeated"),
            (10, "16 coded", "the encoder takes 16 or more; the edge is repeated"),
            (
                1, "2 shown of 16 coded",
                "the encoder takes 16 or more; 4:2:0 pictures are cropped in steps of two; the edge is repeated"
            ),
        ])
    func shownSides(side: Int, used: String, reason: String) throws {
        let (settings, adjustments) = try resolve { ($0.width, $0.height) = (side, side) }
        #expect(adjustments.map(\.used) == [used, used])
        #expect(adjustments.map(\.reason) == [reason, reason])
        #expect((settings.picture.shownWidth, settings.picture.shownHeight) == ((side + 1) / 2 * 2, (side + 1) / 2 * 2))
    }

    @Test("odd and small sides are coded larger, cropped in steps of two, and listed")
    func sizes() throws {
        let (settings, adjustments) = try resolve {
            $0.width = 177
            $0.height = 9
        }
        #expect(settings.picture.codedWidth == 178 && settings.picture.codedHeight == 16)
        #expect(settings.picture.cropRight == 0 && settings.picture.cropBottom == 6)
        #expect(adjustments.map(\.setting) == [.width, .height])
    }

    @Test("a layout the encoder does not take is converted once, and listed")
    func layouts() throws {
        let (settings, adjustments) = try resolve { $0.pixelFormat = .nv12 }
        #expect(settings.picture.pixelFormat == .i420 && adjustments.map(\.setting) == [.pixelFormat])
        let direct = try resolve(FakeBackend(directPixelFormats: [.i420, .nv12])) { $0.pixelFormat = .nv12 }
        #expect(direct.settings.picture.pixelFormat == .nv12 && direct.adjustments.isEmpty)
    }

    @Test("a bit-rate ceiling pins the lowest level that allows it, at least the one asked for")
    func ceiling() throws {
        func level(_ ceiling: Int, asked: Int? = nil) throws -> Int? {
            try resolve {
                $0.width = 1280
                $0.height = 720
                $0.bitRateCeiling = ceiling
                $0.profileLevel.level = asked
            }.settings.plan.level
        }
        #expect(try level(4_000_000) == 31 && level(30_000_000) == 41 && level(4_000_000, asked: 42) == 42)
        #expect(throws: EncoderError.self) { try level(30_000_000, asked: 31) }
        #expect(throws: EncoderError.self) { try level(1_000_000_000) }
    }

    @Test("below a ceiling the level is the same at every average, with data-rate limits and without")
    func ceilingPinsLevel() throws {
        for limits in [[], [DataRateLimit(bytes: 2_000_000, seconds: 1)]] {
            let levels = try [100_000, 2_000_000, 8_000_000].map { average in
                try resolve {
                    $0.bitRateCeiling = 8_000_000
                    $0.live.averageBitRate = average
                    $0.live.dataRateLimits = limits
                }.settings.plan.level
            }
            #expect(levels[0] != nil && Set(levels).count == 1)
        }
    }

    @Test("reordering follows the profile unless it is asked for")
    func reordering() throws {
        #expect(try resolve { _ in }.settings.plan.allowFrameReordering)
        #expect(try !resolve { $0.allowFrameReordering = false }.settings.plan.allowFrameReordering)
        let baseline = try resolve { $0.profileLevel = ProfileLevel(profile: .h264Baseline) }
        #expect(!baseline.settings.plan.allowFrameReordering)
    }
}

@Suite struct ProfileLevelTests {
    @Test(
        "names read back as what they were printed from",
        arguments: Profile.allCases.flatMap { [ProfileLevel(profile: $0), ProfileLevel(profile: $0, level: 41)] })
    func names(value: ProfileLevel) {
        #expect(ProfileLevel(value.description) == value)
    }

    @Test(
        "words that name nothing are no profile", arguments: ["", "h264", "h264-high", "h264-high-x", "vp9-auto", "-"])
    func nonsense(text: String) {
        #expect(ProfileLevel(text) == nil)
    }
}
