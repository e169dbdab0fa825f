// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Testing

@testable import encpublish

@Suite struct NamedEncodingTests {
    @Test("an encoding has a name, an encoder, perhaps a preset, a rate and settings")
    func reads() throws {
        let encoding = try NamedEncoding(
            "small=x265:fast,average-bit-rate=800k,tune=psnr,MaxKeyFrameInterval=25,aq-mode=2")
        #expect(encoding.name == "small" && encoding.choice.codec == .hevc && encoding.preset == "fast")
        #expect(encoding.rate == .averageBitRate(800_000) && encoding.tune == "psnr")
        #expect(encoding.settings == ["MaxKeyFrameInterval=25", "aq-mode=2"] && encoding.planned.hasMeanBitRate)
        var configuration = SessionConfiguration(codec: .hevc, width: 16, height: 16)
        try encoding.apply(to: &configuration)
        #expect(configuration.live.averageBitRate == 800_000 && configuration.live.maxKeyFrameInterval == 25)
        #expect(configuration.nativeOptions == [NativeOption("aq-mode", "2")] && configuration.preset == "fast")
        #expect(try NamedEncoding("v=vaapi,codec=hevc").choice.codec == .hevc)
        #expect(try NamedEncoding("a=x264,AverageBitRate=500000").planned.hasMeanBitRate)
        #expect(try !NamedEncoding("a=x264,crf=20").planned.hasMeanBitRate)
    }

    @Test(
        "what is no encoding is refused, with the part that is wrong",
        arguments: [
            ("x264", OptionError.Code.malformed, "expected NAME=ENCODER"), ("=x264", .malformed, "expected NAME="),
            ("a b=x264", .malformed, "expected NAME="), ("a/b=x264", .malformed, "expected NAME="),
            ("a=x266", .unknownName, "'x266'"), ("a=", .unknownName, "''"), ("a=x264:", .malformed, "ENCODER:PRESET"),
            ("a=vaapi", .conflicting, "say which"), ("a=vaapi:fast,codec=hevc", .unusable, "no presets"),
            ("a=x264,codec=hevc", .conflicting, "x264 encodes H.264"),
            ("a=x264,crf=20,qp=3", .conflicting, "crf and qp exclude each other"),
            ("a=x264,crf=99", .outOfRange, "'99'"), ("a=x264,crf=20,crf=21", .repeated, "crf is given twice"),
            ("a=x264,Framing=annexB", .unusable, "the outputs decide on framing"),
            ("a=x264,MaxKeyFrameInterval=x", .outOfRange, "MaxKeyFrameInterval"), ("a=x264,", .malformed, "''"),
        ])
    func refusals(text: String, code: OptionError.Code, words: String) {
        let error = #expect(throws: OptionError.self) { try NamedEncoding(text) }
        #expect(error?.code == code && error?.description.contains(words) == true, "\(String(describing: error))")
    }
}
