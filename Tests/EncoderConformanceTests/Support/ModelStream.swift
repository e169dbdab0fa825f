// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import ParameterSets
import TestSupport

/// The bytes of model streams: real parameter sets and slice headers, slice data that only names a picture.
enum ModelStream {
    // x265 --preset ultrafast (128x96, 30 frames per second)
    private static let hevc = [
        Hex.bytes("40010C01 FFFF0160 00000300 90000003 00000300 1E959409"),
        Hex.bytes("42010101 60000003 00900000 03000003 001EA010 20616595 95293 0BC0404 00000300 04000003 00782 0"),
        Hex.bytes("4401C073 C189"),
    ]

    /// VPS, SPS and PPS as the settings ask; versions differ in their reference frames, by which pictures decode.
    static func sets(_ settings: ResolvedSettings, version: UInt8 = 0) throws(EncoderError) -> [[UInt8]] {
        guard settings.request.codec == .h264 else { return hevc }
        do throws(ParameterSetError) {
            let (sps, pps) = try h264(settings, version: version)
            return [try sps.nalUnit(), try pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
        } catch {
            throw EncoderError(.backendFailure, reason: error.reason)
        }
    }

    private static func h264(
        _ settings: ResolvedSettings, version: UInt8 = 0
    ) throws(ParameterSetError) -> (H264SPS, H264PPS) {
        let shown = PictureSize(
            width: settings.picture.codedWidth - settings.picture.cropRight,
            height: settings.picture.codedHeight - settings.picture.cropBottom)
        var configuration = SequenceConfiguration(displaySize: shown)
        configuration.bitDepth = settings.picture.bitDepth
        if settings.plan.isFrameRateKnown {
            configuration.frameRate = Ratio(settings.plan.frameRate.numerator, settings.plan.frameRate.denominator)
        }
        configuration.pixelAspectRatio = settings.request.pixelAspectRatio
        configuration.color = settings.request.signalledColor
        configuration.reorderFrames = settings.modelReorders ? 1 : 0
        let profile: H264Profile =
            switch settings.request.profileLevel.profile {
            case .h264Baseline: .baseline
            case .h264High10: .high10
            default: settings.picture.bitDepth > 8 ? .high10 : .high
            }
        let level = settings.plan.level ?? lowestLevel(settings, profile: profile)
        var sps = try H264SPS(configuration, profile: profile, level: H264Level(rawValue: level))
        sps.maxNumRefFrames += Int(version)
        sps.log2MaxFrameNumMinus4 = 4
        var pps = H264PPS()
        pps.entropyCodingModeFlag = settings.request.h264EntropyMode.map { $0 == .cabac } ?? (profile != .baseline)
        return (sps, pps)
    }

    private static func lowestLevel(_ settings: ResolvedSettings, profile: H264Profile) -> Int {
        let buffer = settings.live.rate.buffer
        let lowest = H264Level.lowest(
            width: settings.picture.codedWidth, height: settings.picture.codedHeight,
            framesPerSecond: settings.plan.frameRate.framesPerSecond, bitsPerSecond: buffer?.peakBitsPerSecond ?? 0,
            bufferBits: buffer?.bits ?? 0, profile: profile, dpbFrames: 1)
        return lowest?.rawValue ?? 62
    }

    /// What the header of a slice says.
    struct Slice {
        var isIDR: Bool
        var isReference: Bool
        var kind: H264SliceHeader.Kind
        var quantizer: Int
        var idrPicID: Int
        /// How many pictures after the last IDR picture it is shown.
        var order: Int
    }

    /// A slice with `payload`, whose bytes are all 0x80 or more, at its end.
    static func slice(
        _ slice: Slice, _ payload: [UInt8], _ settings: ResolvedSettings
    ) throws(EncoderError) -> [UInt8] {
        guard settings.request.codec == .h264 else {
            // IDR_W_RADL, TRAIL_R, TRAIL_N.
            return (slice.isIDR ? [0x26, 0x01] : (slice.isReference ? [0x02, 0x01] : [0x00, 0x01])) + payload
        }
        do throws(ParameterSetError) {
            let (sps, pps) = try h264(settings)
            let refIdc = slice.isIDR ? 3 : (slice.isReference ? 2 : 0)
            let unitHeader = H264NALUnitHeader(type: slice.isIDR ? .idrSlice : .slice, refIdc: refIdc)
            var header = H264SliceHeader()
            header.sliceType = slice.kind.rawValue + 5
            header.qpDelta = slice.quantizer - 26
            header.idrPicID = slice.isIDR ? slice.idrPicID : 0
            if sps.picOrderCnt.type == 0 { header.picOrderCntLsb = slice.order * 2 & 0xFF }
            header.decRefPicMarking = refIdc == 0 ? nil : H264DecRefPicMarking()
            var syntax = SyntaxWriter()
            try header.code(
                with: &syntax,
                in: .init(header: unitHeader, parameterSets: H264ParameterSets(sps: sps, pps: pps)))
            var bits = BitWriter()
            bits.write(UInt64(refIdc << 5 | (slice.isIDR ? 5 : 1)), count: 8)
            for place in 0..<syntax.bitPosition {
                bits.write(UInt64(syntax.bytes[place / 8] >> (7 - place % 8) & 1), count: 1)
            }
            while !bits.isByteAligned { bits.write(1, count: 1) }
            return EmulationPrevention.escape(bits.bytes) + payload
        } catch {
            throw EncoderError(.backendFailure, reason: error.reason)
        }
    }

    /// The bytes that ``data(of:filler:)`` adds.
    static let endByteCount = 12

    /// The data of a slice: what fills it, the name of its picture, how many bytes fill it and the sum of all that, so
    /// that no bit of it is without meaning, as in the slices of a real encoder.
    ///
    /// The header is apart, since sessions change IDs in it.
    static func data(of id: Int, filler: [UInt8]) -> [UInt8] {
        let data = filler + number(id) + number(filler.count)
        return data + number(sum(data))
    }

    /// The picture that a slice names; nil where its data is not as it was written.
    static func picture(of slice: ArraySlice<UInt8>) -> Int? {
        guard slice.count > endByteCount else { return nil }
        let numbers = (0..<3).map { index in
            slice.suffix(endByteCount).dropFirst(index * 4).prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        }
        guard numbers[1] <= slice.count - endByteCount else { return nil }
        let data = slice.suffix(numbers[1] + endByteCount)
        return Array(data.suffix(4)) == number(sum(data.dropLast(4))) ? numbers[0] : nil
    }

    /// 28 bits, seven to a byte whose eighth is set: no start code can appear.
    private static func number(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(0x80 | value >> $0 & 0x7F) } }

