// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
import LibAV

/// A picture decoded from a stream.
package struct DecodedPicture: Sendable {
    /// The picture, cropped as the stream says: I420, I010 or I012 by its bit depth.
    package let picture: PixelBuffer
    /// The time given with its access unit.
    package let presentationTime: MediaTime
    /// The number of its access unit in decode order, from 0.
    package let decodeIndex: Int
    /// Whether the decoder could start here.
    package let isKey: Bool
    /// How the picture is predicted, where the decoder says.
    package let pictureType: AccessUnit.PictureType?
    /// Whether the decoder found errors in its access unit, and went on.
    package let isDamaged: Bool
}

/// Decodes H.264 or HEVC access units with libavcodec; used by one task or thread at a time.
///
/// Pictures come in display order, some access units later. Every picture of a correct stream comes, once.
package final class StreamDecoder {
    private let av: CLibAV
    private let decoder: LibAVDecoder
    private let packet: LibAVPacket
    private var nextIndex = 0
    private var times: [Int: MediaTime] = [:]
    private var isFinished = false

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - codec: What the access units are coded to.
    ///   - configurationRecord: avcC or hvcC, for length-prefixed access units; empty for Annex B.
    /// - Throws: ``MediaFileError`` with `.libraryMissing`, `.libraryFailure`, `.unsupported` where the library has no
    ///   such decoder, `.corrupt` for a damaged configuration record, `.outOfMemory`.
    package init(
        codec: VideoCodec, configurationRecord: [UInt8] = []
    ) throws(MediaFileError) {
        (av, packet, decoder) = try MediaFileError.wrapping { () throws(LibAVError) in
            let av = try LibAV.loadCodecs()
            let packet = try LibAVPacket(av)
            let decoder = try Self.decoder(av, codec, configurationRecord)
            return (av, packet, decoder)
        }
    }

    private static func decoder(
        _ av: CLibAV, _ codec: VideoCodec, _ configurationRecord: [UInt8]
    ) throws(LibAVError) -> LibAVDecoder {
        try LibAVDecoder(av, codec: codec.libAVCodec) { context in
            guard !configurationRecord.isEmpty else { return 0 }
            let count = configurationRecord.count
            guard let copy = av.av_mallocz(count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
                return clibav_error_no_memory()
            }
            copy.copyMemory(from: configurationRecord, byteCount: count)
            // The context owns and frees it.
            context.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
            context.pointee.extradata_size = CInt(count)
            return 0
        }
    }

    /// Decodes one access unit.
    ///
    /// - Parameters:
    ///   - accessUnit: All NAL units of one picture.
    ///   - presentationTime: Comes back with the picture.
    /// - Returns: The pictures that are ready, in display order; often none.
    /// - Throws: ``MediaFileError`` with `.corrupt` naming the access unit; decoding can go on with the next.
    package func decode(
        _ accessUnit: [UInt8], presentationTime: MediaTime
    ) throws(MediaFileError) -> [DecodedPicture] {
        guard !isFinished else {
            throw MediaFileError(.invalidState, reason: "the decoder was finished")
        }
        let index = nextIndex
        nextIndex += 1
        times[index] = presentationTime
        // Pictures that were never shown leave their times behind.
        if times.count > 1024 { times = times.filter { $0.key > index - 512 } }
        try MediaFileError.wrapping { () throws(LibAVError) in
            try packet.fill(count: accessUnit.count) { $0.copyBytes(from: accessUnit) }
        }
        packet.pointer.pointee.pts = Int64(index)
        let status = decoder.send(packet)
        packet.clear()
        guard status >= 0 else { throw cannotDecode(index, status: status) }
        return try takePictures()
    }

    /// Ends the stream.
    ///
    /// - Returns: The remaining pictures, in display order.
    /// - Throws: ``MediaFileError`` with `.corrupt`.
    package func finish() throws(MediaFileError) -> [DecodedPicture] {
        guard !isFinished else { return [] }
        isFinished = true
        let status = decoder.send(nil)
        guard status >= 0 else { throw cannotDecode(nextIndex - 1, status: status) }
        return try takePictures()
    }

    private func cannotDecode(_ index: Int, status: CInt) -> MediaFileError {
        MediaFileError(
            .corrupt, reason: "access unit \(index) cannot be decoded: \(av.message(status))", status: Int(status))
    }

    private func takePictures() throws(MediaFileError) -> [DecodedPicture] {
        var pictures: [DecodedPicture] = []
        while true {
            switch try MediaFileError.wrapping({ () throws(LibAVError) in try decoder.receive() }) {
            case .frame(let frame): pictures.append(try picture(frame))
            case .needsData, .ended: return pictures
            case .failed(let status): throw cannotDecode(nextIndex - 1, status: status)
            }
        }
    }

    private func picture(_ frame: LibAVFrame) throws(MediaFileError) -> DecodedPicture {
        guard let picture = try MediaFileError.wrapping({ () throws(LibAVError) in try frame.picture() }) else {
            throw MediaFileError(
                .unsupported,
                reason: "pictures of \(frame.pixelFormatName), expected 4:2:0 of 8, 10 or 12 bits")
        }
        let index = Int(frame.pointer.pointee.pts)
        guard let time = times.removeValue(forKey: index) else {
            // Slices that damage makes look like those of two pictures are decoded to both.
            throw MediaFileError(.corrupt, reason: "access unit \(index) has a second picture")
        }
        let type: AccessUnit.PictureType? =
            switch frame.pointer.pointee.pict_type {
            case AV_PICTURE_TYPE_I: .i
            case AV_PICTURE_TYPE_P: .p
            case AV_PICTURE_TYPE_B: .b
            default: nil
            }
        return DecodedPicture(
            picture: picture, presentationTime: time, decodeIndex: index, isKey: clibav_is_key(frame.pointer),
            pictureType: type, isDamaged: frame.isDamaged || decoder.damage(of: frame.packetNumber) != nil)
    }
}
