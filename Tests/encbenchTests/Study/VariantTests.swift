// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct VariantTests {
    private func pairs(_ arguments: [String]) throws -> [String] {
        let (variants, pairs) = try PlanCommand.parse(arguments).curves()
        return pairs.map { "\(variants[$0.test].label) against \(variants[$0.anchor].label)" }
    }

    @Test("presets are paired by name or one by one, and those of one encoder with its first")
    func pairing() throws {
        #expect(try OptionParsing.presets("fast,slow:veryfast") == [["fast"], ["slow", "veryfast"]])
        #expect(throws: OptionError.self) { try OptionParsing.presets("slow:") }
        #expect(try pairs([]) == ["x265 medium against x264 medium"])
        #expect(
            try pairs(["--preset", "fast,slow:veryfast,slow:fast"])
                == ["x265 fast against x264 fast", "x265 veryfast against x264 slow", "x265 fast against x264 slow"])
        #expect(
            try pairs(["--encoder", "x265", "--preset", "medium,slow,fast"])
                == ["x265 slow against x265 medium", "x265 fast against x265 medium"])
        #expect(try pairs(["--encoder", "x264,vaapi"]) == ["vaapi h264 against x264 medium"])
    }

    @Test("an encoder may appear in several variants with settings of their own")
    func variants() throws {
        let arguments = ["--variant", "x264:slow,tune=psnr", "--variant", "x264:slow", "--variant", "vaapi"]
        #expect(
            try pairs(arguments) == ["x264 slow against x264 slow psnr", "vaapi h264 against x264 slow psnr"])
        let variant = try OptionParsing.variant("x265:medium,tune=grain,aq-mode=2,AllowFrameReordering=false")
        #expect(variant.label == "x265 medium grain aq-mode=2 AllowFrameReordering=false")
        var configuration = SessionConfiguration(codec: .hevc, width: 64, height: 48)
        configuration.tune = "psnr"
        try variant.apply(to: &configuration)
        #expect(configuration.preset == "medium" && configuration.tune == "grain")
        #expect(configuration.allowFrameReordering == false)
        #expect(configuration.nativeOptions == [NativeOption("aq-mode", "2")])
    }

    @Test("medium is the preset where none is named, but in real time, where libraries have presets of their own")
    func usualPreset() throws {
        #expect(try pairs(["--real-time"]) == ["x265 against x264"])
        #expect(try pairs(["--real-time", "--preset", "fast"]) == ["x265 fast against x264 fast"])
        let variants = ["--variant", "x264", "--variant", "x264,RealTime=true"]
        #expect(try pairs(variants) == ["x264 RealTime=true against x264 medium"])
        #expect(try pairs(variants + ["--real-time"]) == ["x264 RealTime=true against x264"])
    }

    @Test("the anchor can be any curve")
    func anchor() throws {
        #expect(
            try pairs(["--encoder", "x265", "--preset", "fast,slow", "--anchor", "x265 slow"])
                == ["x265 fast against x265 slow"])
    }

    @Test(
        "what is no curve, or the same twice, is refused",
        arguments: [
            ["--variant", "nvenc"], ["--variant", "x264:"], ["--variant", "x264:a:b"], ["--variant", "x264,,"],
            ["--variant", "x264,MinAllowedFrameQP=much"], ["--variant", "x264", "--variant", "x264:medium"],
            ["--anchor", "x264"], ["--preset", "a:b:c"],
        ])
    func refusals(arguments: [String]) {
        #expect(throws: (any Error).self) { try PlanCommand.parse(arguments) }
    }

    @Test("each encoder has default points, and a list replaces them for all")
    func rateLists() throws {
        let defaults = try RateListOptions.parse([])
        #expect(defaults.rates(for: .x264).count == 5 && defaults.rates(for: .x265).count == 5)
        let list = try RateListOptions.parse(["--qp", "22,27"])
        #expect(list.rates(for: .x265).map(\.control) == [.constantQuantizer(22), .constantQuantizer(27)])
        #expect(throws: (any Error).self) { try RateListOptions.parse(["--qp", "22", "--crf", "3"]) }
    }

    @Test("a factor has several caps, or a cap several factors, within a second unless another window is asked")
    func caps() throws {
        let capped = try RateListOptions.parse(["--crf", "20", "--cap", "500k,1M"]).rates(for: .x264)
        #expect(capped.map(\.label) == ["crf 20 up to 500000 bit/s", "crf 20 up to 1000000 bit/s"])
        let factors = try RateListOptions.parse(["--crf", "20,23.5", "--cap", "500k"]).rates(for: .x264)
        #expect(factors.map(\.label) == ["crf 20 up to 500000 bit/s", "crf 23.5 up to 500000 bit/s"])
        #expect(capped[1].cap?.limit == DataRateLimit(bytes: 125_000, seconds: 1))
        let window = try RateListOptions.parse(["--crf", "20", "--cap", "1M", "--cap-window", "2.5"]).rates(for: .x265)
        #expect(window.map { $0.cap?.limit } == [DataRateLimit(bytes: 312_500, seconds: 2.5)])
        for words in [
            ["--cap", "1M"], ["--qp", "20", "--cap", "1M"], ["--crf", "20", "--cap-window", "1"],
            ["--crf", "20", "--cap", "0"], ["--crf", "20", "--cap", "1M,"], ["--crf", "20", "--cap", "1M,1000k"],
            ["--crf", "20,23.5", "--cap", "500k,1M"],
            ["--crf", "20", "--cap", "1M", "--cap-window", "0"],
        ] { #expect(throws: (any Error).self, "\(words)") { try PlanCommand.parse(words) } }
    }

    @Test(
        "a list that has a value twice is refused by the name of its option",
        arguments: [
            ("--crf", "20,21,20.0"), ("--qp", "20,20"), ("--average-bit-rate", "200k,200000"), ("--cap", "1M,1000k"),
            ("--preset", "fast,fast"), ("--preset", "fast,fast:fast"), ("--encoder", "x264,x264"),
            ("--codec", "h264,avc"), ("--metric", "psnr,psnr"), ("--pairing", "best,best"),
        ])
    func repetitions(option: String, list: String) {
        let others = option == "--cap" ? ["--crf", "20"] : []
        let error = #expect(throws: (any Error).self) { try PlanCommand.parse(others + [option, list]) }
        let message = error.map { PlanCommand.message(for: $0) } ?? ""
        let isTold = message.contains("twice") || message.contains("are the same")
        #expect(message.contains(option) && isTold, "\(message)")
    }

    @Test(
        "rate refuses rates and peaks that it has already",
        arguments: [("--average-bit-rate", "1M,1000k"), ("--peak", "1,none,1.0")])
    func ratePeaks(option: String, list: String) {
        let error = #expect(throws: (any Error).self) { try RateCommand.parse([option, list]) }
        let message = error.map { RateCommand.message(for: $0) } ?? ""
        #expect(message.contains(option) && message.contains("are the same"), "\(message)")
    }

    @Test("what a session refuses of a variant is told by that variant, and what all curves have by its own option")
    func blame() throws {
        let variant = try OptionParsing.variant("x264:slow,tune=psnr,foo=1,ProfileLevel=h264-main-auto")
        let foo = "native option \"foo\" is unknown"
        let rows: [(Setting?, String, [String], isOwn: Bool)] = [
            (.preset, "Preset slow", [], true), (.tune, "Tune psnr", [], true), (.nativeOptions, foo, [], true),
            (.nativeOptions, foo, ["bar"], true), (.nativeOptions, "native option \"bar\" is unknown", ["bar"], false),
            (.profileLevel, "ProfileLevel h264-main-auto", [], true), (.threadCount, "ThreadCount 99", [], false),
            (nil, "x264_encoder_open returned NULL", [], false),
        ]
        for (setting, reason, others, isOwn) in rows {
            let error = EncoderError(.invalidValue, reason: reason, setting: setting)
            let blamed = variant.blamed(for: error, amongOthers: others.map { NativeOption($0) })
            #expect(blamed.setting == setting && blamed.code == error.code)
            let text = "--variant x264 slow psnr foo=1 ProfileLevel=h264-main-auto: " + reason
            #expect(blamed.commandLineDescription == (isOwn ? text : error.commandLineDescription))
        }
    }

    @Test("a curve of its own leaves no room for encoders and presets of all", arguments: ["encoder", "preset"])
    func ownEncoder(option: String) throws {
        let value = option == "encoder" ? "x264,x265" : "medium"
        let error = #expect(throws: (any Error).self) {
            try PlanCommand.parse(["--variant", "x264:slow", "--\(option)", value])
        }
        #expect(error.map { PlanCommand.message(for: $0) }?.contains("leave --\(option) out") == true)
    }
}
