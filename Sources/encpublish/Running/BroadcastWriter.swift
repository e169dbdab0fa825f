// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import Publishing

/// Gives a session's frames to a broadcast, and the sound beside them.
final class BroadcastWriter: EncodedFrameWriter {
    private let broadcast: Broadcast
    private var sound: SoundFeed?
    private let whenGiven: (MediaTime) -> Void

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - broadcast: Takes the packets; it is not ended here.
    ///   - sound: Nil where there is none.
    ///   - whenGiven: Learns of the presentation time of each picture that was given.
    init(_ broadcast: Broadcast, sound: SoundFeed?, whenGiven: @escaping (MediaTime) -> Void) {
        self.broadcast = broadcast
        self.sound = sound
        self.whenGiven = whenGiven
    }

    func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let packet = MediaPacket(frame) else { return }
        try MediaFileError.wrapping { () throws(PublishingError) in
            try broadcast.sendBlocking(packet)
            // Sound up to the picture's time: a picture that is decoded early must not start it before the first.
            for packet in try sound?.packets(until: packet.presentationTime) ?? [] {
                try broadcast.sendBlocking(packet)
            }
        }
        whenGiven(packet.presentationTime)
    }

    func finish() throws(MediaFileError) {
        try MediaFileError.wrapping { () throws(PublishingError) in
            for packet in try sound?.finish() ?? [] { try broadcast.sendBlocking(packet) }
        }
    }
}

extension MediaFileError {
    /// What publishing threw, in the words that a pass of an encoder ends with.
    static func wrapping(_ body: () throws(PublishingError) -> Void) throws(MediaFileError) {
        do throws(PublishingError) {
            try body()
        } catch {
            let code: Code =
                switch error.code {
                case .invalidValue, .backwardsTime: .corrupt
                case .libraryMissing: .libraryMissing
                case .cannotOpen, .readFailed: .readFailed
                default: .writeFailed
                }
            throw MediaFileError(code, reason: error.description, status: error.status)
        }
    }
}
