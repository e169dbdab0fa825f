// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import Publishing

/// The decoded sound of a file, at the times that its file has for it.
struct FileSound: SoundSource {
    private let reader: SoundReader
    /// What is added to the file's times.
    private let offset: MediaTime
    private var last: MediaTime?

    /// Opens the sound of a file that is no WAV file, or the one beside pictures.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: What is added to its times.
    /// - Throws: ``MediaFileError`` with `.unsupported` where it has no sound.
    init(path: String, offset: MediaTime = .zero) throws(MediaFileError) {
        reader = try SoundReader(path: path)
        self.offset = offset
    }

    mutating func next() throws(PublishingError) -> SoundBlock? {
        let decoded: SoundReader.Block?
        do throws(MediaFileError) {
            decoded = try reader.next()
        } catch {
            throw PublishingError(.readFailed, reason: error.description)
        }
        guard let decoded else { return nil }
        var time = decoded.time.map { $0 + offset }
        // Where the file's times do not rise, what follows is taken to follow.
        if let last, let given = time, given <= last { time = nil }
        last = time ?? last
        return try SoundBlock(
            samples: decoded.samples, channelCount: decoded.channelCount, sampleRate: decoded.sampleRate, time: time)
    }
}
