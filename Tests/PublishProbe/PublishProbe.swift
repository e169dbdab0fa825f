// SPDX-License-Identifier: MIT

import CMalloc
import EncoderAPI
import Glibc
import Publishing
import RecordedStreams

/// What tests of publishing start as a program of its own.
///
///     publishprobe record VIDEO.mp4 AUDIO.aac SPEED OUTPUT...
///     publishprobe memory VIDEO.mp4 AUDIO.aac SECONDS OUTPUT...
///     publishprobe sound
///
/// `record` sends the stream again and again, so many times as fast as its times say, and prints how many pictures it
/// has given of which none waits before an output; it ends when it is killed. `memory` sends as many seconds of it as
/// fast as the files among the outputs take them, and prints eight times, when nothing waits, the seconds sent and the
/// bytes that are allocated. `sound` encodes sound at the encoder's rate, with a gap, and at another rate, and prints
/// what became of each.
@main struct PublishProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst() == ["sound"] { return encodeSound() }
        guard arguments.count > 5, let number = Double(arguments[4]) else {
            print("usage: publishprobe record|memory VIDEO.mp4 AUDIO.aac NUMBER OUTPUT..., publishprobe sound")
            exit(2)
        }
        let stream = try RecordedStream(video: arguments[2], codec: .h264, audio: arguments[3])
        let broadcast = try Broadcast(tracks: [.video, .audio], outputs: arguments[5...].map(output))
        switch arguments[1] {
        case "record": try await record(stream, speed: number, broadcast)
        default: try await measure(stream, seconds: number, broadcast)
        }
    }

    /// An address, a folder with a slash at its end, or a file.
    private static func output(_ name: String) throws -> Output {
        if name.contains("://") {
            var output = Output.address(try PublishAddress(name))
            output.retries.delays = [.milliseconds(200)]
            return output
        }
        if name.hasSuffix("/") { return .segments(SegmentFolder(path: name, window: 5)) }
        return try .file(name)
    }

    private static func record(_ stream: RecordedStream, speed: Double, _ broadcast: Broadcast) async throws {
        let packets = stream.packets
        let start = ContinuousClock.now
        var (given, printed) = (0, 0)
        for packet in Loop(packets) {
            let time = Duration.seconds(packet.decodeTime.seconds / speed)
            try await Task.sleep(until: start + time, clock: .continuous)
            if given > printed, !hasWaiting(broadcast) {
                print(given)
                fflush(nil)
                printed = given
            }
            try await broadcast.send(packet)
            given += packet.track == .video ? 1 : 0
        }
    }

    private static func measure(_ stream: RecordedStream, seconds: Double, _ broadcast: Broadcast) async throws {
        var shown = 0
        for packet in Loop(stream.packets) {
            try await broadcast.send(packet)
            guard packet.track == .video, packet.decodeTime.seconds >= seconds * Double(shown + 1) / 8 else { continue }
            shown += 1
            while hasWaiting(broadcast) { try await Task.sleep(for: .milliseconds(5)) }
            // Large blocks are counted apart.
            let allocated = mallinfo2()
            print(Int(packet.decodeTime.seconds), Int(allocated.uordblks + allocated.hblkhd))
            fflush(nil)
            if shown == 8 { break }
        }
        await broadcast.finish(within: .seconds(2))
    }

    /// Whether any output that goes on has packets that no container has.
    private static func hasWaiting(_ broadcast: Broadcast) -> Bool {
        broadcast.statistics.values.contains { $0.queueBytes > 0 && !$0.state.isFinal }
    }

    private static func encodeSound() {
        for (name, rate, gap) in [("48000 Hz", 48_000, 0), ("48000 Hz with a gap", 48_000, 1), ("44100 Hz", 44_100, 0)]
        {
            do throws(PublishingError) {
                let encoder = try AudioEncoder()
                var count = 0
                for second in 0..<2 {
                    let block = try SoundBlock(
                        samples: [Float](repeating: 0.1, count: rate * 2), channelCount: 2, sampleRate: rate,
                        time: MediaTime(value: Int64(second * (1 + gap)), timescale: 1))
                    count += try encoder.encode(block).count
                }
                print("\(name): \(count + (try encoder.finish().count)) packets")
            } catch {
                print("\(name): \(error.code.rawValue), \(error.reason)")
            }
        }
    }

    /// The packets again and again, later each time; without an end.
    private struct Loop: Sequence, IteratorProtocol {
        private let packets: [MediaPacket]
        private let length: MediaTime
        private var (index, round) = (0, Int64(0))

        init(_ packets: [MediaPacket]) {
            self.packets = packets
            // A whole number of seconds, so that the times of no track come twice.
            let end = packets.map { ($0.presentationTime + ($0.duration ?? .zero)).seconds }.max() ?? 1
            length = MediaTime(value: Int64(end.rounded(.up)), timescale: 1)
        }

        mutating func next() -> MediaPacket? {
            if index == packets.count { (index, round) = (0, round + 1) }
            defer { index += 1 }
            return packets[index].later(by: MediaTime(value: length.value * round, timescale: 1))
        }
    }
}
