// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import Testing

@testable import CommandOptions

@Suite struct EncoderKindTests {
    @Test(
        "the encoder follows from what is asked and from the output's extension",
        arguments: [
            (nil, nil, nil, .x264, .h264), (nil, nil, .hevc, .x265, .hevc), (nil, .hevc, nil, .x265, .hevc),
            (.x265, nil, nil, .x265, .hevc), (.x264, .h264, .h264, .x264, .h264), (.vaapi, .hevc, nil, .vaapi, .hevc),
            (.vaapi, nil, .h264, .vaapi, .h264),
        ] as [(EncoderKind?, VideoCodec?, VideoCodec?, EncoderKind, VideoCodec)])
    func choice(encoder: EncoderKind?, codec: VideoCodec?, promised: VideoCodec?, kind: EncoderKind, result: VideoCodec)
        throws
    {
        let choice = try EncoderChoice(encoder: encoder, codec: codec, promised: promised)
        #expect(choice.kind == kind && choice.codec == result)
    }

    @Test(
        "what excludes each other or leaves the codec open is refused",
        arguments: [
            (.x264, nil, .hevc, "--encoder x264 encodes H.264, but the output's extension says HEVC"),
            (.x265, .h264, nil, "--encoder x265 encodes HEVC, but --codec asks for H.264"),
            (nil, .h264, .hevc, "--codec h264, but the output's extension says HEVC"),
            (.vaapi, nil, nil, "--encoder vaapi encodes both H.264 and HEVC; say which with --codec"),
        ] as [(EncoderKind?, VideoCodec?, VideoCodec?, String)])
    func refusals(encoder: EncoderKind?, codec: VideoCodec?, promised: VideoCodec?, message: String) {
        let error = #expect(throws: OptionError.self) {
            try EncoderChoice(encoder: encoder, codec: codec, promised: promised)
        }
        #expect(error?.description == message)
    }

    @Test("lists of encoders name each once")
    func lists() throws {
        #expect(try OptionParsing.encoders("x265,x264") == [.x265, .x264])
        #expect(throws: OptionError.self) { try OptionParsing.encoders("x264,x264") }
        let unknown = #expect(throws: OptionError.self) { try OptionParsing.encoder("nvenc") }
        #expect(unknown?.description == "'nvenc', expected one of x264, x265, openh264, vaapi")
    }

    @Test(
        "devices are render nodes by their paths, or X servers on this machine",
        arguments: [
            ("/dev/dri/renderD129", "/dev/dri/renderD129"), ("x11", "x11"), ("x11:1", "x11:1"), ("renderD128", nil),
            ("x11:", nil), ("x11host:0", nil), ("", nil),
        ])
    func devices(text: String, description: String?) throws {
        guard let description else {
            let error = #expect(throws: OptionError.self) { try OptionParsing.device(text) }
            #expect(error?.description.contains("/dev/dri/renderD128, x11 or x11:1") == true)
            return
        }
        #expect(try "\(OptionParsing.device(text))" == description)
    }

    @Test("a device is refused with encoders that have none, by name")
    func deviceOfSoftware() throws {
        let options = try DeviceOptions.parse(["--device", "x11"])
        #expect(try options.encoders([]) == [.vaapi])
        #expect(try options.encoders([.vaapi]) == [.vaapi])
        let error = #expect(throws: OptionError.self) { try options.encoders([.vaapi, .x264]) }
        #expect(error?.description == "--device x11 is for --encoder vaapi; x264 runs on the CPU")
    }
}
