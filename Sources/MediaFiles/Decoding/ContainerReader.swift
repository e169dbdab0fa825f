// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
package import LibAV

/// One packet of a container: an access unit or a packet of sound, not decoded.
package struct ContainerPacket: Sendable, Hashable {
    /// Whether it belongs to the sound.
    package var isSound = false
    /// The data as the container holds it: length-prefixed in MP4, Matroska and FLV, Annex B elsewhere.
    package var bytes: PacketBytes
    /// When it is shown; nil where the container does not say.
    package var presentationTime: MediaTime?
    /// When it is decoded; nil where the container does not say.
    package var decodeTime: MediaTime?
    /// How long it is shown; nil where the container does not say.
    package var duration: MediaTime?
    /// Whether the container says that decoding can start here.
    package var isKey: Bool
    /// Where the data lies in the file; nil where the library does not say.
    package var byteOffset: Int64?
    /// Whether the container says that data is missing.
    package var isDamaged: Bool

    /// ``bytes`` as an array of their own.
    package var data: [UInt8] {
        get { bytes.array() }
        set { bytes = PacketBytes(newValue) }
    }
}

/// What a container says of its sound.
package struct ContainerSound: Sendable, Hashable {
    /// The codec's name, such as "aac".
    package var codecName: String
    /// Sample frames in a second.
    package var sampleRate: Int
    /// Samples in a sample frame.
    package var channelCount: Int
    /// Sample frames in a packet; 0 where the container does not say or they vary.
    package var framesPerPacket: Int
    /// Sample frames that a decoder gives before the first recorded one, as far as the container says.
    package var priming: Int
    /// The codec's header; may be empty.
    package var header: [UInt8]
    /// Bits per second as the container states; nil where it does not.
    package var bitRate: Int?
}

/// Takes a file apart into the access units of its video, and packets of its sound where asked to; used by one task or
/// thread at a time.
package final class ContainerReader {
    /// The container's names, comma-separated, such as "mov,mp4,m4a,3gp,3g2,mj2".
    package let formatName: String
    /// The codec's name, such as "h264".
    package let codecName: String
    /// The codec; nil for one that no session produces.
    package let codec: VideoCodec?
    /// Luma samples in a row as the container or the stream says.
    package let width: Int
    /// Luma rows as the container or the stream says.
    package let height: Int
    /// Frames per second as the container states or its times show.
    package let frameRate: FrameRate?
    /// How many pictures precede another in decode order and are shown after it, at most: as the headers say, or where
    /// they do not, the first pictures.
    package let reorderDepth: Int
    /// The codec's header: avcC or hvcC where ``isLengthPrefixed``, else parameter sets in Annex B; may be empty.
    package let configurationRecord: [UInt8]
    /// The sound that is read too; nil where there is none, or none was asked for.
    package let sound: ContainerSound?
    private let demuxer: LibAVDemuxer
    private let packet: LibAVPacket
    private var failure: MediaFileError?

    /// Opens a file; its content decides what it is.
    ///
    /// - Parameter path: "-" for standard input.
    /// - Throws: ``MediaFileError``.
    package convenience init(path: String) throws(MediaFileError) {
        try self.init(InputFile(path: path))
    }

    /// Opens a file that may have been looked at with ``InputFile/peek(_:)``, but not read.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - readsSound: Whether packets of its sound are read too, in the order of the file.
    /// - Throws: ``MediaFileError``.
    package init(_ file: InputFile, readsSound: Bool = false) throws(MediaFileError) {
        let demuxer = try LibAVDemuxer(file, streams: readsSound ? .videoAndSound : .video)
        self.demuxer = demuxer
        packet = try MediaFileError.wrapping { [av = demuxer.av] () throws(LibAVError) in try LibAVPacket(av) }
        let parameters = demuxer.stream.pointee.codecpar.pointee
        formatName = demuxer.formatName
        codecName = demuxer.codecName
        codec = VideoCodec(demuxer.codecID)
        width = Int(parameters.width)
        height = Int(parameters.height)
        frameRate = demuxer.frameRate
        reorderDepth = Int(max(parameters.video_delay, 0))
        configurationRecord = Self.header(parameters)
        sound = demuxer.sound.map { stream in
            let parameters = stream.pointee.codecpar.pointee
            return ContainerSound(
                codecName: demuxer.av.name(parameters.codec_id), sampleRate: Int(parameters.sample_rate),
                channelCount: Int(parameters.ch_layout.nb_channels),
                framesPerPacket: Int(max(parameters.frame_size, 0)),
                priming: Int(max(parameters.initial_padding, 0)), header: Self.header(parameters),
                bitRate: parameters.bit_rate > 0 ? Int(parameters.bit_rate) : nil)
        }
    }

    private static func header(_ parameters: AVCodecParameters) -> [UInt8] {
        [UInt8](UnsafeBufferPointer(start: parameters.extradata, count: Int(max(parameters.extradata_size, 0))))
    }

    /// Whether the packets hold lengths before their NAL units: avcC and hvcC records start with their version, 1, and
    /// Annex B with a zero byte.
    package var isLengthPrefixed: Bool { codec != nil && configurationRecord.first == 1 }

    /// Whether the format carries no times, as elementary streams do not; those of packets are guessed.
    package var hasNoTimes: Bool { demuxer.hasNoTimes }

    /// Whether the container states when pictures are decoded; Matroska does not, and what it seems to say is guessed.
    package var statesDecodeTimes: Bool { !formatName.hasPrefix("matroska") }

    /// Reads the next packet: of the video in decode order, with the sound between as the file has it.
    ///
    /// - Returns: Nil at the end of the file.
    /// - Throws: ``MediaFileError`` with the byte offset; later calls throw the same error.
    package func next() throws(MediaFileError) -> ContainerPacket? {
        if let failure { throw failure }
        do throws(MediaFileError) {
            guard try demuxer.read(into: packet) else { return nil }
        } catch {
            failure = error
            throw error
        }
        let raw = packet.pointer.pointee
        let sound = demuxer.sound.flatMap { raw.stream_index == $0.pointee.index ? $0 : nil }
        let stream = sound ?? demuxer.stream
        let bytes = packet.takeBytes()
        return ContainerPacket(
            isSound: sound != nil, bytes: bytes, presentationTime: demuxer.time(raw.pts, of: stream),
            decodeTime: demuxer.time(raw.dts, of: stream),
            duration: raw.duration > 0 ? demuxer.time(raw.duration, of: stream) : nil, isKey: packet.isKey,
            byteOffset: packet.byteOffset, isDamaged: packet.isDamaged)
    }
}
