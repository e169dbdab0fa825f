// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing

/// Encodes sound beside pictures: as long as the pictures are shown, and no longer than a block beyond.
struct SoundFeed {
    private var source: any SoundSource
    /// What the sound is of, in errors; nil for sound that is made here.
    private let path: String?
    private let settings: AudioSettings
    private var encoder: AudioEncoder
    /// Where the next block starts.
    private var position = MediaTime.zero
    private var hasStarted = false
    /// Until when the last picture is shown.
    private var end: MediaTime?
    private var isOver = false

    /// Joins a source to an encoder.
    ///
    /// - Parameters:
    ///   - source: Its blocks have times in the clock of the pictures, or none: then they begin with the first picture.
    ///   - settings: What the sound is encoded to.
    ///   - path: The file of the sound, which errors name; nil for none.
    /// - Throws: ``PublishingError`` where there is no such encoder.
    init(_ source: sending any SoundSource, settings: AudioSettings, path: String? = nil) throws(PublishingError) {
        self.source = source
        self.path = path
        self.settings = settings
        encoder = try AudioEncoder(settings)
    }

    /// What the sound is encoded to.
    var format: AudioFormat { encoder.format }

    /// Encodes on, up to the end of a picture.
    ///
    /// - Parameters:
    ///   - start: When the picture is shown; that of the first one is where the sound starts.
    ///   - end: Until when it is shown; `start` where that is not known.
    /// - Returns: The packets that are ready.
    /// - Throws: ``PublishingError`` for sound that cannot be read or encoded, with the file's name.
    mutating func packets(from start: MediaTime, until end: MediaTime) throws(PublishingError) -> [MediaPacket] {
        do throws(PublishingError) {
            return try encode(from: start, until: end)
        } catch {
            throw path.map { error.naming($0) } ?? error
        }
    }

    private mutating func encode(from start: MediaTime, until end: MediaTime) throws(PublishingError) -> [MediaPacket] {
        if !hasStarted {
            hasStarted = true
            position = start
            encoder = try AudioEncoder(settings, startTime: start)
        }
        self.end = max(self.end ?? end, end)
        var packets: [MediaPacket] = []
        while !isOver, position <= end {
            guard let block = try source.next() else {
                // What is captured may not have come yet.
                if let live = source as? any LiveSoundSource, !live.isOver { return packets }
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
        // What was captured meanwhile, up to the end of the last picture.
        let last =
            if let end, source is any LiveSoundSource { try packets(from: end, until: end) } else {
                [] as [MediaPacket]
            }
        guard !isOver else { return last }
        isOver = true
        return last + (try encoder.finish())
    }
}
