// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import PictureQuality

/// FFmpeg's psnr and ssim filters as oracle, on raw video so that frames match by number.
@Suite(.requiresProgram(.ffmpeg)) struct QualityOracleTests {
    private static let width = 96
    private static let height = 52

    @Test(
        "PSNR of every plane agrees with FFmpeg to a ten-thousandth, SSIM to a millionth",
        arguments: [(PixelFormat.i420, "yuv420p"), (.i010, "yuv420p10le")])
    func agreement(format: PixelFormat, name: String) async throws {
        let source = try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(Self.width)x\(Self.height):r=25", "-frames:v", "3",
            "-pix_fmt", name, "-f", "rawvideo", "-",
        ]).standardOutput
        var random = SeededGenerator()
        var decoded = source
        for index in stride(from: 0, to: decoded.count, by: format.bytesPerSample) {
            decoded[index] = UInt8(clamping: Int(decoded[index]) + Int.random(in: -6...6, using: &random))
        }
        try await compare(source, decoded, format, name)
    }

    @Test("SSIM agrees on dark pictures too, where the formula's constants decide")
    func darkPictures() async throws {
        var random = SeededGenerator()
        let count = PixelFormat.i420.byteCount(width: Self.width, height: Self.height) * 3
        let source = (0..<count).map { _ in UInt8.random(in: 0...1, using: &random) }
        let decoded = (0..<count).map { _ in UInt8.random(in: 0...2, using: &random) }
        try await compare(source, decoded, .i420, "yuv420p")
    }

    private func compare(_ source: [UInt8], _ decoded: [UInt8], _ format: PixelFormat, _ name: String) async throws {
        let size = format.byteCount(width: Self.width, height: Self.height)
        let expected = try await filters(source, decoded, name)
        let pairs = try (0..<3).map { frame in
            try PicturePair(
                source: picture(source[frame * size..<(frame + 1) * size], format),
                decoded: picture(decoded[frame * size..<(frame + 1) * size], format))
        }
        for (plane, key) in ["PSNR y", "PSNR u", "PSNR v"].enumerated() {
            let errors = pairs.map { $0.measure(MeanSquaredError(), plane: plane) ?? .nan }
            let value = PSNR.decibels(meanSquaredError: errors.reduce(0, +) / 3, bitDepth: format.bitDepth)
            let reference = try #require(expected[key])
            #expect(abs(value - reference) < 1e-4, "\(key): \(value) and \(reference)")
        }
        let worst = pairs.compactMap { $0.measure(MeanSquaredError(), plane: 0) }.max() ?? .nan
        // The filter prints single frames with two decimals.
        let minimum = PSNR.decibels(meanSquaredError: worst, bitDepth: format.bitDepth)
        #expect(abs(minimum - (try #require(expected["PSNR min y"]))) < 0.006)
        for (plane, key) in ["SSIM Y", "SSIM U", "SSIM V"].enumerated() {
            let reference = try #require(expected[key])
            let value = pairs.reduce(0) { $0 + ($1.measure(StructuralSimilarity(), plane: plane) ?? .nan) } / 3
            // The filter prints six decimals.
            #expect(abs(value - reference) < 1e-6, "\(key): \(value) and \(reference)")
        }
    }

    private func picture(_ bytes: ArraySlice<UInt8>, _ format: PixelFormat) throws -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: format, width: Self.width, height: Self.height)
        var rest = bytes
        for plane in 0..<3 {
            let rowBytes = format.rowBytes(plane: plane, width: Self.width)
            for row in 0..<format.rows(plane: plane, height: Self.height) {
                picture.withMutablePlane(plane) { memory, bytesPerRow in
                    for (offset, byte) in rest.prefix(rowBytes).enumerated() {
                        memory[row * bytesPerRow + offset] = byte
                    }
                }
                rest = rest.dropFirst(rowBytes)
            }
        }
        return PixelBuffer(picture)
    }

    /// What the filters print: "PSNR y", "PSNR min y" from the worst frame's line, "SSIM Y".
    private func filters(_ source: [UInt8], _ decoded: [UInt8], _ name: String) async throws -> [String: Double] {
        try await withTemporaryDirectory { folder in
            let raw = ["-f", "rawvideo", "-pix_fmt", name, "-s", "\(Self.width)x\(Self.height)", "-r", "25", "-i"]
            let files = [try folder.write(decoded, to: "decoded.yuv"), try folder.write(source, to: "source.yuv")]
            let inputs = raw + [files[0]] + raw + [files[1]]
            let log = folder.path("psnr.log")
            let psnr = try await ExternalProgram.ffmpeg.run(
                inputs + ["-lavfi", "psnr=stats_file=\(log)", "-f", "null", "-"])
            let ssim = try await ExternalProgram.ffmpeg.run(inputs + ["-lavfi", "ssim", "-f", "null", "-"])
            var values: [String: Double] = [:]
            for line in (psnr.standardError + "\n" + ssim.standardError).split(whereSeparator: \.isNewline) {
                for filter in ["PSNR", "SSIM"] where line.contains(" \(filter) ") && line.contains("Parsed") {
                    for (key, value) in Self.fields(line) { values["\(filter) \(key)"] = value }
                }
            }
            let frames = String(decoding: try folder.read("psnr.log"), as: UTF8.self).split(whereSeparator: \.isNewline)
            values["PSNR min y"] = frames.compactMap { Self.fields($0)["psnr_y"] }.min()
            return values
        }
    }

    private static func fields(_ line: Substring) -> [String: Double] {
        var fields: [String: Double] = [:]
        for word in line.split(separator: " ") {
            let parts = word.split(separator: ":")
            if parts.count == 2, let value = Double(parts[1]) { fields[String(parts[0])] = value }
        }
        return fields
    }
}
