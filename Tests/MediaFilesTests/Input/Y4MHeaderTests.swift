// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import MediaFiles

@Suite struct Y4MHeaderTests {
    private func header(_ parameters: String) throws(MediaFileError) -> Y4MHeader {
        try Y4MHeader(parsing: Array("YUV4MPEG2 \(parameters)".utf8))
    }

    @Test("every parameter of a header is read")
    func allParameters() throws {
        let header = try header("W176 H144 F30000:1001 Ip A128:117 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=FULL")
        #expect(header.width == 176)
        #expect(header.height == 144)
        #expect(header.frameRate == FrameRate(numerator: 30000, denominator: 1001))
        #expect(header.pixelAspectRatio == PixelAspectRatio(horizontalSpacing: 128, verticalSpacing: 117))
        #expect(header.format == .i420)
        #expect(header.chromaSampleLocation == 0)
        #expect(header.isFullRange == true)
    }

    @Test(
        "the chroma parameter chooses format and chroma location",
        arguments: [
            ("", PixelFormat.i420, nil), (" C420", .i420, nil), (" C420jpeg", .i420, 1), (" C420mpeg2", .i420, 0),
            (" C420paldv", .i420, 2), (" C420p10", .i010, nil), (" C420p12", .i012, nil),
            (" XYSCSS=420P10", .i010, nil), (" XYSCSS=411 C420jpeg", .i420, 1),
        ] as [(String, PixelFormat, Int?)])
    func chroma(parameters: String, format: PixelFormat, location: Int?) throws {
        let header = try header("W16 H16\(parameters)")
        #expect(header.format == format)
        #expect(header.chromaSampleLocation == location)
    }

    @Test(
        "other chroma formats are refused by name and offset",
        arguments: ["mono", "mono9", "422", "422p10", "444", "444alpha", "411", "420p9", "420p14", "420p16", "", "x"])
    func unsupportedChroma(name: String) {
        let error = #expect(throws: MediaFileError.self) { try header("W16 H16 C\(name)") }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("C\(name),") == true)
        #expect(error?.byteOffset == 18)
    }

    @Test("interlaced video is refused by name", arguments: ["It", "Ib", "Im"])
    func interlaced(parameter: String) {
        let error = #expect(throws: MediaFileError.self) { try header("W16 H16 \(parameter)") }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains(parameter) == true)
    }

    @Test(
        "values out of range are corrupt, with the parameter's offset",
        arguments: [
            "W0 H16", "W65536 H16", "W-16 H16", "W+16 H16", "W1x H16", "W H16", "W9999999999999999999 H16",
            "W16 H16 F30",
            "W16 H16 F30:0", "W16 H16 F0:1", "W16 H16 F1:2:3", "W16 H16 F-1:1", "W16 H16 A1:0", "W16 H16 A65537:1",
            "W16 H16 Ix", "W16 H16 I", "W16", "H16", "",
        ])
    func corrupt(parameters: String) {
        let error = #expect(throws: MediaFileError.self) { try header(parameters) }
        #expect(error?.code == .corrupt)
        #expect(error?.byteOffset != nil)
    }

    @Test("an unknown rate and aspect ratio stay unknown, known ones come in lowest terms")
    func ratios() throws {
        let unknown = try header("W16 H16 F0:0 A0:0 I?")
        #expect(unknown.frameRate == nil)
        #expect(unknown.pixelAspectRatio == nil)
        let known = try header("W16 H16 F50:2 A20:10")
        #expect(known.frameRate == 25)
        #expect(known.pixelAspectRatio == PixelAspectRatio(horizontalSpacing: 2, verticalSpacing: 1))
    }

    @Test("random headers give a header or a typed error with an offset inside the line")
    func random() {
        var generator = SeededGenerator()
        let pieces = ["W", "H", "F", "I", "A", "C", "X", " ", ":", "0", "16", "999999999", "p", "420", "\u{0}", "é"]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<24, using: &generator)
            var line = Array("YUV4MPEG2 ".utf8)
            for _ in 0..<count {
                line += Array((pieces.randomElement(using: &generator) ?? "").utf8)
            }
            if Bool.random(using: &generator), let index = line.indices.randomElement(using: &generator) {
                line[index] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(MediaFileError) {
                let header = try Y4MHeader(parsing: line)
                #expect((1...65535).contains(header.width) && (1...65535).contains(header.height))
            } catch {
                #expect((0...Int64(line.count)).contains(error.byteOffset ?? -1))
            }
        }
    }
}
