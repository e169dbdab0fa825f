// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing

/// Encodes sound beside pictures: as much as the pictures that are there last, and no more.
struct SoundFeed {
    private var source: any SoundSource
    private let settings: AudioSettings
    private var encoder: AudioEncoder
    /// Where the next block starts.
    private var position = MediaTime.zero
    private var hasStarted = false
    private var isOver = false

    /// Joins a source to an encoder.
    ///
    /// - Parameters:
    ///   - source: Its blocks have times in the clock of the pictures, or none: then they begin with the first picture.
    ///   - settings: What the sound is encoded to.
    /// - Throws: ``PublishingError`` where there is no such encoder.
    init(_ source: sending any SoundSource, settings: AudioSettings) throws(PublishingError) {
        self.source = source
        self.settings = settings
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
        if !hasStarted {
            hasStarted = true
            position = time
            encoder = try AudioEncoder(settings, startTime: time)
        }
        var packets: [MediaPacket] = []
        while !isOver, position <= time {
            guard let block = try source.next() else {
                isOver = true
                return packets + (try encoder.finish())
            }
            let placed = try SoundBlock(
                samples: block.samples, channelCount: block.channelCount, sampleRate: block.sampleRate,
                time: block.time ?? position)
            packets += try encoder.encode(placed)
            position =
                (block.time ?? position)
                + MediaTime(value: Int64(block.frameCount), timescale: Int32(clamping: block.sampleRate))
        }
        return packets
    }

    /// What the encoder still holds; call once, after the last picture.
    mutating func finish() throws(PublishingError) -> [MediaPacket] {
        guard !isOver, hasStarted else { return [] }
        isOver = true
        return try encoder.finish()
    }
}
