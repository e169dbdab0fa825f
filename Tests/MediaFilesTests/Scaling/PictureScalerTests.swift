// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite struct PictureScalerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var format: String
        var from: (width: Int, height: Int)
        var to: (width: Int, height: Int)
        var testDescription: String { "\(format), \(from.width)x\(from.height) to \(to.width)x\(to.height)" }
    }

    private static let sizes = [
        [192, 108, 96, 54], [192, 108, 144, 80], [96, 54, 192, 108], [71, 53, 36, 26], [36, 26, 71, 53],
        [64, 64, 62, 64], [130, 66, 2, 2],
    ]

    static let rows = ["yuv420p", "yuv420p10le", "yuv420p12le"].flatMap { format in
        sizes.map { Row(format: format, from: ($0[0], $0[1]), to: ($0[2], $0[3])) }
    }

    /// Pictures with hard edges and noise, as FFV1.
    private static func clip(_ row: Row, in folder: TemporaryDirectory) async throws -> String {
        let path = folder.path("clip.nut")
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(row.from.width)x\(row.from.height):rate=25",
            "-frames:v",
            "3", "-vf", "noise=alls=40:allf=t+u", "-pix_fmt", row.format, "-c:v", "ffv1", path,
        ])
        return path
    }

    @Test(
        "samples are those of ffmpeg's scale filter, down and up, at all depths", .inTurn(), .requiresProgram(.ffmpeg),
        arguments: rows)
    func sameAsFilter(row: Row) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await Self.clip(row, in: folder)
            let flags = "bicubic+accurate_rnd+bitexact"
            let expected = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", path, "-vf", "scale=\(row.to.width):\(row.to.height):flags=\(flags)", "-f",
                "rawvideo",
                "-pix_fmt", row.format, "-",
            ])
            let source = ScaledSource(try VideoInput.open(path: path), width: row.to.width, height: row.to.height)
            #expect(source.info.width == row.to.width && source.info.height == row.to.height)
            let contents = SourceContents(source)
            #expect(contents.error == nil && contents.count == 3)
            #expect(contents.samples == Samples(expected.standardOutput))
        }
    }

    @Test("another picture than the scaler was made for is refused by its format and size")
    func others() throws {
        let scaler = try PictureScaler(format: .i420, width: 64, height: 48, toWidth: 32, toHeight: 24)
        for (format, width, height) in [(PixelFormat.i420, 62, 48), (.nv12, 64, 48), (.i420, 64, 50)] {
            let picture = PixelBuffer(try MutablePixelBuffer(format: format, width: width, height: height))
            let error = #expect(throws: MediaFileError.self) { try scaler.scale(picture) }
            #expect(error?.reason == "a picture of \(format), \(width)x\(height), expected i420, 64x48")
        }
        #expect(throws: MediaFileError.self) {
            try PictureScaler(format: .bgra, width: 64, height: 48, toWidth: 32, toHeight: 24)
        }
    }

    @Test("pictures of one gray stay that gray in every format")
    func gray() throws {
        for format in PixelFormat.allCases where format.isFourTwoZero {
            var picture = try MutablePixelBuffer(format: format, width: 70, height: 50)
            for plane in 0..<format.planeCount {
                picture.withMutablePlane(plane) { bytes, _ in
                    for place in bytes.indices { bytes[place] = format.bytesPerSample == 1 || place % 2 == 1 ? 1 : 64 }
                }
            }
            let gray = PixelBuffer(picture)
            let scaler = try PictureScaler(format: format, width: 70, height: 50, toWidth: 140, toHeight: 24)
            let scaled = packedSamples(try scaler.scale(gray))
            #expect(scaled.count == format.byteCount(width: 140, height: 24))
            let pattern = packedSamples(gray).prefix(format.bytesPerSample)
            let isGray = scaled.indices.allSatisfy { scaled[$0] == pattern[$0 % format.bytesPerSample] }
            #expect(isGray, "\(format)")
        }
    }

    @Test("what scales is named with its version")
    func maker() throws {
        let words = try PictureScaler.maker().split(separator: " ")
        #expect(words.first == "libswscale" && words.last == "bicubic")
        #expect(words.count == 3 && words[1].split(separator: ".").count == 3)
    }
}
