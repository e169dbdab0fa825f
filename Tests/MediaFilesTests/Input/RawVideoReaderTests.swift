// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite struct RawVideoReaderTests {
    @Test("pictures of every format come back byte for byte", arguments: PixelFormat.allCases, [(16, 8), (7, 5)])
    func roundTrip(format: PixelFormat, size: (Int, Int)) async throws {
        let samples = patternSamples(format: format, width: size.0, height: size.1, count: 3)
        try await withTemporaryDirectory { folder in
            let source = try VideoInput.open(
                path: try folder.write(samples, to: "clip.yuv"),
                rawFormat: RawVideoFormat(pixelFormat: format, width: size.0, height: size.1, frameRate: 50))
            #expect(source.info.frameCount == 3)
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            #expect(contents.samples == Samples(samples))
            #expect(contents.times == (0..<3).map { MediaTime(value: $0, timescale: 50) })
        }
    }

    @Test("a picture is found behind others that are not read, with its own time")
    func skipping() async throws {
        let samples = patternSamples(format: .i420, width: 4, height: 4, count: 5)
        try await withTemporaryDirectory { folder in
            let source = try VideoInput.open(
                path: try folder.write(samples, to: "clip.yuv"),
                rawFormat: RawVideoFormat(pixelFormat: .i420, width: 4, height: 4))
            #expect(try !source.skip(6))
            #expect(try source.skip(2))
            #expect(try source.skip(1))
            let contents = SourceContents(source)
            #expect(contents.error == nil && contents.samples == Samples(samples[(3 * 24)...]))
            #expect(contents.times.map(\.value) == [3, 4])
        }
    }

    @Test("an incomplete last picture is an error with the offset")
    func truncated() async throws {
        let samples = patternSamples(format: .i420, width: 4, height: 4, count: 2)
        try await withTemporaryDirectory { folder in
            let source = try VideoInput.open(
                path: try folder.write(samples.dropLast(5), to: "clip.yuv"),
                rawFormat: RawVideoFormat(pixelFormat: .i420, width: 4, height: 4))
            let contents = SourceContents(source)
            #expect(contents.count == 1)
            #expect(contents.error?.code == .truncated)
            #expect(contents.error?.byteOffset == 43)
        }
    }

    @Test(
        "sides and rates out of range are refused",
        arguments: [(0, 16, FrameRate(25)), (16, -1, 25), (65536, 16, 25), (16, 16, FrameRate(numerator: -1))])
    func invalid(width: Int, height: Int, rate: FrameRate) async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write([0], to: "clip.yuv")
            let format = RawVideoFormat(pixelFormat: .i420, width: width, height: height, frameRate: rate)
            let error = #expect(throws: MediaFileError.self) { try VideoInput.open(path: path, rawFormat: format) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test("without a frame rate, pictures are timed at 25 per second, and the description says so")
    func assumedRate() async throws {
        try await withTemporaryDirectory { folder in
            let raw = try folder.write(patternSamples(format: .i420, width: 4, height: 4, count: 2), to: "clip.yuv")
            let y4m = try folder.write(
                y4mFile(
                    header: "W4 H4 F0:0", samples: patternSamples(format: .i420, width: 4, height: 4, count: 2),
                    frameBytes: 24), to: "clip.y4m")
            let format = RawVideoFormat(pixelFormat: .i420, width: 4, height: 4)
            for source in [try VideoInput.open(path: raw, rawFormat: format), try VideoInput.open(path: y4m)] {
                #expect(source.info.frameRate == 25)
                #expect(source.info.conversions.first?.contains("no frame rate is stated") == true)
                #expect(SourceContents(source).times.map(\.seconds) == [0, 0.04])
            }
        }
    }

    @Test("a header where bare samples are promised is refused, not coded as samples")
    func header() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(
                y4mFile(
                    header: "W4 H4 F25:1", samples: patternSamples(format: .i420, width: 4, height: 4, count: 1),
                    frameBytes: 24), to: "clip.y4m")
            let error = #expect(throws: MediaFileError.self) {
                try VideoInput.open(path: path, rawFormat: RawVideoFormat(pixelFormat: .i420, width: 4, height: 4))
            }
            #expect(error?.code == .invalidValue && error?.reason.contains("YUV4MPEG2") == true)
        }
    }
}
