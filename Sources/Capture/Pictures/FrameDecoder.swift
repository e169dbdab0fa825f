// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV

/// Decodes a device's packets, on one thread, and keeps each picture's time beside it.
///
/// Bare pictures go through it too: libavcodec knows how they lie in memory.
final class FrameDecoder {
    private let av: CLibAV
    private let decoder: LibAVDecoder
    /// Whether each packet becomes its picture before the next is given.
    private let isImmediate: Bool
    private var times: [Int: Int64] = [:]
    private var sent = 0
    /// The codec's name.
    let codecName: String
    private var damaged = 0

    /// Opens the decoder of a device's codec.
    init(_ device: LibAVDevice, _ source: CaptureSource) throws(CaptureError) {
        let av = device.av
        let stream = device.stream
        let codec = stream.pointee.codecpar.pointee.codec_id
        self.av = av
        codecName = av.name(codec)
        let properties = av.avcodec_descriptor_get(codec)?.pointee.props ?? 0
        isImmediate = properties & AV_CODEC_PROP_INTRA_ONLY != 0 || codec == AV_CODEC_ID_WRAPPED_AVFRAME
        decoder = try CaptureError.wrapping(source) { () throws(LibAVError) in
            try LibAVDecoder(av, codec: codec) { context in
                context.pointee.pkt_timebase = stream.pointee.time_base
                // Cameras write headers of JPEG that are no standard's; what cannot be decoded is left out.
                context.pointee.err_recognition = 0
                context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
                return av.avcodec_parameters_to_context(context, stream.pointee.codecpar)
            }
        }
    }

    /// How many packets gave no picture since the last call.
    func takeDamaged() -> Int { exchange(&damaged, with: 0) }

    /// Decodes a packet.
    ///
    /// - Parameters:
    ///   - packet: What the device gave.
    ///   - time: When it was captured.
    /// - Returns: The pictures that are ready, each with its time; none for a packet that cannot be decoded.
    /// - Throws: ``CaptureError`` with `.outOfMemory`.
    func decode(_ packet: LibAVPacket, at time: Int64) throws(CaptureError) -> [(frame: LibAVFrame, time: Int64)] {
        if isImmediate { times.removeAll(keepingCapacity: true) }
        times[sent] = time
        // A stream that gives no pictures leaves its times behind.
        if times.count > 256 { times = times.filter { $0.key > sent - 128 } }
        sent += 1
        var frames: [(frame: LibAVFrame, time: Int64)] = []
        if decoder.send(packet) >= 0 {
            try receive(time, into: &frames)
        }
        _ = decoder.firstDamage()
        if isImmediate, frames.isEmpty { damaged += 1 }
        return frames
    }

    private func receive(
        _ time: Int64, into frames: inout [(frame: LibAVFrame, time: Int64)]
    ) throws(CaptureError) {
        while true {
            let output = try CaptureError.wrapping { () throws(LibAVError) in try decoder.receive() }
            guard case .frame(let frame) = output else { return }
            if frame.isDamaged {
                damaged += 1
                continue
            }
            // A bare picture's frame has no number of its packet: it is that of the packet just given.
            let known = isImmediate ? time : times.removeValue(forKey: frame.packetNumber)
            if let known { frames.append((frame, known)) }
        }
    }
}
