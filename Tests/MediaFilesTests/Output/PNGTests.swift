// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import MediaFiles

@Suite(.requiresProgram(.ffmpeg)) struct PNGTests {
    private func samples(_ png: [UInt8], format: String) async throws -> [UInt8] {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(png, to: "a.png")
            return try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-",
            ]).standardOutput
        }
    }

    @Test("gray samples come back as they are, whatever the width", arguments: [1, 7, 64, 129])
    func gray(width: Int) async throws {
        let gray = (0..<width * 5).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 9) }
        let png = try PNG.bytes(gray: gray, width: width, height: 5)
        #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        #expect(try await samples(png, format: "gray") == gray)
    }

    private func picture(_ format: PixelFormat, _ values: [Int]) throws -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: format, width: 34, height: 20)
        for plane in 0..<format.planeCount {
            picture.withMutablePlane(plane) { bytes, _ in
                for offset in bytes.indices {
                    let component = plane == 0 ? 0 : (format.isBiplanar ? 1 + offset % 2 : plane)
                    let value = values[component] << (format.bitDepth - 8)
                    bytes[offset] = UInt8(
                        truncatingIfNeeded: format.bytesPerSample == 1 ? value : (value >> (8 * (offset % 2))))
                }
            }
        }
        return PixelBuffer(picture)
    }

    @Test(
        "a region has the colors that matrix and range say",
        arguments: [
            // Red of BT.709 and of BT.601, and white of both ranges.
            (PixelFormat.i420, ColorDescription.bt709, [63, 102, 240], [255, 0, 0]),
            (.i420, ColorDescription(), [81, 90, 240], [255, 0, 0]),
            (.i010, .bt709, [63, 102, 240], [255, 0, 0]), (.nv12, .bt709, [63, 102, 240], [255, 0, 0]),
            (.i420, .bt709, [235, 128, 128], [255, 255, 255]),
            (.i420FullRange, .bt709, [235, 128, 128], [235, 235, 235]),
        ])
    func color(format: PixelFormat, color: ColorDescription, values: [Int], expected: [Int]) async throws {
        let region = PictureRegion(x: 2, y: 4, width: 31, height: 15)
        let png = try PNG.bytes(of: picture(format, values), region: region, color: color)
        let rgb = try await samples(png, format: "rgb24").map { Int($0) }
        #expect(rgb.count == 31 * 15 * 3)
        let errors: [Int] = rgb.indices.map { abs(rgb[$0] - expected[$0 % 3]) }
        let worst = errors.max() ?? 255
        #expect(worst <= 2, "\(rgb.prefix(3))")
    }

    @Test("a region starts at its own sample")
    func position() async throws {
        var picture = try MutablePixelBuffer(format: .i420FullRange, width: 16, height: 8)
        picture.withMutablePlane(0) { bytes, stride in
            for row in 0..<8 { for column in 0..<16 { bytes[row * stride + column] = UInt8(row * 16 + column) } }
        }
        for plane in 1...2 {
            picture.withMutablePlane(plane) { bytes, _ in for index in bytes.indices { bytes[index] = 128 } }
        }
        let png = try PNG.bytes(
            of: PixelBuffer(picture), region: PictureRegion(x: 6, y: 2, width: 4, height: 2), color: .bt709)
        let gray = try await samples(png, format: "rgb24").enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(zip(gray, [38, 39, 40, 41, 54, 55, 56, 57]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(gray)")
    }
}
