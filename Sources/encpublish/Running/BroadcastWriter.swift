// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import Publishing

/// Gives a session's frames to a broadcast, and the sound beside them.
final class BroadcastWriter: EncodedFrameWriter {
    private let broadcast: Broadcast
    private let sound: SharedSound?
    private let index: Int
    private let rotation: DisplayRotation
    private let whenGiven: (MediaTime) -> Void

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - broadcast: Takes the packets; it is not ended here.
    ///   - sound: Nil where there is none.
    ///   - index: Which of the encodings that share the sound the frames are of.
    ///   - rotation: By how much players turn the pictures.
    ///   - whenGiven: Learns of the presentation time of each picture that was given.
    init(
        _ broadcast: Broadcast, sound: SharedSound?, index: Int, rotation: DisplayRotation = .none,
        whenGiven: @escaping (MediaTime) -> Void
    ) {
        self.broadcast = broadcast
        self.sound = sound
        self.index = index
        self.rotation = rotation
        self.whenGiven = whenGiven
    }

    func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let packet = MediaPacket(frame) else { return }
        try MediaFileError.wrapping { () throws(PublishingError) in
            try broadcast.sendBlocking(try packet.turned(rotation))
            whenGiven(packet.presentationTime)
            // Sound up to the picture's time: a picture that is decoded early must not start it before the first.
            let (time, duration) = (packet.presentationTime, packet.duration)
            for packet in try sound?.packets(of: index, until: time, duration: duration) ?? [] {
                try broadcast.sendBlocking(packet)
            }
        }
    }

    /// Nothing: sound may have to wait for the last picture of another encoding.
    func finish() throws(MediaFileError) {}
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
