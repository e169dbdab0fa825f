// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of one open decoder of libavcodec.
final class LibAVDecoder {
    private let av: CLibAV
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let complaints = LibAVComplaints()

    /// Opens the decoder for a codec.
    ///
    /// - Parameters:
    ///   - av: The loaded libraries.
    ///   - codec: Which codec.
    ///   - threads: Threads that decode; 0 lets the library choose by the processors there are.
    ///   - keepsComplaints: Whether ``takeComplaint()`` gives what the decoder has to say of the picture that it gave
    ///     last; it then works on one picture at a time.
    ///   - configure: Sets what the codec must know, before it is opened.
    /// - Throws: ``MediaFileError`` with `.unsupported` when the library has no such decoder, `.libraryFailure`.
    init(
        _ av: CLibAV, codec: AVCodecID, threads: Int, keepsComplaints: Bool = false,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> CInt
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
        context.pointee.thread_count = CInt(clamping: max(threads, 0))
        if keepsComplaints {
            context.pointee.opaque = complaints.opaque
            context.pointee.thread_type = FF_THREAD_SLICE
        }
        // Samples are cropped exactly, also where that leaves rows unaligned.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        // With this, H.264 streams that do not state their reordering are not shown too early.
        context.pointee.strict_std_compliance = FF_COMPLIANCE_STRICT
        var status = configure(context)
        if status >= 0 { status = av.avcodec_open2(context, decoder, nil) }
        guard status >= 0 else {
            throw MediaFileError(
                .libraryFailure, reason: "cannot open the \(name) decoder: \(av.message(status))", status: Int(status))
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        av.avcodec_free_context(&context)
    }

    /// Gives the decoder data; nil tells it that no more comes.
    ///
    /// - Returns: The library's status; negative when the data cannot be decoded.
    func send(_ packet: LibAVPacket?) -> CInt { av.avcodec_send_packet(context, packet?.pointer) }

    /// What the decoder called an error, and went on.
    func takeComplaint() -> String? { complaints.take()?.text }

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
        let frame = try LibAVFrame(av)
        let status = av.avcodec_receive_frame(context, frame.pointer)
        switch status {
        case 0...: return .frame(frame)
        case clibav_error_try_again(): return .needsData
        case clibav_error_end_of_file(): return .ended
        case clibav_error_no_memory(): throw MediaFileError(.outOfMemory, reason: "no memory for a decoded picture")
        default: return .failed(status)
        }
    }
}
