// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import Testing

@testable import EncoderBench

@Suite struct LadderSizesTests {
    private static func clip(_ width: Int, _ height: Int) -> ClipFacts {
        let info = VideoSourceInfo(formatName: "gray", pixelFormat: .i420, width: width, height: height, timescale: 25)
        return ClipFacts(name: "a.mkv", path: "/a.mkv", digest: "0", frameLimit: nil, raw: nil, info: info)
    }

    @Test(
        "unasked sizes have the source's shape, even sides and enough rows",
        arguments: [
            ((1920, 1080), ["1920x1080", "1440x810", "960x540", "720x406", "480x270", "360x202"]),
            ((1280, 720), ["1280x720", "960x540", "640x360", "480x270", "320x180"]),
            ((640, 360), ["640x360", "480x270", "320x180"]),
            ((360, 640), ["360x640", "270x480", "180x320"]),
            ((176, 144), ["176x144", "132x108"]),
            ((175, 143), ["175x143", "132x108"]),
        ])
    func usual(source: (Int, Int), expected: [String]) throws {
        let sizes = LadderSizes.usual(for: PictureSize(width: source.0, height: source.1))
        #expect(sizes.map(\.text) == expected)
        try LadderSizes.check(sizes, of: Self.clip(source.0, source.1))
    }

    @Test(
        "sizes that cannot be are refused by value and range",
        arguments: [
            ("640x361,320x180", "'640x361', expected even sides, since pictures share their chroma by two"),
            ("641x360,320x180", "'641x360', expected even sides, since pictures share their chroma by two"),
            ("0x360,320x180", "'0', expected a whole number in 1...65535"),
            ("640x-2,320x180", "'-2', expected a whole number in 1...65535"),
            ("65536x2,320x180", "'65536', expected a whole number in 1...65535"),
            ("640,320x180", "'640', expected WIDTHxHEIGHT such as 1280x720"),
            ("640x360,320x180,640x360", "'640x360' is listed twice"),
            ("640x360", "'640x360' has 1 size, expected 2...12"),
            ("640x360,", "'640x360,' has an empty item; expected values separated by commas"),
            ("", "'' has an empty item; expected values separated by commas"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: OptionError.self) { try LadderSizes.parse(text) }
        #expect(error?.description == reason)
    }

    @Test("thirteen sizes are too many")
    func many() {
        let text = (1...13).map { "\($0 * 16)x\($0 * 8)" }.joined(separator: ",")
        let error = #expect(throws: OptionError.self) { try LadderSizes.parse(text) }
        #expect(error?.description == "'\(text)' has 13 sizes, expected 2...12")
    }

    @Test("sizes come largest first, in whatever order they are given")
    func order() throws {
        let sizes = try LadderSizes.parse("320x180,1280x720,640x360")
        #expect(sizes.map(\.text) == ["1280x720", "640x360", "320x180"])
    }

    @Test(
        "the example in place of a size of another shape is one that would do",
        arguments: [(1920, 1080), (640, 360), (360, 640), (176, 144), (175, 143), (2048, 858)])
    func examples(source: (Int, Int)) throws {
        let clip = Self.clip(source.0, source.1)
        for width in stride(from: 2, through: source.0, by: 34) {
            for height in [2, 4, 18, source.1 / 4 * 2] where height <= source.1 {
                let size = PictureSize(width: width, height: height)
                guard let error = Self.refusal(of: size, clip) else { continue }
                let example = try OptionParsing.size(String(error.split(separator: " ").last ?? ""))
                #expect(example != size && Self.refusal(of: example, clip) == nil, "\(error)")
                #expect(example.width % 2 == 0 && example.height % 2 == 0, "\(error)")
            }
        }
        let tiny = Self.refusal(of: PictureSize(width: 2, height: 2), Self.clip(640, 360))
        #expect(tiny == "--sizes 2x2: has another shape than 640x360 of a.mkv, expected such as 320x180")
    }

    /// Why a clip is not sent in a size; nil where it can be.
    private static func refusal(of size: PictureSize, _ clip: ClipFacts) -> String? {
        do throws(OptionError) {
            try LadderSizes.check([size], of: clip)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("sizes above the source and of another shape are refused with what would do")
    func clips() throws {
        let clip = Self.clip(1280, 720)
        try LadderSizes.check(LadderSizes.parse("1280x720,426x240,640x352"), of: clip)
        let refusals = [
            ("1920x1080,640x360", "--sizes 1920x1080: a.mkv has 1280x720, expected that or less"),
            ("1282x720,640x360", "--sizes 1282x720: a.mkv has 1280x720, expected that or less"),
            (
                "640x480,640x360",
                "--sizes 640x480: has another shape than 1280x720 of a.mkv, expected such as 640x360"
            ),
        ]
        for (text, reason) in refusals {
            let error = #expect(throws: OptionError.self) { try LadderSizes.check(LadderSizes.parse(text), of: clip) }
            #expect(error?.description == reason)
        }
    }
}
