// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import TestSupport

/// Pictures to encode, and the same as a Y4M file for the `x265` program.
struct TestClip {
    let width: Int
    let height: Int
    let format: PixelFormat
    /// One array per picture: Y, Cb and Cr without padding.
    let pictures: [[UInt8]]

    /// Draws textured squares that move over a gradient, with a new scene every 40 pictures and seeded noise.
    init(width: Int = 192, height: Int = 112, format: PixelFormat = .i420, count: Int = 60) {
        self.width = width
        self.height = height
        self.format = format
        var noise = SeededGenerator(seed: UInt64(width * 65536 + height))
        let grain = noise.bytes(count: 4096)
        pictures = (0..<count).map { index in
            var samples: [UInt8] = []
            samples.reserveCapacity(format.byteCount(width: width, height: height))
            for plane in 0..<3 {
                let columns = plane == 0 ? width : (width + 1) / 2
                for row in 0..<format.rows(plane: plane, height: height) {
                    for column in 0..<columns {
                        let value = Self.sample(column, row, plane, picture: index, grain: grain)
                        Self.append(value, depth: format.bitDepth, to: &samples)
                    }
                }
            }
            return samples
        }
    }

    /// Takes the pictures of an 8-bit 4:2:0 Y4M file.
    init(y4m bytes: [UInt8], limit: Int) throws {
        let lineEnd = bytes.firstIndex(of: 10) ?? bytes.endIndex
        let fields = String(decoding: bytes[..<lineEnd], as: UTF8.self).split(separator: " ")
        width = fields.first { $0.hasPrefix("W") }.flatMap { Int($0.dropFirst()) } ?? 0
        height = fields.first { $0.hasPrefix("H") }.flatMap { Int($0.dropFirst()) } ?? 0
        format = .i420
        let size = PixelFormat.i420.byteCount(width: width, height: height)
        var position = lineEnd + 1
        var pictures: [[UInt8]] = []
        while pictures.count < limit, let end = bytes[position...].firstIndex(of: 10), end + 1 + size <= bytes.count {
            pictures.append(Array(bytes[(end + 1)..<(end + 1 + size)]))
            position = end + 1 + size
        }
        self.pictures = pictures
    }

    /// The clip as Y4M at 25 pictures per second.
    var y4m: [UInt8] {
        let tag = [8: "C420jpeg", 10: "C420p10 XYSCSS=420P10", 12: "C420p12 XYSCSS=420P12"][format.bitDepth] ?? ""
        var file = Array("YUV4MPEG2 W\(width) H\(height) F25:1 Ip A0:0 \(tag)\n".utf8)
        for picture in pictures { file += Array("FRAME\n".utf8) + picture }
        return file
    }

    /// One picture as the session would hand it over, in a buffer with padded rows.
    func buffer(_ index: Int) throws -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
        var position = 0
        for plane in 0..<3 {
            let bytes = format.rowBytes(plane: plane, width: width)
            let rows = format.rows(plane: plane, height: height)
            let samples = pictures[index][position..<(position + rows * bytes)]
            buffer.withMutablePlane(plane) { target, stride in
                for row in 0..<rows {
                    target[(row * stride)..<(row * stride + bytes)]
                        .copyBytes(from: samples.dropFirst(row * bytes).prefix(bytes))
                }
            }
            position += rows * bytes
        }
        return PixelBuffer(buffer)
    }

    private static func sample(_ column: Int, _ row: Int, _ plane: Int, picture: Int, grain: [UInt8]) -> Int {
        let scene = picture / 40
        let scale = plane == 0 ? 1 : 2
        let (x, y) = (column * scale, row * scale)
        let inSquare = (x + picture * 3) / 24 % 3 == scene % 3 && (y + picture) / 24 % 2 == 0
        let texture = Int(grain[(x * 7 + y * 131 + scene * 977) % grain.count]) >> (inSquare ? 2 : 5)
        let base = plane == 0 ? (x + y * (scene + 1)) % 180 : 110 + plane * 8 + scene * 5
        return min(base + texture + 16, 235)
    }

    private static func append(_ value: Int, depth: Int, to samples: inout [UInt8]) {
        guard depth > 8 else {
            samples.append(UInt8(value))
            return
        }
        let wide = value << (depth - 8) | value & 3
        samples.append(UInt8(wide & 255))
        samples.append(UInt8(wide >> 8))
    }
}