    /// FNV-1a.
    private static func sum(_ bytes: some Sequence<UInt8>) -> Int {
        Int(bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }

    /// User data unregistered under a UUID that no session knows.
    static func versionSEI(_ codec: VideoCodec) -> [UInt8] {
        let text = Array("model encoder 1.0, options: none".utf8)
        let header: [UInt8] = codec == .h264 ? [0x06] : [0x4E, 0x01]
        return header + [5, UInt8(16 + text.count)] + [UInt8](repeating: 0xAB, count: 16) + text + [0x80]
    }
}

/// Finds the pictures again that slices of a ``ModelEncoder`` name.
struct ModelDecoder: ReferenceDecoder {
    let shelf: PictureShelf

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
        func isSlice(_ range: Range<Int>) throws -> Bool {
            let bytes = unit.data[range].span
            return switch codec {
            case .h264: try H264NALUnitHeader(nalUnit: bytes).type.isVCL
            case .hevc: try HEVCNALUnitHeader(nalUnit: bytes).type.isVCL
            }
        }
        guard let slice = try unit.nalUnits.first(where: isSlice) else { throw ModelDecoderError.noSlice }
        guard let id = ModelStream.picture(of: unit.data[slice]) else { throw ModelDecoderError.damagedSlice }
        guard let entry = shelf.entry(id) else { throw ModelDecoderError.unknownPicture(id) }
        return try entry.cropped()
    }
}

enum ModelDecoderError: Error {
    case noSlice
    case damagedSlice
    case unknownPicture(Int)
}

extension PictureShelf.Entry {
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
