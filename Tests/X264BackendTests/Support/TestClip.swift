// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport

/// A few planar 4:2:0 frames in memory, to encode here and to write for a reference program.
struct TestClip: Sendable {
    let width: Int
    let height: Int
    /// 8 or 10; samples of ten bits take two bytes, low byte first.
    let bitDepth: Int
    let frameRate: FrameRate
    /// Y, Cb, Cr without padding.
    let frames: [[UInt8]]

    /// A texture that moves two samples a frame under fixed noise, and another one from the middle on.
    static func generated(
        width: Int = 176, height: Int = 144, frameCount: Int = 40, bitDepth: Int = 8, frameRate: FrameRate = 30
    ) -> TestClip {
        var generator = SeededGenerator(seed: 264)
        let noise = generator.bytes(count: 4096)
        let frames = (0..<frameCount).map { index in
            frame(width: width, height: height, bitDepth: bitDepth, index: index, isSecond: index >= frameCount / 2) {
                Int(noise[$0 & 4095] & 15)
            }
        }
        return TestClip(width: width, height: height, bitDepth: bitDepth, frameRate: frameRate, frames: frames)
    }

    private static func frame(
        width: Int, height: Int, bitDepth: Int, index: Int, isSecond: Bool, noise: (Int) -> Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: Int) {
            let sample = min(max(value, 0), 255) << (bitDepth - 8)
            bytes.append(UInt8(truncatingIfNeeded: sample))
            if bitDepth > 8 { bytes.append(UInt8(truncatingIfNeeded: sample >> 8)) }
        }
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (x + 2 * index, y + index)
                append((isSecond ? (u * v / 16) & 127 : (u ^ v) & 127) + 40 + noise(x * 31 + y * 17 + index))
            }
        }
        for plane in 0..<2 {
            for y in 0..<(height + 1) / 2 {
                for x in 0..<(width + 1) / 2 {
                    append(128 + ((plane == 0 ? x + index : y + index) & 31) - (isSecond ? 40 : 0))
                }
            }
        }
        return bytes
    }

    /// Reads a 4:2:0 Y4M file of eight bits.
    init?(y4m bytes: [UInt8], frameLimit: Int) {
        guard let end = bytes.firstIndex(of: 10) else { return nil }
        let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").dropFirst()
        func value(_ tag: Character) -> Substring? { fields.first { $0.first == tag }?.dropFirst() }
        let rate = value("F")?.split(separator: ":").compactMap { Int($0) } ?? []
        guard let width = value("W").flatMap({ Int($0) }), let height = value("H").flatMap({ Int($0) }), rate.count == 2
        else { return nil }
        let size = PixelFormat.i420.byteCount(width: width, height: height)
        var frames: [[UInt8]] = []
        var position = end + 1
        while frames.count < frameLimit, let line = bytes[position...].firstIndex(of: 10), line + size < bytes.count {
            frames.append(Array(bytes[(line + 1)..<(line + 1 + size)]))
            position = line + 1 + size
        }
        self.init(
            width: width, height: height, bitDepth: 8,
            frameRate: FrameRate(numerator: rate[0], denominator: rate[1]), frames: frames)
    }

    init(width: Int, height: Int, bitDepth: Int, frameRate: FrameRate, frames: [[UInt8]]) {
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
        self.frameRate = frameRate
        self.frames = frames
    }

    /// The clip as a Y4M file.
    var y4m: [UInt8] {
        let chroma = bitDepth > 8 ? "420p\(bitDepth)" : "420jpeg"
        let rate = "\(frameRate.numerator):\(frameRate.denominator)"
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F\(rate) Ip A0:0 C\(chroma)\n".utf8)
        for frame in frames { bytes += Array("FRAME\n".utf8) + frame }
        return bytes
    }

    /// Settings for the clip as the program would take it: one thread, everything else by default.
    var settings: ResolvedSettings {
        var settings = ResolvedSettings(
            codec: .h264, width: width, height: height, pixelFormat: bitDepth > 8 ? .i010 : .i420, frameRate: frameRate)
        settings.request.threadCount = 1
        return settings
    }

    /// One frame in a layout of the clip's bit depth.
    func pixelBuffer(_ index: Int, format: PixelFormat) throws(EncoderError) -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
        let sample = format.bytesPerSample
        let frame = frames[index]
        let (lumaBytes, chromaRow) = (width * height * sample, (width + 1) / 2 * sample)
        let chromaBytes = chromaRow * ((height + 1) / 2)
        for plane in 0..<format.planeCount {
            let rowBytes = format.rowBytes(plane: plane, width: width)
            buffer.withMutablePlane(plane) { bytes, bytesPerRow in
                for row in 0..<format.rows(plane: plane, height: height) {
                    for column in 0..<rowBytes {
                        let source: Int =
                            if plane == 0 {
                                row * rowBytes + column
                            } else if format.isBiplanar {
                                lumaBytes + (column / sample % 2) * chromaBytes + row * chromaRow
                                    + column / (2 * sample) * sample + column % sample
                            } else {
                                lumaBytes + (plane - 1) * chromaBytes + row * chromaRow + column
                            }
                        bytes[row * bytesPerRow + column] = frame[source]
                    }
                }
            }
        }
        return PixelBuffer(buffer)
    }
}
