// SPDX-License-Identifier: MIT

package import CLibAV
package import EncoderAPI

/// What a container must know of a track before its first packet.
package struct LibAVTrack: Sendable {
    /// What the track holds.
    package enum Content: Sendable {
        /// Pictures: luma samples in a row and luma rows that decoders show, and how long each lasts where that is
        /// constant.
        case video(VideoCodec, width: Int, height: Int, nominalDuration: MediaTime?)
        /// Sound: samples per second, channels, samples in a packet, and samples before the first that was given.
        case audio(SoundCodec, rate: Int, channels: Int, frameSize: Int, priming: Int)
    }

    /// What sound is coded to.
    package enum SoundCodec: String, Sendable, Hashable {
        /// AAC-LC, without ADTS headers.
        case aac = "AAC"
        /// Opus.
        case opus = "Opus"

        /// The library's number.
        package var libAVCodec: AVCodecID { self == .aac ? AV_CODEC_ID_AAC : AV_CODEC_ID_OPUS }
    }

    /// What it holds.
    package var content: Content
    /// avcC or hvcC, or parameter sets in Annex B for a transport stream; AudioSpecificConfig or OpusHead.
    package var header: [UInt8]
    /// Ticks per second in which all times are whole numbers, where the container can choose.
    package var timescale: Int32
    /// Whether the samples carry parameter sets too: `avc3` or `hev1` instead of `avc1` or `hvc1`.
    package var hasSetsInBand = false
    /// Degrees by which players turn the pictures clockwise: 0, 90, 180 or 270.
    package var rotation = 0

    /// Describes a track.
    package init(_ content: Content, header: [UInt8], timescale: Int32) {
        self.content = content
        self.header = header
        self.timescale = timescale
    }

    var isVideo: Bool { if case .video = content { true } else { false } }

    /// The codec's name and the library's number of it.
    var codec: (name: String, id: AVCodecID) {
        switch content {
        case .video(let codec, _, _, _): ("\(codec)", codec.libAVCodec)
        case .audio(let codec, _, _, _, _): (codec.rawValue, codec.libAVCodec)
        }
    }

    var nominalDuration: MediaTime? { if case .video(_, _, _, let duration) = content { duration } else { nil } }

    /// The four characters of an MP4 sample description; nil for the library's choice.
    private var tag: UInt32? {
        guard case .video(let codec, _, _, _) = content else { return nil }
        return switch (codec, hasSetsInBand) {
        case (.h264, false): nil
        case (.h264, true): clibav_tag(0x61, 0x76, 0x63, 0x33)
        // hvc1: parameter sets only in the sample description, which players of Apple's insist on.
        case (.hevc, false): clibav_tag(0x68, 0x76, 0x63, 0x31)
        case (.hevc, true): clibav_tag(0x68, 0x65, 0x76, 0x31)
        }
    }
}

extension LibAVTrack {
    /// Fills in a stream of a muxer.
    func configure(
        _ stream: UnsafeMutablePointer<AVStream>, in container: LibAVContainer, _ av: CLibAV
    ) throws(LibAVError) {
        guard let parameters = stream.pointee.codecpar else {
            throw LibAVError(.outOfMemory, reason: "no memory for a track")
        }
        parameters.pointee.codec_id = codec.id
        switch content {
        case .video(_, let width, let height, let duration):
            parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            if container.isISO, let tag { parameters.pointee.codec_tag = tag }
            parameters.pointee.width = CInt(clamping: width)
            parameters.pointee.height = CInt(clamping: height)
            parameters.pointee.field_order = AV_FIELD_PROGRESSIVE
            if let duration, let ticks = CInt(exactly: duration.value) {
                stream.pointee.avg_frame_rate = AVRational(num: duration.timescale, den: ticks)
            }
            try setRotation(stream, av)
        case .audio(_, let rate, let channels, let frameSize, let priming):
            parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
            parameters.pointee.sample_rate = CInt(clamping: rate)
            av.av_channel_layout_default(&parameters.pointee.ch_layout, CInt(clamping: channels))
            parameters.pointee.frame_size = CInt(clamping: frameSize)
            parameters.pointee.initial_padding = CInt(clamping: priming)
        }
        try setHeader(parameters, av)
        stream.pointee.time_base = AVRational(num: 1, den: timescale)
    }

    private func setHeader(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ av: CLibAV
    ) throws(LibAVError) {
        guard let copy = av.av_mallocz(header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw LibAVError(.outOfMemory, reason: "no memory for the codec's header")
        }
        copy.copyMemory(from: header, byteCount: header.count)
        // The context owns and frees it.
        parameters.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = CInt(header.count)
    }

    /// Gives the stream a display matrix, which MP4 and MOV write.
    private func setRotation(_ stream: UnsafeMutablePointer<AVStream>, _ av: CLibAV) throws(LibAVError) {
        guard rotation != 0 else { return }
        let size = 9 * MemoryLayout<Int32>.size
        guard let matrix = av.av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size) else {
            throw LibAVError(.outOfMemory, reason: "no memory for a display matrix")
        }
        matrix.withMemoryRebound(to: Int32.self, capacity: 9) {
            av.av_display_rotation_set($0, Double(rotation))
        }
    }
}

extension VideoCodec {
    /// The library's number.
    package var libAVCodec: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        }
    }

    /// The codec of a library's number; nil for codecs that no session produces.
    package init?(_ codec: AVCodecID) {
        switch codec {
        case AV_CODEC_ID_H264: self = .h264
        case AV_CODEC_ID_HEVC: self = .hevc
        default: return nil
        }
    }
}
