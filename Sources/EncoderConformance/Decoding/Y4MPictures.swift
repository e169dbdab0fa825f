// SPDX-License-Identifier: MIT

import EncoderAPI

/// The pictures of a YUV4MPEG2 stream in 4:2:0, as ffmpeg writes it.
struct Y4MPictures {
    let pictures: [PixelBuffer]

    /// Takes a whole stream apart; none at all has no pictures.
    init(_ bytes: [UInt8]) throws(DecoderError) {
        guard !bytes.isEmpty else {
            pictures = []
            return
        }
        guard let end = bytes.firstIndex(of: 0x0A) else { throw DecoderError("a YUV4MPEG2 header without an end") }
        let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        func field(_ letter: Character) -> Substring? {
            fields.dropFirst().first { $0.first == letter }?.dropFirst()
        }
        guard fields.first == "YUV4MPEG2", let width = field("W").flatMap({ Int($0) }),
            let height = field("H").flatMap({ Int($0) }), let format = Self.format(field("C") ?? "420")
        else { throw DecoderError("a YUV4MPEG2 header of \(fields), expected a size and 4:2:0 samples") }
        var pictures: [PixelBuffer] = []
        var place = end + 1
        let frame = Array("FRAME".utf8)
        while place < bytes.count {
            guard bytes[place...].starts(with: frame), let line = bytes[place...].firstIndex(of: 0x0A) else {
                throw DecoderError("no FRAME in YUV4MPEG2 where picture \(pictures.count) begins")
            }
            place = line + 1
            pictures.append(try Self.picture(bytes, at: &place, format, width: width, height: height))
        }
        self.pictures = pictures
    }

    private static func format(_ name: Substring) -> PixelFormat? {
        switch name {
        case "420", "420jpeg", "420mpeg2", "420paldv": .i420
        case "420p10": .i010
        case "420p12": .i012
        default: nil
        }
    }

    private static func picture(
        _ bytes: [UInt8], at place: inout Int, _ format: PixelFormat, width: Int, height: Int
    ) throws(DecoderError) -> PixelBuffer {
        var picture: MutablePixelBuffer
        do throws(EncoderError) {
            picture = try MutablePixelBuffer(format: format, width: width, height: height)
        } catch {
            throw DecoderError(error.reason)
        }
        for plane in 0..<format.planeCount {
            let rowBytes = format.rowBytes(plane: plane, width: width)
            let rows = format.rows(plane: plane, height: height)
            guard bytes.count - place >= rows * rowBytes else {
                throw DecoderError("YUV4MPEG2 that ends inside a picture of \(width)x\(height)")
            }
            let start = place
            picture.withMutablePlane(plane) { target, bytesPerRow in
                bytes.withUnsafeBytes { source in
                    for row in 0..<rows {
                        let line = source[start + row * rowBytes..<start + (row + 1) * rowBytes]
                        UnsafeMutableRawBufferPointer(rebasing: target[(row * bytesPerRow)...])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: line))
                    }
                }
            }
            place += rows * rowBytes
        }
        return PixelBuffer(picture)
    }
}
