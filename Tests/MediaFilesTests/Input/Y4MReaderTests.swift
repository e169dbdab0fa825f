// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite struct Y4MReaderTests {
    @Test(
        "pictures of any size come back byte for byte, with times of the frame rate",
        arguments: [
            (1, 1, "420jpeg", PixelFormat.i420), (3, 5, "420mpeg2", .i420), (16, 16, "420jpeg", .i420),
            (175, 143, "420jpeg", .i420), (33, 17, "420p10", .i010), (64, 2, "420p12", .i012),
        ])
    func roundTrip(width: Int, height: Int, chroma: String, format: PixelFormat) async throws {
        let samples = patternSamples(format: format, width: width, height: height, count: 3)
        let file = y4mFile(
            header: "W\(width) H\(height) F30000:1001 Ip C\(chroma)", samples: samples,
            frameBytes: samples.count / 3)
        try await withTemporaryDirectory { folder in
            let source = try VideoInput.open(path: try folder.write(file, to: "named.raw"))
            #expect(source.info.pixelFormat == format)
            #expect(source.info.frameCount == 3)
            #expect(source.info.frameRate == FrameRate(numerator: 30000, denominator: 1001))
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            #expect(contents.samples == Samples(samples))
            #expect(contents.times.map(\.value) == [0, 1001, 2002])
            #expect(contents.times.allSatisfy { $0.timescale == 30000 })
            #expect(contents.durations.allSatisfy { $0 == MediaTime(value: 1001, timescale: 30000) })
            #expect(source.byteOffset == Int64(file.count))
        }
    }

    @Test("header lines of pictures may have parameters", arguments: ["FRAME Ip?", "FRAME I1p", "FRAME Xsomething"])
    func frameParameters(frameHeader: String) async throws {
        // 2x2 pictures are shorter than their header lines.
        for side in [2, 16] {
            let samples = patternSamples(format: .i420, width: side, height: side, count: 4)
            let file = y4mFile(
                header: "W\(side) H\(side) F25:1", frameHeader: frameHeader, samples: samples,
                frameBytes: samples.count / 4)
            try await withTemporaryDirectory { folder in
                let source = try VideoInput.open(path: try folder.write(file, to: "clip.y4m"))
                #expect(source.info.frameCount == nil)
                let contents = SourceContents(source)
                if frameHeader == "FRAME Ip?" {
                    #expect(contents.error?.code == .unsupported)
                    #expect(contents.error?.byteOffset == Int64("YUV4MPEG2 W\(side) H\(side) F25:1\n".utf8.count))
                } else {
                    #expect(contents.error == nil)
                    #expect(contents.samples == Samples(samples))
                }
            }
        }
    }

    @Test("a file cut at any byte gives its whole pictures, then an error with the offset")
    func truncated() async throws {
        let samples = patternSamples(format: .i420, width: 4, height: 4, count: 3)
        let header = "YUV4MPEG2 W4 H4 F25:1\n".utf8.count
        let file = y4mFile(header: "W4 H4 F25:1", samples: samples, frameBytes: 24)
        try await withTemporaryDirectory { folder in
            for count in 0..<file.count {
                let path = try folder.write(file[..<count], to: "cut.y4m")
                guard count >= header else {
                    #expect(throws: MediaFileError.self) { try VideoInput.open(path: path) }
                    continue
                }
                let source = try VideoInput.open(path: path)
                let contents = SourceContents(source)
                #expect(contents.count == (count - header) / 30)
                #expect(contents.samples == Samples(samples[..<(contents.count * 24)]))
                if (count - header) % 30 == 0 {
                    #expect(contents.error == nil)
                } else {
                    #expect(contents.error?.code == .truncated)
                    #expect((Int64(header)...Int64(count)).contains(contents.error?.byteOffset ?? -1))
                    #expect(SourceContents(source).error == contents.error)
                }
            }
        }
    }

    @Test("a picture is found behind others that are not read, with its own time", arguments: [0, 1, 5, 8])
    func skipping(count: Int) async throws {
        let samples = patternSamples(format: .i420, width: 64, height: 64, count: 8)
        let frameBytes = samples.count / 8
        let file = y4mFile(header: "W64 H64 F25:1", samples: samples, frameBytes: frameBytes)
        try await withTemporaryDirectory { folder in
            let source = try VideoInput.open(path: try folder.write(file, to: "clip.y4m"))
            #expect(try source.skip(count))
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            #expect(contents.samples == Samples(samples[(count * frameBytes)...]))
            #expect(contents.times.map(\.value) == (Int64(count)..<8).map { $0 })
        }
    }

    @Test("pictures that have to be read to find the next one are not gone past, and nothing is lost")
    func unskippable() async throws {
        let samples = patternSamples(format: .i420, width: 16, height: 16, count: 4)
        let frameBytes = samples.count / 4
        let plain = y4mFile(header: "W16 H16 F25:1", samples: samples, frameBytes: frameBytes)
        let long = y4mFile(header: "W16 H16 F25:1", frameHeader: "FRAME X1", samples: samples, frameBytes: frameBytes)
        // The second picture alone has a parameter.
        let second = plain.count - 3 * (frameBytes + 6)
        let mixed = Array(plain[..<second]) + Array("FRAME X1\n".utf8) + Array(plain[(second + 6)...])
        try await withTemporaryDirectory { folder in
            for (name, file, count) in [("short", plain, 5), ("long", long, 1), ("mixed", mixed, 3)] {
                let source = try VideoInput.open(path: try folder.write(file, to: "\(name).y4m"))
                #expect(try !source.skip(count), "\(name)")
                let contents = SourceContents(source)
                #expect(contents.error == nil && contents.samples == Samples(samples), "\(name)")
                #expect(contents.times.map(\.value) == [0, 1, 2, 3], "\(name)")
            }
        }
    }

    @Test("bytes that are no picture header are corrupt at their offset")
    func corrupt() async throws {
        var file = y4mFile(
            header: "W4 H4 F25:1", samples: patternSamples(format: .i420, width: 4, height: 4, count: 3),
            frameBytes: 24)
        let second = "YUV4MPEG2 W4 H4 F25:1\n".utf8.count + 30
        file[second + 2] = UInt8(ascii: "X")
        try await withTemporaryDirectory { folder in
            let contents = SourceContents(try VideoInput.open(path: try folder.write(file, to: "corrupt.y4m")))
            #expect(contents.count == 1)
            #expect(contents.error?.code == .corrupt)
            #expect(contents.error?.byteOffset == Int64(second))
        }
    }

    @Test("random damage never gives more than a typed error")
    func random() async throws {
        var generator = SeededGenerator()
        let file = y4mFile(
            header: "W4 H4 F25:1 C420jpeg", frameHeader: "FRAME X1",
            samples: patternSamples(format: .i420, width: 4, height: 4, count: 2), frameBytes: 24)
        try await withTemporaryDirectory { folder in
            for _ in 0..<500 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    damaged[Int.random(in: 10..<damaged.count, using: &generator)] =
                        UInt8.random(in: 0...255, using: &generator)
                }
                let path = try folder.write(damaged, to: "damaged.y4m")
                do throws(MediaFileError) {
                    let contents = SourceContents(try VideoInput.open(path: path))
                    #expect(contents.count <= damaged.count)
                } catch {
                    #expect(error.path == path)
                }
            }
        }
    }

    @Test("a header without a line feed ends at the limit")
    func endlessHeader() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(Array("YUV4MPEG2 X".utf8) + [UInt8](repeating: 0x58, count: 1 << 20), to: "x")
            let error = #expect(throws: MediaFileError.self) { try VideoInput.open(path: path) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test("memory of pictures nobody holds is used again")
    func recycling() async throws {
        let samples = patternSamples(format: .i420, width: 64, height: 64, count: 8)
        let file = y4mFile(header: "W64 H64 F25:1", samples: samples, frameBytes: samples.count / 8)
        try await withTemporaryDirectory { folder in
            let source = try VideoInput.open(path: try folder.write(file, to: "clip.y4m"))
            var addresses: Set<UnsafeRawPointer> = []
            while let frame = try source.next() { addresses.insert(frame.picture.unsafeAddress(plane: 0)) }
            #expect(addresses.count == 1)
        }
    }

    @Test("a missing file and a folder are errors that name them", arguments: ["/nonexistent.y4m", "/"])
    func cannotOpen(path: String) {
        let error = #expect(throws: MediaFileError.self) { try VideoInput.open(path: path) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.path == path)
    }

    @Test(
        "real clips are read as FFmpeg reads them", .requiresMedia("clips"), .requiresProgram(.ffmpeg),
        arguments: ["carphone_qcif_120f", "colorbars_152x100_10f", "park_joy_480x270_10f", "sparks_480x270_10bit_5f"])
    func oracle(clip: String) async throws {
        let path = try TestMedia.path("clips/\(clip).y4m")
        let expected = try await ExternalProgram.ffmpeg.run(["-v", "error", "-i", path, "-f", "rawvideo", "-"])
        let contents = SourceContents(try VideoInput.open(path: path))
        #expect(contents.error == nil)
        #expect(contents.samples == Samples(expected.standardOutput))
    }
}
