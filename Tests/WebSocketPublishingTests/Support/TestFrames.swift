// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing

extension Frames {
    /// Pictures at 25 frames in a second with a key frame each second, and sound beside them.
    ///
    /// They are shown at uneven times, as a camera captures them, of which none follows from a picture's number.
    ///
    /// - Parameters:
    ///   - first: The first picture's number; it is decoded at so many times 40 ms, and shown 80 to 89 ms later.
    ///   - end: The number behind the last picture.
    ///   - unitSize: Bytes of a picture.
    /// - Returns: All packets in the order of decoding.
    /// - Throws: Where a format cannot be made.
    static func stream(from first: Int = 0, to end: Int = 75, unitSize: Int = 400) throws -> [MediaPacket] {
        let (video, audio) = (try videoFormat(), try audioFormat())
        return (first..<end).flatMap { number in
            let time = MediaTime.milliseconds(Int64(number) * 40)
            let delay = MediaTime.milliseconds(80 + Int64(number * 7 % 10))
            return [
                picture(
                    time + delay, decodedAt: time, isKey: number % 25 == 0, unitSizes: [unitSize],
                    format: video),
                sound(time + delay, format: audio),
            ]
        }
    }
}

#if WebSocket
    import Synchronization
    import TestSupport
    import WebSocketPublishing

    /// Keeps what publishers send to a server.
    final class PublishedRecord: Sendable {
        private let state = Mutex<(packets: [MediaPacket], outcomes: [String])>(([], []))

        var packets: [MediaPacket] { state.withLock { $0.packets } }
        /// How each publisher ended: "complete", or why it is not.
        var outcomes: [String] { state.withLock { $0.outcomes } }

        func packets(of track: TrackID) -> [MediaPacket] { packets.filter { $0.track == track } }

        /// Takes all that a publisher sends.
        func take(_ stream: PublishedStream) async {
            do throws(PublishingError) {
                for try await packet in stream { state.withLock { $0.packets.append(packet) } }
                state.withLock { $0.outcomes.append("complete") }
            } catch {
                state.withLock { $0.outcomes.append("\(error.code.rawValue): \(error.reason)") }
            }
        }
    }

    /// What servers of these tests want to be shown.
    enum TestToken {
        static let text = "correct-horse-battery"

        static func make() throws -> AccessToken { try AccessToken(text) }
    }

    extension Broadcast {
        /// Of the only output.
        var onlyStatistics: OutputStatistics? { statistics.values.first }

        /// Waits until the only output is so.
        func reaches(_ isThere: (OutputStatistics) -> Bool) async -> Bool {
            await eventually { onlyStatistics.map(isThere) ?? false }
        }
    }
#endif
