// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import TestSupport
import Testing

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

    @Test(
        "the printed command with any flag on or off makes the units of the session", .requiresProgram(.x264),
        .requiresProgram(.x265), arguments: [EncoderKind.x264, .x265])
    func flags(kind: EncoderKind) async throws {
        let isX264 = kind == .x264
        let (table, suffix) = isX264 ? (ProgramOption.x264, "264") : (ProgramOption.x265, "hevc")
        var work = Studies.study().points[0].work
        (work.width, work.height) = (64, 64)
        try await withTemporaryDirectory { folder in
            // Without a place of chroma samples, which would be an option more.
            let clip = CommandLineTool.y4m(frames: 3)
            let header = Array("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C420".utf8)
            let input = try folder.write(header + clip[(header.count + "jpeg".utf8.count)...], to: "in.y4m")
            for name in table.flagNames {
                for value in ["0", "1"] {
                    var settings = ResolvedSettings(codec: isX264 ? .h264 : .hevc, width: 64, height: 64)
                    (settings.request.preset, settings.request.threadCount) = ("superfast", 1)
                    settings.live.rate = .init(.constantRateFactor(24))
                    settings.request.nativeOptions = [NativeOption(name, value)]
                    guard let command = ProgramCommand.line(kind, settings, of: work) else {
                        let wordless = ["dct-decimate=1", "force-cfr=0", "strict-cbr=0"]
                        #expect(wordless.contains("\(name)=\(value)"))
                        continue
                    }
                    // The one makes a stream that the standard does not know, the other needs a buffer.
                    if ["vui-timing-info=0", "strict-cbr=1"].contains("\(name)=\(value)") { continue }
                    try await ExternalProgram("bash").run(["-c", "cd '\(folder.path)' && \(command) 2> /dev/null"])
                    let ours = folder.path("ours." + suffix)
                    try await CommandLineTool.encbench.run([
                        "encode", input, "-o", ours, "--preset", "superfast", "--crf", "24", "--threads", "1",
                        "--native", "\(name)=\(value)",
                    ])
                    let difference = StreamDifference(
                        of: try WholeFile.read(ours), with: try folder.read("out." + suffix),
                        codec: isX264 ? .h264 : .hevc)
                    // x264 writes its version and options into the stream; the session leaves that out.
                    let expected = isX264 ? ["1 SEI (user_data_unregistered) more"] : []
                    #expect(difference.differences == expected, "\(command)")
                }
            }
        }
    }
}
