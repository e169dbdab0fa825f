// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import ParameterSets
import TestSupport

/// The bytes of fake streams: real parameter sets of 128x96 pictures, slices that only name a picture.
enum FakeStream {
    // x264 --preset veryfast --level 4.0 (128x96, 30 frames per second)
    private static let h264 = [
        Hex.bytes("67640028 ACD9420D B0110000 03000100 00030 03C8F18 3196"), Hex.bytes("68EF8FCB"),
    ]
    // x265 --preset ultrafast (128x96, 30 frames per second)
    private static let hevc = [
        Hex.bytes("40010C01 FFFF0160 00000300 90000003 00000300 1E959409"),
        Hex.bytes("42010101 60000003 00900000 03000003 001EA010 20616595 95293 0BC0404 00000300 04000003 00782 0"),
        Hex.bytes("4401C073 C189"),
    ]

    /// VPS, SPS and PPS for pictures of the size asked for; versions differ in their level.
    static func sets(_ settings: ResolvedSettings, version: UInt8 = 0) -> [[UInt8]] {
        guard settings.codec == .h264, var sps = try? H264SPS(nalUnit: h264[0]) else { return hevc }
        sps.picWidthInMbsMinus1 = (settings.codedWidth + 15) / 16 - 1
        sps.picHeightInMapUnitsMinus1 = (settings.codedHeight + 15) / 16 - 1
        sps.levelIdc = version == 0 ? 40 : 50 + Int(version % 3)
        return [(try? sps.nalUnit()) ?? h264[0], h264[1]]
    }

    static func sliceHeader(_ codec: VideoCodec, isIDR: Bool, isReference: Bool) -> [UInt8] {
        switch codec {
        // nal_ref_idc 3, 2 or 0; types 5 and 1.
        case .h264: isIDR ? [0x65] : (isReference ? [0x41] : [0x01])
        // IDR_W_RADL, TRAIL_R, TRAIL_N.
        case .hevc: isIDR ? [0x26, 0x01] : (isReference ? [0x02, 0x01] : [0x00, 0x01])
        }
    }

    /// User data unregistered under a UUID that no session knows.
    static func versionSEI(_ codec: VideoCodec) -> [UInt8] {
        let text = Array("fake encoder 1.0, options: none".utf8)
        let header: [UInt8] = codec == .h264 ? [0x06] : [0x4E, 0x01]
        return header + [5, UInt8(16 + text.count)] + [UInt8](repeating: 0xAB, count: 16) + text + [0x80]
    }
}

/// Finds the pictures again that slices of a ``FakeEncoder`` name.
struct FakeDecoder: ReferenceDecoder {
    let shelf: FakeShelf

    func decode(_ stream: EncodedStream) async throws -> [PixelBuffer] {
        var pictures: [PixelBuffer] = []
        var late: PixelBuffer?
        for unit in stream.accessUnits {
            let picture = try picture(of: unit, codec: stream.codec)
            // The frame that was coded early is shown after the B picture that follows it.
            if unit.pictureType == .b {
                pictures.append(picture)
            } else {
                if let late { pictures.append(late) }
                late = picture
            }
        }
        return pictures + [late].compactMap { $0 }
    }

    private func picture(of unit: AccessUnit, codec: VideoCodec) throws -> PixelBuffer {
        let headerLength = codec == .h264 ? 1 : 2
        let isSlice = { (range: Range<Int>) in
            codec == .h264 ? [1, 5].contains(unit.data[range.lowerBound] & 0x1F) : unit.data[range.lowerBound] < 0x40
        }
        guard let slice = unit.nalUnits.first(where: isSlice), slice.count > headerLength + 4 else {
            throw FakeDecoderError.noSlice
        }
        let start = slice.lowerBound + headerLength
        let id = unit.data[start..<start + 4].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        guard let entry = shelf.entry(id) else { throw FakeDecoderError.unknownPicture(id) }
        return try entry.cropped()
    }
}

enum FakeDecoderError: Error {
    case noSlice
    case unknownPicture(Int)
}

extension FakeShelf.Entry {
    /// The picture without its padding, in the same memory.
    func cropped() throws -> PixelBuffer {
        let planes = (0..<picture.format.planeCount).map { plane in
            let count = picture.withPlane(plane) { bytes, _ in bytes.count }
            return PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(start: picture.unsafeAddress(plane: plane), count: count),
                bytesPerRow: picture.bytesPerRow(plane: plane))
        }
        let owner = picture
        return try PixelBuffer(wrapping: planes, format: picture.format, width: width, height: height) {
            withExtendedLifetime(owner) {}
        }
    }
}
