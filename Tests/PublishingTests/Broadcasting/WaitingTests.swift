// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// No wait of a broadcast is without an end: cancelling ends each within half a second.
@Suite(.serialized) struct WaitingTests {
    /// What keeps an output from ending.
    enum Obstacle: String, CaseIterable {
        /// A named pipe that nobody opens for reading.
        case unopenedPipe
        /// A named pipe whose reader takes nothing.
        case stoppedPipe
        /// A closure that does not return.
        case closure
        /// A server that takes connections and says nothing.
        case silentServer
        /// A port where nobody listens.
        case noServer
        /// An address of SRT where nobody listens.
        case noListener
    }

    /// An output behind an obstacle, with what has to stay open meanwhile.
    private struct Blocked {
        var output: Output
        var release: () -> Void = {}
    }

    private func blocked(_ obstacle: Obstacle, in folder: TemporaryDirectory) throws -> Blocked {
        let path = folder.path("pipe.aac")
        switch obstacle {
        case .unopenedPipe:
            mkfifo(path, 0o600)
            return Blocked(output: try .file(path))
        case .stoppedPipe:
            mkfifo(path, 0o600)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            return Blocked(output: try .file(path), release: { close(reader) })
        case .closure:
            let gate = Gate()
            return Blocked(output: .receiver("closure", container: .adts) { _ in gate.wait() }, release: gate.open)
        case .silentServer:
            let listener = SilentListener()
            let output = Output.address(try PublishAddress("rtmp://127.0.0.1:\(listener.port)/mytv/room"))
            return Blocked(output: output, release: { withExtendedLifetime(listener) {} })
        case .noServer:
            return Blocked(output: .address(try PublishAddress("rtmp://127.0.0.1:\(freePort())/mytv/room")))
        case .noListener:
            let port = freePort(isDatagram: true)
            return Blocked(output: .address(try PublishAddress("srt://127.0.0.1:\(port)")))
        }
    }

    /// Lets threads wait until it is opened.
    private final class Gate: Sendable {
        private let lock = SessionLock(false)
        @Sendable func wait() { lock.waitFor { $0 ? () : nil } }
        func open() {
            lock.withLock { $0 = true }
            lock.wake()
        }
    }

    /// More packets than fit the pipe and the queue.
    private func packets() throws -> [MediaPacket] {
        let format = try TestPackets.audioFormat()
        return (0..<400).map {
            TestPackets.sound(MediaTime(value: $0 * 1024, timescale: 48_000), byteCount: 1000, format: format)
        }
    }

    /// Makes a broadcast that waits behind an obstacle, with a queue that is soon full.
    private func start(_ obstacle: Obstacle, in folder: TemporaryDirectory) throws -> (Broadcast, Blocked) {
        var blocked = try blocked(obstacle, in: folder)
        blocked.output.largestQueue = 100_000
        return (try Broadcast(tracks: [.audio], outputs: [blocked.output]), blocked)
    }

    /// Sends packets until one waits, or there are no more; in a task, which is returned with the number sent.
    private func send(to broadcast: Broadcast) async throws -> Task<Void, any Error> {
        let packets = try packets()
        let counter = Counter()
        let task = Task {
            for packet in packets {
                try await broadcast.send(packet)
                counter.count.add(1, ordering: .releasing)
            }
        }
        // It waits, or has sent all, when the count no longer rises.
        var last = -1
        _ = await eventually(within: 5) {
            defer { last = counter.count.load(ordering: .acquiring) }
            return counter.count.load(ordering: .acquiring) == last && last > 0
        }
        return task
    }

    private final class Counter: Sendable { let count = Atomic(0) }

    /// Ends what waits by a call, and measures how long it takes to come back.
    private func expectEnd(
        _ obstacle: Obstacle, of wait: (Broadcast, Task<Void, any Error>) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let (broadcast, blocked) = try start(obstacle, in: folder)
            let sending = try await send(to: broadcast)
            let start = ContinuousClock.now
            try await wait(broadcast, sending)
            _ = await sending.result
            let time = ContinuousClock.now - start
            #expect(time < .milliseconds(500), "\(obstacle) took \(time)")
            blocked.release()
            broadcast.cancel()
        }
    }

    @Test("a cancelled task comes back from sending, and from ending", arguments: Obstacle.allCases)
    func cancelledTasks(obstacle: Obstacle) async throws {
        try await expectEnd(obstacle) { broadcast, sending in
            sending.cancel()
            _ = await sending.result
            for isRemoving in [true, false] {
                let ending = Task {
                    guard isRemoving, let id = broadcast.statistics.keys.first else {
                        return await broadcast.finish(within: .seconds(60))
                    }
                    await broadcast.remove(id, within: .seconds(60))
                }
                ending.cancel()
                await ending.value
            }
        }
    }

    @Test("cancelling a broadcast ends what sends to it", arguments: Obstacle.allCases)
    func cancelledBroadcast(obstacle: Obstacle) async throws {
        try await expectEnd(obstacle) { broadcast, _ in broadcast.cancel() }
    }

    @Test("ending keeps its time, whatever the outputs wait for", .inTurn(), arguments: Obstacle.allCases)
    func endingInTime(obstacle: Obstacle) async throws {
        try await withTemporaryDirectory { folder in
            let (broadcast, blocked) = try start(obstacle, in: folder)
            let sending = try await send(to: broadcast)
            let start = ContinuousClock.now
            let returned = Counter()
            let ending = Task {
                await broadcast.finish(within: .milliseconds(300))
                returned.count.add(1, ordering: .releasing)
            }
            // Not waited for itself: it may be what never returns.
            let hasReturned = await eventually(within: 5) { returned.count.load(ordering: .acquiring) == 1 }
            let time = ContinuousClock.now - start
            #expect(hasReturned && time < .milliseconds(1300), "\(obstacle) took \(time)")
            let state = try #require(broadcast.statistics.values.first?.state)
            #expect(state.isFinal, "\(state)")
            blocked.release()
            _ = await sending.result
            await ending.value
        }
    }

    @Test("a cancelled broadcast lets go of its outputs' threads")
    func threads() async throws {
        try await withTemporaryDirectory { folder in
            for obstacle in Obstacle.allCases where obstacle != .closure {
                let (broadcast, blocked) = try start(obstacle, in: folder)
                let sending = try await send(to: broadcast)
                broadcast.cancel()
                _ = await sending.result
                let start = ContinuousClock.now
                // Waits for the threads: the broadcast has been cancelled, and is not given up before its time.
                await broadcast.finish(within: .seconds(10))
                #expect(ContinuousClock.now - start < .milliseconds(500), "\(obstacle)")
                blocked.release()
                unlink(folder.path("pipe.aac"))
            }
        }
    }
}
