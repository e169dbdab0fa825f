// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
@testable import MediaFiles
import Testing

@testable import CommandOptions

@Suite struct ProgramTests {
    private struct Root: ParsableCommand {
        @OptionGroup var rate: RateOptions
    }

    private let program = Program(name: "tool", root: Root.self, options: [.averageBitRate: "--rate"])

    @Test("an error begins with the program's name, and names the option that stands for a setting")
    func messages() {
        let error = EncoderError(
            .invalidValue, reason: "AverageBitRate 0, expected 1000...1000000000", setting: .averageBitRate)
        #expect(
            program.message(of: error, code: .failure)
                == "tool: error: --rate 0, expected 1000...1000000000\n")
        #expect(program.message(of: CommandFailure("no"), code: .failure) == "tool: error: no\n")
        #expect(program.message(of: ExitCode(130), code: ExitCode(130)) == nil)
    }

    @Test("a wrong command line is told with the option and how it should look")
    func usage() throws {
        let error = try #require(throws: (any Error).self) { try Root.parseAsRoot(["--crf", "99"]) }
        let message = try #require(program.message(of: error, code: Root.exitCode(for: error)))
        #expect(message.hasPrefix("tool: error: The value '99' is invalid for '--crf <crf>': "), "\(message)")
        #expect(message.contains("Usage: ") && message.hasSuffix("\n"))
    }

    @Test("values that a session or a file refuses count as a wrong command line, other failures do not")
    func refusedValues() {
        #expect(Program.isRefusedValue(EncoderError(.invalidValue, reason: "x")))
        for setting in [Setting.preset, .allowOpenGOP, .threadCount, .profileLevel] {
            #expect(Program.isRefusedValue(EncoderError(.unsupported, reason: "x", setting: setting)))
        }
        #expect(!Program.isRefusedValue(EncoderError(.unsupported, reason: "x", setting: .pixelFormat)))
        #expect(!Program.isRefusedValue(EncoderError(.unsupported, reason: "x")))
        #expect(Program.isRefusedValue(MediaFileError(.invalidValue, reason: "x")))
        #expect(Program.isRefusedValue(OptionError(.unusable, "x")))
        #expect(Program.isRefusedValue(CommandFailure(.sameFile, "x")))
        #expect(!Program.isRefusedValue(EncoderError(.backendFailure, reason: "x")))
        #expect(!Program.isRefusedValue(MediaFileError(.cannotOpen, reason: "x")))
        #expect(!Program.isRefusedValue(CommandFailure("x")))
    }
}
