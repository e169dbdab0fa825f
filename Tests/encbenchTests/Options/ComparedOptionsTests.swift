// SPDX-License-Identifier: MIT

import CommandOptions
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct ComparedOptionsTests {
    @Test("options that would make a comparison untrue are refused, with the one to use")
    func refusals() throws {
        let cases = [
            ("crf=10", "use"), ("qp=10", "--qp"), ("qp_constant=9", "--qp"), ("bitrate=100", "--average-bit-rate"),
            ("threads=4", "--threads"), ("pools=2", "--threads"), ("frame-threads=2", "--threads"),
            ("lookahead_threads=1", "--threads"), ("cqmfile=x.cfg", "file"),
            ("lossless", "all points"),
        ]
        for (text, word) in cases {
            let error = #expect(throws: OptionError.self) {
                try ComparedOptions.check([OptionParsing.nativeOption(text)])
            }
            let said = error?.description ?? ""
            #expect(said.hasPrefix("--native \(text): ") && (word == "use" || said.contains(word)), "\(said)")
            #expect(throws: OptionError.self) {
                try ComparedOptions.check(OptionParsing.variant("x264:ultrafast," + text))
            }
        }
        for text in ["ConstantRateFactor=10", "ConstantQuantizer=10", "AverageBitRate=100000"] {
            #expect(throws: OptionError.self) {
                try ComparedOptions.check(OptionParsing.variant("x264:ultrafast," + text))
            }
        }
        let legal = "x264:slow,tune=psnr,aq-mode=2,crf-max=40,no-cabac,AllowFrameReordering=false"
        try ComparedOptions.check(OptionParsing.variant(legal))
        try ComparedOptions.check([OptionParsing.nativeOption("sliced-threads=1")])
    }

    @Test(
        "commands that compare refuse them with status 64",
        arguments: ["compare", "plan", "target", "rate", "keyframes", "realtime", "overhead"])
    func commands(command: String) async throws {
        let goal = command == "target" ? ["--psnr", "40"] : []
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run([command] + goal + ["--native", "crf=10"])
        }
        let said = error?.standardError ?? ""
        #expect(error?.reason == "exited(64)" && said.contains("--crf"), "\(said)")
    }

    @Test("a window that is too short for a peak is told by the names of both")
    func shortWindow() async throws {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run([
                "rate", "--peak", "100,1", "--window", "0.001", "--average-bit-rate", "10k", "--frames", "2",
            ])
        }
        let said = error?.standardError ?? ""
        #expect(said.contains("--peak 100 with --window 0.001") && !said.contains("--data-rate-limit"), "\(said)")
    }

    @Test(
        "a preset and an option that a variant has are refused by the name of --variant",
        arguments: [("x264:nope", "--variant x264 nope: "), ("x264:slow,foo=1", "--variant x264 slow foo=1: ")])
    func variants(text: String, words: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["compare", input, "--rounds", "0", "--variant", text, "--variant", "x265:ultrafast"])
            }
            let said = error?.standardError ?? ""
            #expect(error?.reason == "exited(64)" && said.contains("error: " + words), "\(said)")
            #expect(!said.contains("--native") && !said.contains("--preset"), "\(said)")
        }
    }

    @Test("options, presets and settings that an encoder refuses end a command with status 64")
    func statuses() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            let out = folder.path("out.264")
            let cases: [[String]] = [
                ["encode", input, "-o", out, "--native", "annexb=0"],
                ["encode", input, "-o", out, "--native", "tff=1"],
                ["encode", input, "-o", out, "--native", "pass=1"],
                ["encode", input, "-o", folder.path("out.hevc"), "--native", "csv=a"],
                ["compare", input, "--rounds", "0", "--native", "open-gop=1"],
                ["compare", input, "--rounds", "0", "--variant", "x264:fast", "--variant", "x265:fast,info=1"],
                ["compare", input, "--rounds", "0", "--encoder", "x264,openh264", "--preset", "ultrafast"],
                ["target", input, "--psnr", "40", "--preset", "fats"],
                ["target", input, "--psnr", "40", "--encoder", "x264,openh264", "--search", "crf"],
            ]
            for words in cases {
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(words)
                }
                #expect(error?.reason == "exited(64)", "\(words): \(error?.standardError ?? "")")
                #expect(error?.standardError.contains("not reached") == false)
            }
        }
    }
}
