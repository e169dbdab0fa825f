// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of one encoder of sound.
///
/// Used on one thread at a time.
package final class LibAVSoundEncoder {
    /// One packet as the encoder gave it.
    package struct Packet: Sendable {
        package let data: [UInt8]
        /// Sample frames from the first one that was given to the first one in the packet; negative for the priming.
        package let position: Int64
        /// Sample frames in it.
        package let frameCount: Int64
    }

    private let av: CLibAV
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: LibAVPacket
    private let isPlanar: Bool
    /// Samples in a sample frame.
    package let channelCount: Int
    /// Sample frames that a decoder gives before the first one that was given.
    package let priming: Int
    /// Sample frames that each call but the last takes.
    package let frameSize: Int
    /// AudioSpecificConfig or OpusHead.
    package let header: [UInt8]
    private var position: Int64 = 0

    /// Opens an encoder.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing`; `.unsupported` where the library has no such encoder, or not
    ///   with this rate and number of channels; `.outOfMemory`.
    package init(
        _ codec: LibAVTrack.SoundCodec, rate: Int, channels: Int, bitsPerSecond: Int
    ) throws(LibAVError) {
        let av = try LibAV.load()
        guard let encoder = av.avcodec_find_encoder(codec.libAVCodec) else {
            throw LibAVError(.unsupported, reason: "libavcodec has no encoder of \(codec.rawValue)")
        }
        packet = try LibAVPacket(av)
        let (context, isPlanar) = try Self.open(encoder, codec, rate, channels, bitsPerSecond, av)
        self.av = av
        self.context = context
        self.isPlanar = isPlanar
        channelCount = channels
        priming = Int(context.pointee.initial_padding)
        frameSize = Int(context.pointee.frame_size)
        header = [UInt8](
            UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        av.avcodec_free_context(&context)
    }

    /// Opens the encoder with samples of 32-bit floating point: planes where it takes them, else interleaved.
    private static func open(
        _ encoder: UnsafePointer<AVCodec>, _ codec: LibAVTrack.SoundCodec, _ rate: Int, _ channels: Int,
        _ bitsPerSecond: Int, _ av: CLibAV
    ) throws(LibAVError) -> (context: UnsafeMutablePointer<AVCodecContext>, isPlanar: Bool) {
        var status: CInt = 0
        for (format, isPlanar) in [(AV_SAMPLE_FMT_FLTP, true), (AV_SAMPLE_FMT_FLT, false)] {
            var made = av.avcodec_alloc_context3(encoder)
            guard let context = made else { throw LibAVError(.outOfMemory, reason: "no memory for an encoder") }
            context.pointee.sample_fmt = format
            context.pointee.sample_rate = CInt(clamping: rate)
            av.av_channel_layout_default(&context.pointee.ch_layout, CInt(clamping: channels))
            context.pointee.bit_rate = Int64(bitsPerSecond)
            context.pointee.time_base = AVRational(num: 1, den: CInt(clamping: rate))
            // Containers keep the codec's header beside the packets; no version of the library in them.
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
            status = av.avcodec_open2(context, encoder, nil)
            if status >= 0 { return (context, isPlanar) }
            av.avcodec_free_context(&made)
        }
        throw LibAVError(
            .unsupported,
            reason: "libavcodec's encoder of \(codec.rawValue) takes no \(rate) Hz with \(channels) channels at "
                + "\(bitsPerSecond) bit/s: \(av.message(status))", status: Int(status))
    }
}

// MARK: - Encoding

extension LibAVSoundEncoder {
    /// Encodes sample frames.
    ///
    /// - Parameter samples: Interleaved; ``frameSize`` sample frames, in the last call fewer.
    /// - Returns: The packets that are ready.
    /// - Throws: ``LibAVError`` with `.failure` or `.outOfMemory`.
    package func encode(_ samples: ArraySlice<Float>) throws(LibAVError) -> [Packet] {
        let count = samples.count / channelCount
        precondition(count <= frameSize && count * channelCount == samples.count, "\(samples.count) samples")
        guard count > 0 else { return [] }
        let frame = try filled(samples, count: count)
        frame.pointer.pointee.pts = position
        position += Int64(count)
        return try send(frame.pointer)
    }

    /// Gives what the encoder held back; call once.
    package func finish() throws(LibAVError) -> [Packet] { try send(nil) }

    /// A frame of its own: the encoder may still hold the memory of the one before.
    private func filled(_ samples: ArraySlice<Float>, count: Int) throws(LibAVError) -> LibAVFrame {
        let frame = try LibAVFrame(av)
        frame.pointer.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointer.pointee.sample_rate = context.pointee.sample_rate
        frame.pointer.pointee.nb_samples = CInt(count)
        av.av_channel_layout_default(&frame.pointer.pointee.ch_layout, CInt(channelCount))
        let status = av.av_frame_get_buffer(frame.pointer, 0)
        guard status >= 0, let planes = frame.pointer.pointee.extended_data else {
            throw LibAVError(.outOfMemory, reason: "no memory for \(count) sample frames", status: Int(status))
        }
        samples.withUnsafeBufferPointer { source in
            for plane in 0..<(isPlanar ? channelCount : 1) {
                guard let bytes = planes[plane] else { continue }
                let target = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: Float.self)
                guard isPlanar else {
                    for index in source.indices { target[index] = source[index] }
                    continue
                }
                for index in 0..<count { target[index] = source[index * channelCount + plane] }
            }
        }
        return frame
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(LibAVError) -> [Packet] {
        let status = av.avcodec_send_frame(context, frame)
        guard status >= 0 else { throw failed("take sample frames", status) }
        var packets: [Packet] = []
        while true {
            let status = av.avcodec_receive_packet(context, packet.pointer)
            if status == clibav_error_try_again() || status == clibav_error_end_of_file() { return packets }
            guard status >= 0 else { throw failed("give a packet", status) }
            packets.append(
                Packet(
                    data: packet.bytes, position: packet.pointer.pointee.pts,
                    frameCount: packet.pointer.pointee.duration))
            packet.clear()
        }
    }

    private func failed(_ what: String, _ status: CInt) -> LibAVError {
        LibAVError(.failure, reason: "the encoder of sound did not \(what): \(av.message(status))", status: Int(status))
    }
}
