// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// Runs each job of a task on the thread that makes it ready, so that a listener runs within the call that tells it.
private final class ImmediateExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

/// Keeps what a listener hears, and whether the calls that it makes have returned.
private final class Listener: Sendable {
    let heard = Mutex<[String]>([])
    let isOver = Atomic<Bool>(false)

    /// Makes a broadcast whose events are heard within the calls that tell them; returns when all have been made.
    ///
    /// - Returns: What ends when the last event was heard: one that is told while another is heard comes after it, on
    ///   the thread that told the other.
    func run(_ packets: [MediaPacket], to path: String) throws -> Task<Void, Never> {
        let broadcast = try Broadcast(tracks: [.audio])
        let task = Task(executorPreference: ImmediateExecutor()) {
            for await event in broadcast.events {
                self.heard.withLock { $0.append("\(event)") }
                // Takes the locks of the broadcast and of each output.
                _ = broadcast.statistics
            }
        }
        try broadcast.add(.file(path))
        for packet in packets { try broadcast.sendBlocking(packet) }
        broadcast.cancel()
        isOver.store(true, ordering: .releasing)
        return task
    }
}

@Suite struct BroadcastEventTests {
    /// Packets of sound, which need no encoder.
    private func sound(_ range: Range<Int64>) throws -> [MediaPacket] {
        let format = try TestPackets.audioFormat()
        return range.map { TestPackets.sound(MediaTime(value: $0 * 1024, timescale: 48_000), format: format) }
    }

    @Test("a listener that runs within the call that tells it may call the broadcast")
    func reentry() async throws {
        // The source's clock goes back, which is told while the packets are placed.
        let packets = try sound(0..<20) + sound(0..<10)
        let listener = Listener()
        try await withTemporaryDirectory { folder in
            let path = folder.path("a.aac")
            // A thread of its own: where the broadcast's lock is held while it tells, the call never comes back.
            let calls = Task.detached { try await onThread { try listener.run(packets, to: path) } }
            let hasReturned = await eventually(within: Patience.seconds) {
                listener.isOver.load(ordering: .acquiring)
            }
            try #require(hasReturned)
            await (try await calls.value).value
        }
        let events = listener.heard.withLock { $0 }
        #expect(events.contains { $0.contains("rebased") }, "\(events)")
    }

    @Test("events of an output come in the order of its states, with any number of threads")
    func order() async throws {
        for _ in 0..<50 {
            let broadcast = try Broadcast(tracks: [.audio])
            let outputs = try (0..<4).map { index in
                try broadcast.add(.receiver("receiver \(index)", container: .adts) { _ in })
            }
            for packet in try sound(0..<3) { try await broadcast.send(packet) }
            await broadcast.finish()
            var states: [OutputID: [PublishState]] = [:]
            for await case .state(let id, _, let state) in broadcast.events { states[id, default: []].append(state) }
            for output in outputs { #expect(states[output] == [.connecting, .publishing, .ended]) }
        }
    }

    @Test(
        "statistics count the bytes of a file to its last one", .inTurn(), .requiresProgram(.ffmpeg),
        arguments: [Container.fragmentedMP4, .fragmentedMOV, .matroska, .transportStream, .flv, .mp4])
    func byteCount(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.file(folder.path("a.x"), container: container)])
            for packet in stream.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            let written = try #require(broadcast.statistics.values.first?.byteCount)
            let size = try folder.read("a.x").count
            // What is written again at the place of the header counts again.
            #expect(container == .mp4 || container == .matroska ? written >= size : written == size)
            #expect(written < size + 1000)
        }
    }
}
