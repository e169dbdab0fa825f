// SPDX-License-Identifier: MIT

public import EncoderAPI

/// A few planar 4:2:0 pictures in memory, to encode here and to write for a reference program.
public struct TestClip: Sendable {
    /// Luma samples in a row.
    public let width: Int
    /// Luma rows.
    public let height: Int
    /// The planar format of the pictures.
    public let format: PixelFormat
    /// What the Y4M file says.
    public let frameRate: FrameRate
    /// Y, Cb and Cr of each picture, without padding.
    public let frames: [[UInt8]]

    /// Makes a clip of pictures that are there already.
    public init(width: Int, height: Int, format: PixelFormat, frameRate: FrameRate, frames: [[UInt8]]) {
        self.width = width
        self.height = height
        self.format = format
        self.frameRate = frameRate
        self.frames = frames
    }

    /// Thrown for a file that cannot be read here.
    public struct NotPlain: Error {}

    /// Reads a 4:2:0 Y4M file of eight bits.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - frameLimit: How many pictures to take at most.
    /// - Throws: ``NotPlain`` for a header without size or frame rate.
    public init(y4m bytes: [UInt8], frameLimit: Int) throws {
        let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
        let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").dropFirst()
        func value(_ tag: Character) -> Substring? { fields.first { $0.first == tag }?.dropFirst() }
        let rate = value("F")?.split(separator: ":").compactMap { Int($0) } ?? []
        guard let width = value("W").flatMap({ Int($0) }), let height = value("H").flatMap({ Int($0) }), rate.count == 2
        else { throw NotPlain() }
        let size = PixelFormat.i420.byteCount(width: width, height: height)
        var frames: [[UInt8]] = []
        var position = end + 1
        while frames.count < frameLimit, let line = bytes[position...].firstIndex(of: 10), line + size < bytes.count {
            frames.append(Array(bytes[(line + 1)..<(line + 1 + size)]))
            position = line + 1 + size
        }
        self.init(
            width: width, height: height, format: .i420, frameRate: FrameRate(numerator: rate[0], denominator: rate[1]),
            frames: frames)
    }

    /// The clip as a Y4M file.
    public var y4m: [UInt8] {
        let chroma = [8: "420jpeg", 10: "420p10 XYSCSS=420P10", 12: "420p12 XYSCSS=420P12"][format.bitDepth] ?? ""
        let rate = "\(frameRate.numerator):\(frameRate.denominator)"
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F\(rate) Ip A0:0 C\(chroma)\n".utf8)
        for frame in frames { bytes += Array("FRAME\n".utf8) + frame }
        return bytes
    }

    /// One picture, in a buffer with padded rows.
    ///
    /// - Parameters:
    ///   - index: Which.
    ///   - format: A 4:2:0 layout of the clip's bytes per sample; nil for the clip's own.
    /// - Returns: The picture.
    /// - Throws: `EncoderError` when there is no memory.
    public func pixelBuffer(_ index: Int, format: PixelFormat? = nil) throws(EncoderError) -> PixelBuffer {
        let format = format ?? self.format
        var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
        frames[index].withUnsafeBytes { samples in
            let luma = width * height * format.bytesPerSample
            let chroma = (samples.count - luma) / 2
            let planes = [
                samples[..<luma], samples[luma..<(luma + chroma)], samples[(luma + chroma)...],
            ].map { UnsafeRawBufferPointer(rebasing: $0) }
            for plane in 0..<format.planeCount {
                let rows = format.rows(plane: plane, height: height)
                let rowBytes = format.rowBytes(plane: plane, width: width)
                buffer.withMutablePlane(plane) { target, bytesPerRow in
                    for row in 0..<rows {
                        let target = UnsafeMutableRawBufferPointer(rebasing: target[(row * bytesPerRow)...])
                        if plane > 0, format.isBiplanar {
                            Self.interleave(
                                planes[1], planes[2], from: row * rowBytes / 2, to: target, count: rowBytes / 2,
                                bytesPerSample: format.bytesPerSample)
                        } else {
                            target.copyBytes(from: planes[plane][(row * rowBytes)..<((row + 1) * rowBytes)])
                        }
                    }
                }
            }
        }
        return PixelBuffer(buffer)
    }

    /// Writes `count` bytes of both chroma planes in turns, a sample of each at a time.
    private static func interleave(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, from start: Int,
        to target: UnsafeMutableRawBufferPointer, count: Int, bytesPerSample: Int
    ) {
        for offset in 0..<count {
            let place = offset / bytesPerSample * 2 * bytesPerSample + offset % bytesPerSample
            target[place] = first[start + offset]
            target[place + bytesPerSample] = second[start + offset]
        }
    }
}
