// SPDX-License-Identifier: MIT

import BitSyntax

extension ADTS {
    /// A packet without its header, and what the header says of the stream.
    package struct Frame: Sendable, Hashable {
        /// AudioSpecificConfig of the stream.
        package var configuration: [UInt8]
        /// Sample frames in a second.
        package var sampleRate: Int
        /// Channels.
        package var channelCount: Int
        /// The coded sound.
        package var data: [UInt8]
    }

    /// The packets in bytes that hold whole ones, as a transport stream's do.
    ///
    /// - Throws: ``PublishingError`` with `.corrupt` for bytes that are no such packets; `.unsupported` for packets of
    ///   several blocks, and for channels that only the sound itself tells.
    package static func frames(in bytes: [UInt8]) throws(PublishingError) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let (frame, length) = try Self.frame(Array(rest))
            frames.append(frame)
            rest = rest.dropFirst(length)
        }
        return frames
    }

    private static func frame(_ bytes: [UInt8]) throws(PublishingError) -> (Frame, length: Int) {
        // Sync word, and layer 0; the version of MPEG makes no difference here.
        guard bytes.count >= Header.byteCount, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else {
            throw PublishingError(.corrupt, reason: "AAC without the ADTS header that its container asks for")
        }
        let headerLength = bytes[1] & 1 == 1 ? Header.byteCount : Header.byteCount + 2
        let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
        guard length >= headerLength, length <= bytes.count else {
            throw PublishingError(
                .corrupt,
                reason: "an ADTS packet of \(length) bytes, expected \(headerLength)...\(bytes.count)")
        }
        guard bytes[6] & 3 == 0 else {
            throw PublishingError(
                .unsupported, reason: "an ADTS packet of \(Int(bytes[6] & 3) + 1) blocks, expected one")
        }
        let (index, channels) = (Int(bytes[2] >> 2 & 15), Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6))
        guard index < AudioSampling.rates.count, channels > 0 else {
            throw PublishingError(
                .unsupported,
                reason: "ADTS with rate index \(index) and channel configuration \(channels), expected 0...12 and 1...7"
            )
        }
        var configuration = AudioSpecificConfig()
        configuration.objectType = AudioObjectType(Int(bytes[2] >> 6) + 1)
        configuration.sampling.index = index
        configuration.channelConfiguration = channels
        guard let written = try? configuration.bytes(), let count = configuration.channelCount else {
            throw PublishingError(.unsupported, reason: "ADTS of object type \(configuration.objectType.number)")
        }
        let frame = Frame(
            configuration: written, sampleRate: AudioSampling.rates[index], channelCount: count,
            data: Array(bytes[headerLength..<length]))
        return (frame, length)
    }
}
