// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing

/// Encodes sound beside pictures: as much as the pictures that are there last, and no more.
struct SoundFeed {
    private var source: any SoundSource
    private let encoder: AudioEncoder
    /// Where the next block starts, from the first sample on.
    private var position = MediaTime.zero
    private var start: MediaTime?
    private var isOver = false

    /// Joins a source to an encoder.
    init(_ source: any SoundSource, settings: AudioSettings) throws(PublishingError) {
        self.source = source
        encoder = try AudioEncoder(settings)
    }

    /// What the sound is encoded to.
    var format: AudioFormat { encoder.format }

    /// Encodes on, up to a time.
    ///
    /// - Parameter time: In the clock of the pictures; the first one is where the sound starts.
    /// - Returns: The packets that are ready.
    /// - Throws: ``PublishingError`` for sound that cannot be read or encoded.
    mutating func packets(until time: MediaTime) throws(PublishingError) -> [MediaPacket] {
        let start = start ?? time
        self.start = start
        var packets: [MediaPacket] = []
        while !isOver, start + position <= time {
            guard let block = try source.next() else {
                isOver = true
                return packets + (try encoder.finish())
            }
            let placed = try SoundBlock(
                samples: block.samples, channelCount: block.channelCount, sampleRate: block.sampleRate,
                time: start + position)
            packets += try encoder.encode(placed)
            position =
                position
                + MediaTime(
                    value: Int64(block.samples.count / block.channelCount), timescale: Int32(block.sampleRate))
        }
        return packets
    }

    /// What the encoder still holds; call once, after the last picture.
    mutating func finish() throws(PublishingError) -> [MediaPacket] {
        guard !isOver, start != nil else { return [] }
        isOver = true
        return try encoder.finish()
    }
}
