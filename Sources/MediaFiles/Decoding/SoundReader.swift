// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
import LibAV

/// Decodes the sound of a file; used by one task or thread at a time.
package final class SoundReader {
    /// Decoded sample frames that follow each other.
    package struct Block: Sendable {
        /// Interleaved; full scale is -1 to 1, and what was coded may lie beyond.
        package var samples: [Float]
        /// 1 or 2: more are mixed to two.
        package var channelCount: Int
        /// Sample frames in a second.
        package var sampleRate: Int
        /// When the first is heard, in the file's time; nil where the file does not say.
        package var time: MediaTime?
    }

    /// The codec's name, such as "ac3".
    package var codecName: String { demuxer.codecName }
    private let av: CLibAV
    private let demuxer: LibAVDemuxer
    private let decoder: LibAVDecoder
    private let packet: LibAVPacket
    private var isDraining = false
    private var failure: MediaFileError?

    /// Opens a file's sound.
    ///
    /// - Parameter path: A file of any kind that libavformat reads, also one of sound alone; "-" for standard input.
    /// - Throws: ``MediaFileError`` with `.unsupported` for a file without sound.
    package init(path: String) throws(MediaFileError) {
        let demuxer = try LibAVDemuxer(InputFile(path: path), streams: .sound)
        let av = demuxer.av
        self.demuxer = demuxer
        self.av = av
        packet = try MediaFileError.wrapping { () throws(LibAVError) in try LibAVPacket(av) }
        decoder = try MediaFileError.wrapping(path: path) { () throws(LibAVError) in
            try LibAVDecoder(av, codec: demuxer.codecID) { context in
                context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
                return av.avcodec_parameters_to_context(context, demuxer.stream.pointee.codecpar)
            }
        }
    }

    /// Decodes on.
    ///
    /// - Returns: Nil at the end.
    /// - Throws: ``MediaFileError`` for the first damage, after what came before it was given; later calls throw it
    ///   again.
    package func next() throws(MediaFileError) -> Block? {
        if let failure, isDraining { throw failure }
        while true {
            switch try MediaFileError.wrapping({ () throws(LibAVError) in try decoder.receive() }) {
            case .frame(let frame):
                if let damage = decoder.firstDamage(through: frame.packetNumber) { throw fail(damage.text) }
                if let block = try block(frame) { return block }
            case .ended:
                if let damage = decoder.firstDamage() { throw fail(damage.text) }
                if let failure { throw failure }
                return nil
            case .failed(let status): throw fail(decoder.firstDamage()?.text ?? av.message(status))
            case .needsData: try send()
            }
        }
    }

    private func fail(_ text: String) -> MediaFileError {
        let error = MediaFileError(
            .corrupt, reason: "its sound cannot be decoded: \(text)", path: demuxer.path,
            byteOffset: packet.byteOffset ?? demuxer.byteOffset)
        (failure, isDraining) = (error, true)
        return error
    }

    private func send() throws(MediaFileError) {
        guard !isDraining else { throw fail("the decoder asks for more than there is") }
        var isThere = false
        do throws(MediaFileError) {
            isThere = try demuxer.read(into: packet)
        } catch {
            // Told when what was read before it is decoded.
            failure = error
        }
        isDraining = !isThere
        let status = decoder.send(isThere ? packet : nil)
        if status < 0 { throw fail(decoder.firstDamage()?.text ?? av.message(status)) }
    }

    private func block(_ frame: LibAVFrame) throws(MediaFileError) -> Block? {
        let raw = frame.pointer.pointee
        guard raw.nb_samples > 0, raw.sample_rate > 0 else { return nil }
        guard let sound = DecodedSound(frame) else {
            throw fail("samples of format \(raw.format) with \(raw.ch_layout.nb_channels) channels")
        }
        return Block(
            samples: sound.samples, channelCount: sound.channelCount, sampleRate: Int(raw.sample_rate),
            time: demuxer.time(raw.best_effort_timestamp))
    }
}
