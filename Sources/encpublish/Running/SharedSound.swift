// SPDX-License-Identifier: MIT

import DequeModule
import EncoderAPI
import Publishing
import Synchronization

/// One feed of sound for all encodings of the pictures beside it: encoded once, given to each as far as that is.
final class SharedSound: Sendable {
    fileprivate struct State {
        var feed: SoundFeed
        /// What each encoding has yet to be given.
        var waiting: [Deque<MediaPacket>]
    }

    /// What the sound is encoded to.
    let format: AudioFormat
    private let state: Mutex<State>

    /// Shares a feed.
    init(_ feed: sending SoundFeed, among count: Int) {
        format = feed.format
        state = Mutex(State(feed: feed, waiting: Array(repeating: [], count: count)))
    }

    /// The packets of one encoding that are heard before a picture of it, or with it.
    ///
    /// What is heard while the picture is shown is encoded too, and given with the next one, or as the rest.
    ///
    /// - Parameters:
    ///   - index: Which encoding.
    ///   - time: When the picture is shown, in its clock.
    ///   - duration: How long; nil where that is not known.
    /// - Returns: Its packets in order.
    /// - Throws: ``PublishingError`` for sound that cannot be read or encoded.
    func packets(
        of index: Int, until time: MediaTime, duration: MediaTime? = nil
    ) throws(PublishingError) -> [MediaPacket] {
        try state.withLock { state throws(PublishingError) in
            let end = time + (duration ?? .zero)
            for packet in try state.feed.packets(from: time, until: end) { state.hold(packet) }
            var packets: [MediaPacket] = []
            while let packet = state.waiting[index].first, packet.presentationTime <= time {
                packets.append(packet)
                state.waiting[index].removeFirst()
            }
            return packets
        }
    }

    /// The rest of one encoding; to be asked when all of them have had their last picture.
    func rest(of index: Int) throws(PublishingError) -> [MediaPacket] {
        try state.withLock { state throws(PublishingError) in
            for packet in try state.feed.finish() { state.hold(packet) }
            return Array(exchange(&state.waiting[index], with: []))
        }
    }
}

extension SharedSound.State {
    fileprivate mutating func hold(_ packet: MediaPacket) {
        for index in waiting.indices { waiting[index].append(packet) }
    }
}
