// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import MediaFiles
import TestSupport
import Testing

/// Which library makes which pictures into 4:2:0.
@Suite struct FrameConverterTests {
    private static let size = (width: 70, height: 50)

    /// The samples of a clip of two pictures as the reader gives them, and as they were before.
    private func clip(_ format: String, _ codec: [String] = ["-c:v", "ffv1"]) async throws -> (
        source: any VideoSource, given: [UInt8], samples: [UInt8]
    ) {
        try await withTemporaryDirectory { folder in
            let path = folder.path("clip.nut")
            try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(Self.size.width)x\(Self.size.height):rate=25",
                    "-frames:v", "2", "-pix_fmt", format,
                ] + codec + [path])
            let raw = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-",
            ])
            let source = try VideoInput.open(path: path)
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            return (source, raw.standardOutput, contents.samples.bytes)
        }
    }

    /// What libswscale makes of the pictures of a clip, called as it always was.
    private func swscale(
        _ bytes: [UInt8], _ format: AVPixelFormat, planes: [(bytesPerRow: Int, rows: Int)], isRGB: Bool
    ) throws -> [UInt8] {
        var reason = [CChar](repeating: 0, count: 512)
        let scaling = try #require(clibav_load_scaling(&reason, reason.count)).pointee
        let (width, height) = (CInt(Self.size.width), CInt(Self.size.height))
        let context = try #require(
            scaling.sws_getContext(
                width, height, format, width, height, AV_PIX_FMT_YUV420P, SWS_BICUBIC | SWS_ACCURATE_RND, nil, nil, nil)
        )
        defer { scaling.sws_freeContext(context) }
        let coefficients = scaling.sws_getCoefficients(isRGB ? SWS_CS_ITU709 : 2)
        _ = scaling.sws_setColorspaceDetails(context, coefficients, isRGB ? 1 : 0, coefficients, 0, 0, 1 << 16, 1 << 16)
        let (columns, rows) = ((Self.size.width + 1) / 2, (Self.size.height + 1) / 2)
        let stride = 128
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            var target = [UInt8](repeating: 0, count: stride * (Self.size.height + 2 * rows))
            // Rows with room behind them, as decoders give them.
            let inputs = planes.map { plane in
                let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: (plane.bytesPerRow + 64) * plane.rows)
                input.initialize(repeating: 0)
                for row in 0..<plane.rows {
                    for column in 0..<plane.bytesPerRow {
                        input[row * (plane.bytesPerRow + 64) + column] = bytes[place]
                        place += 1
                    }
                }
                return input
            }
            defer { inputs.forEach { $0.deallocate() } }
            let sources = (0..<4).map { $0 < inputs.count ? UnsafePointer(inputs[$0].baseAddress) : nil }
            let strides = (0..<4).map { $0 < planes.count ? CInt(planes[$0].bytesPerRow + 64) : 0 }
            target.withUnsafeMutableBufferPointer { memory in
                var targets: [UnsafeMutablePointer<UInt8>?] = [0, Self.size.height, Self.size.height + rows].map {
                    memory.baseAddress.map { $0 + 0 }?.advanced(by: $0 * stride)
                }
                targets.append(nil)
                var targetStrides = [CInt(stride), CInt(stride), CInt(stride), 0]
                #expect(scaling.sws_scale(context, sources, strides, 0, height, &targets, &targetStrides) == height)
            }
            for row in 0..<Self.size.height + 2 * rows {
                let count = row < Self.size.height ? Self.size.width : columns
                result += target[row * stride..<row * stride + count]
            }
        }
        return result
    }

    private static let formats: [(String, AVPixelFormat, [(bytesPerRow: Int, rows: Int)], Bool)] = [
        ("yuv422p", AV_PIX_FMT_YUV422P, [(70, 50), (35, 50), (35, 50)], false),
        ("gbrp", AV_PIX_FMT_GBRP, [(70, 50), (70, 50), (70, 50)], true),
        ("bgr0", AV_PIX_FMT_BGR0, [(280, 50)], true),
        ("bgr24", AV_PIX_FMT_BGR24, [(210, 50)], true),
    ]

    @Test(
        "formats that PictureTransfer does not take have libswscale's bytes", .requiresProgram(.ffmpeg),
        arguments: formats.indices)
    func unchanged(index: Int) async throws {
        let (name, format, planes, isRGB) = Self.formats[index]
        let clip = try await clip(name, ["-c:v", "rawvideo"])
        #expect(clip.source.info.conversions.first?.contains(name) == true)
        #expect(clip.samples == (try swscale(clip.given, format, planes: planes, isRGB: isRGB)))
    }

    @Test(
        "RGB comes in BT.709 of limited range, from whatever order of its samples", .requiresProgram(.ffmpeg),
        arguments: ["bgra", "rgba", "argb", "rgb24"])
    func rgb(name: String) async throws {
        let clip = try await clip(name, ["-c:v", "rawvideo"])
        #expect(clip.source.info.color == .bt709)
        #expect(clip.source.info.pixelFormat == .i420)
        let alpha = name == "rgb24" ? "" : ", without its alpha channel"
        #expect(
            clip.source.info.conversions == ["converted from \(name) to 4:2:0 of 8 bits, BT.709 limited range\(alpha)"])
        // Y of the first picture by the standard's sentence.
        let (size, red) = (name == "rgb24" ? 3 : 4, name == "bgra" ? 2 : name == "argb" ? 1 : 0)
        let (green, blue) = (name == "argb" ? 2 : 1, name == "bgra" ? 0 : red + 2)
        for pixel in 0..<Self.size.width * Self.size.height {
            let bytes = clip.given[pixel * size..<(pixel + 1) * size].map { Double($0) }
            let sum = 0.2126 * bytes[red] + 0.7152 * bytes[green] + 0.0722 * bytes[blue]
            #expect(abs(Double(clip.samples[pixel]) - (16 + sum * 219 / 255)) <= 0.52, "pixel \(pixel)")
        }
    }

    @Test(
        "4:2:2 in one plane keeps Y, and has the mean of two rows of Cb and Cr", .requiresProgram(.ffmpeg),
        arguments: ["yuyv422", "uyvy422"])
    func fourTwoTwo(name: String) async throws {
        let clip = try await clip(name, ["-c:v", "rawvideo"])
        #expect(clip.source.info.conversions == ["converted from \(name) to 4:2:0 of 8 bits"])
        let (width, height) = Self.size
        let first = name == "uyvy422" ? 1 : 0
        for pixel in 0..<width * height { #expect(clip.samples[pixel] == clip.given[2 * pixel + first]) }
        for row in 0..<height / 2 {
            for column in 0..<width / 2 {
                let place = 1 - first + 4 * row * width + 4 * column
                let mean = (Int(clip.given[place]) + Int(clip.given[place + 2 * width]) + 1) / 2
                #expect(Int(clip.samples[width * height + row * width / 2 + column]) == mean)
            }
        }
    }

    @Test("4:4:4 keeps Y, and has Cb and Cr at the left of two columns", .requiresProgram(.ffmpeg))
    func fourFourFour() async throws {
        let clip = try await clip("yuv444p")
        #expect(clip.source.info.conversions == ["converted from yuv444p to 4:2:0 of 8 bits"])
        let (width, height) = Self.size
        #expect(clip.samples.prefix(width * height) == clip.given.prefix(width * height))
        func cb(_ x: Int, _ y: Int) -> Int { Int(clip.given[width * height + y * width + max(x, 0)]) }
        for row in 0..<height / 2 {
            for column in 0..<width / 2 {
                var sum = 4
                for y in [2 * row, 2 * row + 1] {
                    sum += cb(2 * column - 1, y) + 2 * cb(2 * column, y) + cb(2 * column + 1, y)
                }
                #expect(Int(clip.samples[width * height + row * width / 2 + column]) == sum / 8)
            }
        }
    }

    @Test("pictures whose rows go upwards in memory are the right way up", .requiresProgram(.ffmpeg))
    func upsideDown() async throws {
        try await withTemporaryDirectory { folder in
            let paths = [folder.path("up.avi"), folder.path("down.nut")]
            for path in paths {
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x50:rate=25", "-frames:v", "1", "-pix_fmt",
                    "bgra",
                    "-c:v", "rawvideo", path,
                ])
            }
            let samples = try paths.map { SourceContents(try VideoInput.open(path: $0)).samples }
            #expect(samples[0] == samples[1])
        }
    }
}
