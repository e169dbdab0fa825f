// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
@testable import MediaFiles
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct EncoderOptionsTests {
    @Test("the help of encode names every encoder", arguments: EncoderKind.allCases)
    func helpNamesEncoders(kind: EncoderKind) throws {
        let option = try #require(EncodeCommand.helpMessage(columns: 400).firstRange(of: "--encoder <encoder>"))
        let help = EncodeCommand.helpMessage(columns: 400)[option.upperBound...].prefix { $0 != "\n" }
        #expect(help.contains(kind.name))
    }

    private let source = SourceDescription(
        width: 640, height: 360, pixelFormat: .i420, frameRate: 24, frameCount: 48, color: .bt709)

    private func configuration(_ arguments: [String]) throws -> SessionConfiguration {
        let options = try EncoderOptions.parse(arguments)
        return options.configuration(
            codec: .h264, source: source, rateControl: .constantRateFactor(23), preset: "fast")
    }

    @Test("what the input says and an encoder cannot write is left out and told, and stops nothing")
    func losses() {
        var described = source
        described.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 16, verticalSpacing: 11)
        let all: Set<Setting> = [.color, .pixelAspectRatio, .sourceFrameCount]
        let rows: [(missing: Setting?, loss: String)] = [
            (nil, ""), (.color, "the colors 1,1,1 of the input"),
            (.pixelAspectRatio, "the pixel aspect ratio 16:11 of the input"),
        ]
        for (missing, loss) in rows {
            let encoder = EncoderDescription(
                id: EncoderID(rawValue: "a"), displayName: "A", libraryVersion: "", codec: .h264,
                capabilities: EncoderCapabilities(
                    profiles: [], bitDepths: [8], directPixelFormats: [], codedWidths: 16...4096,
                    codedHeights: 16...4096, settings: all.subtracting([missing].compactMap { $0 }),
                    quantizers: 0...51))
            let written = described.writable(by: encoder)
            #expect((written.color == nil) == (missing == .color))
            #expect((written.pixelAspectRatio == nil) == (missing == .pixelAspectRatio))
            let told = missing == nil ? [] : ["\(loss) will not be in the stream: A cannot signal it"]
            #expect(described.losses(by: encoder) == told)
        }
    }

    @Test("without options everything is left to the encoder, and the source describes itself")
    func defaults() throws {
        var expected = SessionConfiguration(codec: .h264, width: 640, height: 360)
        expected.live.rateControl = .constantRateFactor(23)
        expected.live.expectedFrameRate = 24
        expected.sourceFrameCount = 48
        expected.color = .bt709
        expected.preset = "fast"
        let made = try configuration([])
        #expect(made == expected, "\(made) instead of \(expected)")
    }

    @Test("each option sets the setting of its name and no other")
    func eachOption() throws {
        let rows: [([String], (inout SessionConfiguration) -> Void)] = [
            (["--tune", "film"], { $0.tune = "film" }),
            (["--threads", "3"], { $0.threadCount = 3 }),
            (["--min-qp", "10"], { $0.live.minAllowedFrameQP = 10 }),
            (["--max-qp", "40"], { $0.live.maxAllowedFrameQP = 40 }),
            (
                ["--data-rate-limit", "100k/1", "--data-rate-limit", "250k/5"],
                { $0.live.dataRateLimits = [.init(bytes: 100_000, seconds: 1), .init(bytes: 250_000, seconds: 5)] }
            ),
            (["--bit-rate-ceiling", "3M"], { $0.bitRateCeiling = 3_000_000 }),
            (["--max-key-frame-interval", "50"], { $0.live.maxKeyFrameInterval = 50 }),
            (["--max-key-frame-interval-duration", "2.5"], { $0.live.maxKeyFrameIntervalDuration = 2.5 }),
            (["--no-frame-reordering"], { $0.allowFrameReordering = false }),
            (["--open-gop"], { $0.allowOpenGOP = true }),
            (["--entropy-mode", "cavlc"], { $0.h264EntropyMode = .cavlc }),
            (["--profile-level", "h264-main-3.1"], { $0.profileLevel = .init(profile: .h264Main, level: 31) }),
            (["--real-time"], { $0.realTime = true }),
            (["--expected-frame-rate", "29.97"], { $0.live.expectedFrameRate = 29.97 }),
            (["--max-frame-delay-count", "0"], { $0.maxFrameDelayCount = 0 }),
            (
                ["--native", "aq-mode=2", "--native", "no-psy"],
                { $0.nativeOptions = [.init("aq-mode", "2"), .init("no-psy")] }
            ),
        ]
        for (arguments, change) in rows {
            var expected = try configuration([])
            change(&expected)
            #expect(try configuration(arguments) == expected, "\(arguments)")
            #expect(try configuration(arguments) != configuration([]), "\(arguments)")
        }
    }

    @Test(
        "auto leaves the threads to the library; where nothing is said, an encoder that is compared has one",
        arguments: [([], nil, 1), (["--threads", "auto"], nil, nil), (["--threads", "4"], 4, 4)]
            as [([String], Int?, Int?)])
    func threads(arguments: [String], encoded: Int?, compared: Int?) throws {
        #expect(try configuration(arguments).threadCount == encoded)
        #expect(try EncoderOptions.parse(arguments).comparedThreadCount == compared)
    }

    @Test("a file that seems to have no picture says nothing about their number")
    func emptyInput() throws {
        var info = VideoSourceInfo(
            formatName: "raw video", pixelFormat: .i420, width: 16, height: 16, frameRate: 25, timescale: 25)
        let options = try InputOptions.parse(["--frames", "3"])
        for (count, described) in [(nil, nil), (0, nil), (1, 1), (5, 3)] as [(Int?, Int?)] {
            info.frameCount = count
            #expect(options.clips.describe(info).frameCount == described)
        }
    }

    @Test(
        "values outside their range are refused, and the message names the option, the value and the range",
        arguments: [
            (["--threads", "0"], "auto or a whole number in 1...128"),
            (["--bit-rate-ceiling", "2G"], "1000...1000000000 bit/s"),
            (["--max-key-frame-interval-duration", "0"], "0.001...86400.0"),
            (["--data-rate-limit", "0/1"], "1...1000000000000 bytes"), (["--entropy-mode", "huffman"], "cabac"),
            (["--max-key-frame-interval", "0"], "1...1000000000"), (["--profile-level", "best"], "h264-high-auto"),
            (["--min-qp", "70"], "0...51"), (["--expected-frame-rate", "0"], "0.01...1000.0"),
        ])
    func refusals(arguments: [String], part: String) {
        let error = #expect(throws: (any Error).self) { try EncoderOptions.parse(arguments) }
        let message = error.map { EncoderOptions.message(for: $0) } ?? ""
        #expect(message.contains(part), "\(message)")
    }

    @Test(
        "one rate control at a time",
        arguments: [
            ([], RateControl.automatic), (["--crf", "23.5"], .constantRateFactor(23.5)),
            (["--qp", "30"], .constantQuantizer(30)), (["--quality", "0.75"], .quality(0.75)),
            (["--average-bit-rate", "2.5M"], .averageBitRate(2_500_000)),
        ])
    func rateControl(arguments: [String], expected: RateControl) throws {
        #expect(try RateOptions.parse(arguments).rateControl == expected)
    }

    @Test("two rate controls exclude each other, by name")
    func twoRateControls() {
        let error = #expect(throws: (any Error).self) { try RateOptions.parse(["--crf", "23", "--qp", "30"]) }
        #expect(error.map { RateOptions.message(for: $0) } == "--crf and --qp exclude each other; give one of them")
    }
}
