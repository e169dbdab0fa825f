// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of one open decoder of libavcodec.
///
/// The library decodes several packets at a time. What it finds wrong with one is told in its log only, or marked in
/// the picture too late, so that messages are kept by the number of the packet that was being decoded.
final class LibAVDecoder {
    /// What the library finds wrong with a packet.
    struct Damage {
        /// The packet's number, from 0 on in the order they were sent.
        var packet: Int
        /// Where the packet lies in its file; nil when the demuxer does not say.
        var byteOffset: Int64?
        /// The library's first sentence about it.
        var text: String
    }

    private let av: CLibAV
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let complaints: LibAVComplaints
    private var byteOffsets: [Int64?]
    private var sentPackets = 0
    private var damages: [Int: Damage] = [:]
    /// Packets whose pictures are known to be decoded.
    private var donePackets = 0
    /// Pictures that were not given because they cannot be decoded: what they refer to comes before the stream's start.
    private(set) var leftOutPictures = 0

    /// More threads than this make the delay and the memory larger, and nothing faster.
    private static let mostThreads = 64

    /// Opens the decoder for a codec.
    ///
    /// - Parameters:
    ///   - av: The loaded libraries.
    ///   - codec: Which codec.
    ///   - threads: Threads that decode, 64 at most; 0 is one more than there are processors, 16 at most.
    ///   - configure: Sets what the codec must know, before it is opened.
    /// - Throws: ``MediaFileError`` with `.unsupported` when the library has no such decoder, `.corrupt` when the
    ///   codec's header is damaged, `.libraryFailure`.
    init(
        _ av: CLibAV, codec: AVCodecID, threads: Int, configure: (UnsafeMutablePointer<AVCodecContext>) -> CInt
    ) throws(MediaFileError) {
        let name = av.name(codec)
        guard let decoder = av.avcodec_find_decoder(codec) else {
            throw MediaFileError(.unsupported, reason: "libavcodec has no decoder for \(name)")
        }
        guard let context = av.avcodec_alloc_context3(decoder) else {
            throw MediaFileError(.outOfMemory, reason: "no memory for a decoder")
        }
        self.av = av
        self.context = context
        // Twice as many places as threads: a place is used again long after its packet was decoded.
        complaints = LibAVComplaints(count: 2 * Self.mostThreads)
        byteOffsets = Array(repeating: nil, count: complaints.count)
        let ownChoice = min(av.av_cpu_count(), 15) + 1
        context.pointee.thread_count = threads > 0 ? CInt(min(threads, Self.mostThreads)) : ownChoice
        context.pointee.opaque = complaints.opaque()
        // Checksums are compared where there are some. With AV_EF_EXPLODE the decoder of H.264 would fail for good where a
        // stream starts between key frames, and that of HEVC would free pictures that another thread refers to: both log
        // what they find, and the memory of HEVC's pictures is filled with marks besides.
        let logsDamage = codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC
        context.pointee.err_recognition = AV_EF_CRCCHECK | (logsDamage ? 0 : AV_EF_EXPLODE)
        // Pictures of FFV1 that follow a lost one depend on how threads share its state.
        if codec == AV_CODEC_ID_FFV1 { context.pointee.thread_type = FF_THREAD_SLICE }
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
            throw MediaFileError(
                status == clibav_error_invalid_data() ? .corrupt : .libraryFailure,
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
    func send(_ packet: LibAVPacket?) -> CInt {
        guard let packet else { return av.avcodec_send_packet(context, nil) }
        // The packet that had the place is done: more are sent in between than are decoded at a time.
        finish(through: sentPackets - complaints.count)
        byteOffsets[sentPackets % complaints.count] = packet.byteOffset
        context.pointee.opaque = complaints.opaque(sentPackets)
        clibav_set_number(context, packet.pointer, Int64(sentPackets))
        sentPackets += 1
        return av.avcodec_send_packet(context, packet.pointer)
    }

    /// What the decoder has to give.
    enum Output {
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
    func receive() throws(MediaFileError) -> Output {
        while true {
            let frame = try LibAVFrame(av)
            let status = av.avcodec_receive_frame(context, frame.pointer)
            switch status {
            case 0... where frame.isUndecodable: leaveOut(frame)
            case 0...: return .frame(frame)
            case clibav_error_try_again(): return .needsData
            case clibav_error_end_of_file(): return .ended
            case clibav_error_no_memory():
                throw MediaFileError(.outOfMemory, reason: "no memory for a decoded picture")
            default: return .failed(status)
            }
        }
    }

    /// Passes over a picture, and what was found wrong with it.
    func leaveOut(_ frame: LibAVFrame) {
        leftOutPictures += 1
        finish(through: frame.packetNumber)
        damages[frame.packetNumber] = nil
    }
}

// MARK: - Damage

extension LibAVDecoder {
    /// The first damaged packet up to `last`; all packets up to there are decoded.
    ///
    /// - Parameter last: The picture's packet; nil when the decoder gave everything.
    /// - Returns: Nil when none of them is damaged.
    func firstDamage(through last: Int?) -> Damage? {
        finish(through: last ?? sentPackets - 1)
        return damages.keys.min().flatMap { $0 <= last ?? .max ? damages[$0] : nil }
    }

    /// The first packet that the library complained about, of all that it was given; it can be given no more.
    func firstComplaint() -> Damage? {
        settle()
        for packet in donePackets..<sentPackets { takeComplaint(packet) }
        return damages.keys.min().flatMap { damages[$0] }
    }

    /// Waits until the threads are done with all packets, whose pictures are not given.
    private func settle() {
        var status = clibav_error_try_again()
        // Each call passes one packet's error or picture; the threads and the reordering hold far fewer.
        for _ in 0..<1024 {
            if status == clibav_error_try_again() { _ = av.avcodec_send_packet(context, nil) }
            guard let frame = try? LibAVFrame(av) else { return }
            status = av.avcodec_receive_frame(context, frame.pointer)
            if status == clibav_error_end_of_file() { return }
        }
    }

    /// What is wrong with the packet of a picture that was given.
    func damage(of packet: Int) -> Damage? {
        finish(through: packet)
        return damages[packet]
    }

    /// Looks at what became of packets that are decoded.
    private func finish(through last: Int) {
        while donePackets <= last {
            takeComplaint(donePackets)
            if complaints.releasePicture(donePackets) { note(donePackets, "parts of the picture are missing") }
            donePackets += 1
        }
    }

    private func takeComplaint(_ packet: Int) {
        if let complaint = complaints.take(packet) { note(packet, complaint.text) }
    }

    private func note(_ packet: Int, _ text: String) {
        guard damages[packet] == nil else { return }
        // A stream may be damaged everywhere.
        if damages.count > 1024 { damages = damages.filter { $0.key > sentPackets - 512 } }
        damages[packet] = Damage(packet: packet, byteOffset: byteOffsets[packet % complaints.count], text: text)
    }
}
