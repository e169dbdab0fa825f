// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import EncoderAPI
import ParameterSets
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct ProgramOptionTests {
    @Test("a flag has the program's word for it, and no command where the program has none")
    func words() throws {
        func words(_ options: String...) throws -> String? {
            try ProgramOption.x264.words(options.map(OptionParsing.nativeOption))?.joined(separator: " ")
        }
        let several = try words("cabac=0", "aq-mode=2", "8x8dct", "no-mbtree")
        #expect(several == "--no-cabac --aq-mode 2 --8x8dct --no-mbtree")
        #expect(try words("mixed_refs=no", "no-weightb=0") == "--no-mixed-refs --weightb")
        #expect(try words("aud=0", "chroma-me=1") == "" && words("chroma-me=0", "aud=yes") == "--no-chroma-me --aud")
        #expect(try words("aud=1", "aud=0") == nil && words("dct-decimate=1") == nil)
        #expect(try words("fullrange=on") == nil && words("subq=2") == nil && words("cabac=perhaps") == nil)
        let negated = try words("deblock=-1:-2", "no-deblock", "no-scenecut=1")
        #expect(negated == "--deblock -1:-2 --no-deblock --no-scenecut")
    }

    /// A library's flag with a value, and what is said of it to the program.
    struct Flag: Sendable, CustomTestStringConvertible {
        var kind: EncoderKind
        var name: String
        var value: String

        var isX264: Bool { kind == .x264 }
        var testDescription: String { "\(kind.name) \(name)=\(value)" }

        static let all = [(EncoderKind.x264, ProgramOption.x264), (.x265, .x265)].flatMap { kind, table in
            table.flagNames.sorted().flatMap { name in
                ["0", "1"].map { Flag(kind: kind, name: name, value: $0) }
            }
        }

        /// The program's command with the flag; nil where it has no word for it.
        var command: String? {
            var work = Studies.study().points[0].work
            (work.width, work.height) = (64, 64)
            var settings = ResolvedSettings(codec: isX264 ? .h264 : .hevc, width: 64, height: 64)
            (settings.request.preset, settings.request.threadCount) = ("superfast", 1)
            settings.live.rate = .init(.constantRateFactor(24))
            settings.request.nativeOptions = [NativeOption(name, value)]
            return ProgramCommand.line(kind, settings, of: work)
        }

        /// Flags that a session refuses beside its settings, and those that need a buffer.
        private static let untried = [
            "const-vbv=1", "filler=1", "lossless=1", "lowpass-dct=1", "opt-qp-pps=1", "opt-ref-list-length-pps=1",
            "strict-cbr=1",
            "vui-timing-info=0",
        ]

        /// Flags that are tried: all others.
        static let tried = all.filter { flag in
            flag.command != nil && !untried.contains("\(flag.name)=\(flag.value)")
        }

        /// The program, the value, and whether the program's word for it says no, says yes, or is not needed.
        var labels: [String] {
            let command = command ?? ""
            let word = command.contains("--no-\(name)") ? "no" : command.contains("--\(name)") ? "yes" : "default"
            return ["\(kind.name) \(value) \(word)"]
        }
    }

    @Test("flags without a word of the program's are these", arguments: [EncoderKind.x264, .x265])
    func wordless(kind: EncoderKind) {
        let found = Flag.all.filter { $0.kind == kind && $0.command == nil }.map { "\($0.name)=\($0.value)" }
        #expect(Set(found).isSubset(of: ["dct-decimate=1", "force-cfr=0", "strict-cbr=0"]), "\(found)")
    }

    @Test(
        "the printed command with any flag on or off makes the units of the session", .requiresProgram(.x264),
        .requiresProgram(.x265), arguments: Sample.of(Flag.tried, least: 12, labels: \.labels))
    func sampledFlags(_ flag: Flag) async throws {
        let command = try #require(flag.command)
        try await withTemporaryDirectory { folder in
            // Without a place of chroma samples, which would be an option more.
            let clip = CommandLineTool.y4m(frames: 3)
            let header = Array("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C420".utf8)
            let input = try folder.write(header + clip[(header.count + "jpeg".utf8.count)...], to: "in.y4m")
            try await ExternalProgram("bash").run(["-c", "cd '\(folder.path)' && \(command) 2> /dev/null"])
            let suffix = flag.isX264 ? "264" : "hevc"
            let ours = folder.path("ours." + suffix)
            try await CommandLineTool.encbench.run([
                "encode", input, "-o", ours, "--preset", "superfast", "--crf", "24", "--threads", "1",
                "--native", "\(flag.name)=\(flag.value)",
            ])
            let difference = StreamDifference(
                of: try WholeFile.read(ours), with: try folder.read("out." + suffix),
                codec: flag.isX264 ? .h264 : .hevc)
            // x264 writes its version and options into the stream; the session leaves that out.
            let expected = flag.isX264 ? ["1 SEI (user_data_unregistered) more"] : []
            #expect(difference.differences == expected, "\(command)")
        }
    }
}
