// SPDX-License-Identifier: MIT

package import CLibAV

/// Sole owner of one open decoder of libavcodec.
///
/// It decodes each packet within the call that gives it, so that what the library finds wrong, which it tells in its
/// log or in the picture, is known to be about that packet.
package final class LibAVDecoder {
    /// What the library finds wrong with a packet.
    package struct Damage {
        /// The packet's number, from 0 on in the order they were sent.
        package var packet: Int
        /// Where the packet lies in its file; nil when the demuxer does not say.
        package var byteOffset: Int64?
        /// The library's first sentence about it.
        package var text: String
    }

    private let av: CLibAV
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let complaints = LibAVComplaints()
    private var sentPackets = 0
    /// Where the packet lies that was sent last.
    private var byteOffset: Int64?
    private var damages: [Int: Damage] = [:]
    /// Pictures that were not given because they cannot be decoded: what they refer to comes before the stream's start.
    package private(set) var leftOutPictures = 0

    /// Opens the decoder for a codec.
    ///
    /// - Parameters:
    ///   - av: The loaded libraries.
    ///   - codec: Which codec.
    ///   - configure: Sets what the codec must know, before it is opened.
    /// - Throws: ``LibAVError`` with `.unsupported` when the library has no such decoder, `.corrupt` when the
    ///   codec's header is damaged, `.failure`.
    package init(
        _ av: CLibAV, codec: AVCodecID, configure: (UnsafeMutablePointer<AVCodecContext>) -> CInt
    ) throws(LibAVError) {
        let name = av.name(codec)
        guard let decoder = av.avcodec_find_decoder(codec) else {
            throw LibAVError(.unsupported, reason: "libavcodec has no decoder for \(name)")
        }
        guard let context = av.avcodec_alloc_context3(decoder) else {
            throw LibAVError(.outOfMemory, reason: "no memory for a decoder")
        }
        self.av = av
        self.context = context
        let isIntraOnly = (av.avcodec_descriptor_get(codec)?.pointee.props ?? 0) & AV_CODEC_PROP_INTRA_ONLY != 0
        // What decoders make of damage depends on their threads, unless these share one picture that needs no other.
        context.pointee.thread_count = isIntraOnly || codec == AV_CODEC_ID_FFV1 ? min(av.av_cpu_count(), 16) : 1
        context.pointee.thread_type = FF_THREAD_SLICE
        context.pointee.opaque = complaints.opaque
        // What is damaged is an error, and checksums are compared where there are some. The decoder of H.264 logs all
        // it finds, and with AV_EF_EXPLODE it would fail for good where a stream starts between key frames.
        context.pointee.err_recognition = AV_EF_CRCCHECK | (codec == AV_CODEC_ID_H264 ? 0 : AV_EF_EXPLODE)
        // Samples are cropped exactly, also where that leaves rows unaligned.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        // Pictures that cannot be decoded are given with a flag, and counted here.
        context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
        // With this, H.264 streams that do not state their reordering are not shown too early.
        context.pointee.strict_std_compliance = FF_COMPLIANCE_STRICT
        // The decoder of HEVC does not tell when slices end before the picture does.
        if codec == AV_CODEC_ID_HEVC { clibav_keep_pictures(context) }
        var status = configure(context)
        if status >= 0 { status = av.avcodec_open2(context, decoder, nil) }
        let complaint = complaints.take()
        guard status >= 0 else {
            throw LibAVError(
                status == clibav_error_invalid_data() ? .corrupt : .failure,
                reason: "cannot open the \(name) decoder: \(complaint?.text ?? av.message(status))",
                status: Int(status))
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        av.avcodec_free_context(&context)
    }

    /// Gives the decoder data; nil tells it that no more comes.
    ///
    /// - Returns: The library's status; negative when this or an earlier packet cannot be decoded.
    package func send(_ packet: LibAVPacket?) -> CInt {
        if let packet {
            byteOffset = packet.byteOffset
            clibav_set_number(context, packet.pointer, Int64(sentPackets))
            sentPackets += 1
        }
        defer { takeDamage() }
        return av.avcodec_send_packet(context, packet?.pointer)
    }

    /// What the decoder has to give.
    package enum Output {
        /// A decoded picture.
        case frame(LibAVFrame)
        /// It needs data first.
        case needsData
        /// It gave everything after the last data.
        case ended
        /// The library's status for data that cannot be decoded.
        case failed(CInt)
    }

    /// Takes the next picture in display order.
    package func receive() throws(LibAVError) -> Output {
        while true {
            let frame = try LibAVFrame(av)
            let status = av.avcodec_receive_frame(context, frame.pointer)
            takeDamage()
            switch status {
            case 0... where frame.isUndecodable: leaveOut(frame)
            case 0...: return .frame(frame)
            case clibav_error_try_again(): return .needsData
            case clibav_error_end_of_file(): return .ended
            case clibav_error_no_memory():
                throw LibAVError(.outOfMemory, reason: "no memory for a decoded picture")
            default: return .failed(status)
            }
        }
    }

    /// Passes over a picture, and what was found wrong with it.
    package func leaveOut(_ frame: LibAVFrame) {
        leftOutPictures += 1
        damages[frame.packetNumber] = nil
    }
}

// MARK: - Damage

extension LibAVDecoder {
    /// The first damaged packet up to `last`, or of all where that is nil; nil where none of them is damaged.
    package func firstDamage(through last: Int? = nil) -> Damage? {
        damages.keys.min().flatMap { $0 <= last ?? .max ? damages[$0] : nil }
    }

    /// What is wrong with a packet.
    package func damage(of packet: Int) -> Damage? { damages[packet] }

    /// Keeps what the library found wrong in its last call, which decoded the packet that was sent last.
    private func takeDamage() {
        let complaint = complaints.take()?.text
        let isUnwritten = complaints.releasePicture()
        let packet = max(sentPackets - 1, 0)
        guard let text = complaint ?? (isUnwritten ? "parts of the picture are missing" : nil), damages[packet] == nil
        else { return }
        // A stream may be damaged everywhere.
        if damages.count > 1024 { damages = damages.filter { $0.key > sentPackets - 512 } }
        damages[packet] = Damage(packet: packet, byteOffset: byteOffset, text: text)
    }
}
