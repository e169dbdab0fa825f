// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct SettingRowTests {
    private let plain = SessionConfiguration(codec: .h264, width: 64, height: 64)

    /// A text, and what it must do to a configuration.
    private static let rows: [(Setting, String, @Sendable (inout SessionConfiguration) -> Void)] = [
        (.averageBitRate, "800000", { $0.live.averageBitRate = 800_000 }),
        (.constantBitRate, "800000", { $0.live.constantBitRate = 800_000 }),
        (.variableBitRate, "800000", { $0.live.variableBitRate = 800_000 }),
        (.vbvMaxBitRate, "900000", { $0.live.vbvMaxBitRate = 900_000 }),
        (.vbvBufferDuration, "1.5", { $0.live.vbvBufferDuration = 1.5 }),
        (.vbvInitialDelayPercentage, "50.0", { $0.live.vbvInitialDelayPercentage = 50 }),
        (.quality, "0.5", { $0.live.quality = 0.5 }),
        (.constantRateFactor, "23.5", { $0.live.rateControl = .constantRateFactor(23.5) }),
        (.constantQuantizer, "30", { $0.live.rateControl = .constantQuantizer(30) }),
        (
            .dataRateLimits, "750000/1.0,90000/0.1",
            { $0.live.dataRateLimits = [.init(bytes: 750_000, seconds: 1), .init(bytes: 90_000, seconds: 0.1)] }
        ),
        (.minAllowedFrameQP, "10", { $0.live.minAllowedFrameQP = 10 }),
        (.maxAllowedFrameQP, "40", { $0.live.maxAllowedFrameQP = 40 }),
        (
            .expectedFrameRate, "30000/1001",
            { $0.live.expectedFrameRate = FrameRate(numerator: 30000, denominator: 1001) }
        ),
        (.bitRateCeiling, "4000000", { $0.bitRateCeiling = 4_000_000 }),
        (.profileLevel, "h264-high-4.1", { $0.profileLevel = ProfileLevel(profile: .h264High, level: 41) }),
        (.h264EntropyMode, "cavlc", { $0.h264EntropyMode = .cavlc }),
        (
            .color, "9,16,9,full",
            { $0.color = ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true) }
        ),
        (.pixelAspectRatio, "4:3", { $0.pixelAspectRatio = .init(horizontalSpacing: 4, verticalSpacing: 3) }),
        (.maxKeyFrameInterval, "60", { $0.live.maxKeyFrameInterval = 60 }),
        (.maxKeyFrameIntervalDuration, "2.5", { $0.live.maxKeyFrameIntervalDuration = 2.5 }),
        (.allowFrameReordering, "false", { $0.allowFrameReordering = false }),
        (.allowOpenGOP, "true", { $0.allowOpenGOP = true }),
        (.maxFrameDelayCount, "0", { $0.maxFrameDelayCount = 0 }),
        (.sourceFrameCount, "300", { $0.sourceFrameCount = 300 }),
        (.realTime, "true", { $0.realTime = true }),
        (.preset, "fast", { $0.preset = "fast" }),
        (.tune, "psnr,zerolatency", { $0.tune = "psnr,zerolatency" }),
        (.threadCount, "3", { $0.threadCount = 3 }),
        (.nativeOptions, "aq-mode=2:no-psy", { $0.nativeOptions = [.init("aq-mode", "2"), .init("no-psy")] }),
        (.framing, "annexb", { $0.framing = .annexB }),
        (.timescale, "90000", { $0.timescale = 90_000 }),
        (.pipelineCapacity, "30", { $0.pipelineCapacity = 30 }),
    ]

    @Test("a text sets its own setting, is what the setting shows, and no other setting counts as asked for")
    func texts() throws {
        for (setting, text, change) in Self.rows {
            let row = try #require(SettingRow.named(setting.rawValue.lowercased()), "\(setting)")
            var (made, expected) = (plain, plain)
            try row.set(text, in: &made)
            change(&expected)
            #expect(made == expected, "\(setting)")
            #expect(SettingRow.all.filter { $0.value(in: made) != nil }.map(\.setting) == [setting])
            #expect(row.value(in: made) == text)
        }
    }

    @Test("every row has its text here, and nothing counts as asked for in a plain configuration")
    func complete() {
        let settings = SettingRow.all.map(\.setting)
        #expect(Set(settings).count == settings.count)
        #expect(Set(settings) == Set(Self.rows.map(\.0) + [.forceKeyFrame]))
        #expect(SettingRow.all.allSatisfy { $0.value(in: plain) == nil })
    }

    @Test("a text that is no value is refused, changes nothing and says what is expected")
    func nonsense() throws {
        let free: Set<Setting> = [.preset, .tune, .nativeOptions]
        for row in SettingRow.all where !free.contains(row.setting) {
            for text in ["nonsense", "1/", ":", ",,", "--1", "1e"] {
                var configuration = plain
                let error = #expect(throws: EncoderError.self, "\(row.setting) \(text)") {
                    try row.set(text, in: &configuration)
                }
                let says = row.effect == .frame ? "goes with a frame" : "expected"
                #expect(error?.setting == row.setting && error?.reason.contains(says) ?? false)
                #expect(configuration == plain)
            }
        }
    }

    @Test("what random texts set is shown as a text that sets the same")
    func sampledRandomTexts() throws {
        var random = SeededGenerator(seed: 7)
        let trials = Set(Sample.of(Array(0..<20_000), least: 5_000))
        let letters = Array("0123456789./:,=-+eE annxbvcfulth264igmo")
        var read: [Setting: Int] = [:]
        for trial in 0..<20_000 {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                letters[Int.random(in: letters.indices, using: &random)]
            }
            guard trials.contains(trial) else { continue }
            for row in SettingRow.all {
                var first = plain
                // Not-a-number is equal to nothing.
                guard (try? row.set(String(text), in: &first)) != nil, first == first else { continue }
                guard let shown = row.value(in: first) else { continue }
                var second = plain
                try row.set(shown, in: &second)
                #expect(second == first, "\(row.setting) \(String(text)) \(shown)")
                read[row.setting, default: 0] += 1
            }
        }
        let expected: [Setting] = [.quality, .timescale, .averageBitRate, .expectedFrameRate]
        #expect(expected.allSatisfy { read[$0, default: 0] > trials.count / 200 })
    }

    @Test("what goes with a frame is refused where the encoder does not list it, and nothing is where nothing is asked")
    func frames() throws {
        let asked = [Setting.forceKeyFrame: FrameOptions(forceKeyFrame: true)]
        #expect(Set(asked.keys) == Set(SettingRow.all.filter { $0.effect == .frame }.map(\.setting)))
        for (setting, options) in asked {
            var encoder = FakeBackend().encoder
            encoder.capabilities.settings = [setting]
            try SettingRow.check(options, with: encoder)
            encoder.capabilities.settings = []
            try SettingRow.check(FrameOptions(token: 1), with: encoder)
            let error = #expect(throws: EncoderError.self) { try SettingRow.check(options, with: encoder) }
            #expect(error?.code == .unsupported && error?.setting == setting)
            #expect(error?.reason.contains("fake has no \(setting)") == true)
        }
    }

    @Test("a value that an encoder does not have is refused with the range, one that it has is taken")
    func ranges() throws {
        var encoder = FakeBackend().encoder
        encoder.capabilities.settings = Set(SettingRow.all.map(\.setting))
        encoder.capabilities.tunes = ["psnr", "zerolatency"]
        let rows: [(Setting, String, String)] = [
            (.averageBitRate, "0", "AverageBitRate 0 bit/s, expected 1000...1000000000"),
            (.constantBitRate, "999", "ConstantBitRate 999 bit/s, expected 1000...1000000000"),
            (.variableBitRate, "-1", "VariableBitRate -1 bit/s, expected 1000...1000000000"),
            (.vbvMaxBitRate, "0", "VBVMaxBitRate 0 bit/s, expected 1000...1000000000"),
            (.vbvBufferDuration, "0", "VBVBufferDuration 0.0 seconds, expected 0.001...3600.0"),
            (.vbvBufferDuration, "nan", "VBVBufferDuration nan seconds, expected 0.001...3600.0"),
            (.vbvInitialDelayPercentage, "100.5", "VBVInitialDelayPercentage 100.5 percent, expected 0.0...100.0"),
            (.bitRateCeiling, "0", "BitRateCeiling 0 bit/s, expected 1000...1000000000"),
            (.expectedFrameRate, "0", "ExpectedFrameRate 0 frames per second, expected 0.01...1000"),
            (.maxKeyFrameInterval, "0", "MaxKeyFrameInterval 0 frames, expected 1...1073741824"),
            (.maxKeyFrameIntervalDuration, "0", "Duration 0.0 seconds, expected 0.001...86400.0"),
            (.sourceFrameCount, "0", "SourceFrameCount 0 frames, expected 1...1073741824"),
            (.threadCount, "0", "ThreadCount 0 threads, expected 1...128"),
            (.threadCount, "129", "ThreadCount 129 threads, expected 1...128"),
            (.sourceFrameCount, "-1", "-1 frames, expected 1...1073741824"),
            (.maxAllowedFrameQP, "52", "52 (quantizer), expected 0...51"),
            (.constantRateFactor, "nan", "nan, expected 0.0...51.0"),
            (.pixelAspectRatio, "0:1", "0:1, expected 1...65535 to 1...65535"),
            (.tune, "psnr,film", "psnr,film, expected one of psnr, zerolatency"),
            (.tune, ",", ",, expected one of psnr, zerolatency"),
            (.timescale, "0", "0 ticks per second, expected 1...2147483647"),
        ]
        for (setting, text, reason) in rows {
            var configuration = plain
            let row = try #require(SettingRow.named(setting.rawValue))
            try row.set(text, in: &configuration)
            let error = #expect(throws: EncoderError.self) { try row.check(configuration, with: encoder) }
            #expect(
                error?.setting == setting && error?.reason.contains(reason) ?? false, "\(String(describing: error))")
        }
        for (setting, text, _) in Self.rows {
            var configuration = plain
            let row = try #require(SettingRow.named(setting.rawValue))
            try row.set(text, in: &configuration)
            try row.check(configuration, with: encoder)
        }
    }
}
