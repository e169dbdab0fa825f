// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// An output that is removed is one of the broadcast's until it has ended.
@Suite struct RemovingTests {
    /// An output to a named pipe that nobody reads, and that ten packets wait for.
    private struct Unread {
        let broadcast: Broadcast
        let id: OutputID
        let output: Output

        init(in folder: TemporaryDirectory, largestQueue: Int = 1 << 20) async throws {
            let path = folder.path("pipe.aac")
            mkfifo(path, 0o600)
            var output = try Output.file(path)
            output.largestQueue = largestQueue
            self.output = output
            broadcast = try Broadcast(tracks: [.audio])
            id = try broadcast.add(output)
        }

        func send(_ numbers: Range<Int64>) async throws {
            let format = try TestPackets.audioFormat()
            for number in numbers {
                try await broadcast.send(TestPackets.sound(.milliseconds(number * 21), format: format))
            }
        }

        /// Begins to remove it; what follows finds it neither gone nor ended.
        func remove() async -> Task<Void, Never> {
            let begun = AsyncStream<Void>.makeStream()
            let task = Task {
                begun.continuation.yield()
                await broadcast.remove(id, within: .seconds(60))
            }
            for await _ in begun.stream { break }
            return task
        }
    }

    @Test("cancelling the broadcast ends an output that is being removed")
    func cancelled() async throws {
        try await withTemporaryDirectory { folder in
            let unread = try await Unread(in: folder)
            try await unread.send(0..<10)
            let removing = await unread.remove()
            unread.broadcast.cancel()
            let start = ContinuousClock.now
            await removing.value
            #expect(ContinuousClock.now - start < .seconds(10))
            #expect(unread.broadcast.statistics.isEmpty)
        }
    }

    @Test(
        "until it has ended, neither removing it again nor finishing the broadcast comes back",
        arguments: [false, true])
    func again(isFinishing: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let unread = try await Unread(in: folder)
            try await unread.send(0..<10)
            let removing = await unread.remove()
            let start = ContinuousClock.now
            if isFinishing {
                await unread.broadcast.finish(within: .milliseconds(200))
            } else {
                await unread.broadcast.remove(unread.id, within: .milliseconds(200))
            }
            // Nobody reads: it ends when the shorter time is over, and not before.
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            await removing.value
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }

    @Test("until it has ended, no other output writes where it does")
    func samePlace() async throws {
        try await withTemporaryDirectory { folder in
            let unread = try await Unread(in: folder)
            try await unread.send(0..<10)
            let removing = await unread.remove()
            let error = #expect(throws: PublishingError.self) { try unread.broadcast.add(unread.output) }
            #expect(error?.code == .invalidValue)
            removing.cancel()
            await removing.value
            try unread.broadcast.add(unread.output)
            unread.broadcast.cancel()
        }
    }

    @Test(
        "the source no longer waits for room in an output that is being removed, or finished",
        arguments: [false, true])
    func source(isFinishing: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let unread = try await Unread(in: folder, largestQueue: 1000)
            let sending = Task { try await unread.send(0..<100) }
            let isWaiting = await eventually { (unread.broadcast.statistics[unread.id]?.queueBytes ?? 0) > 1000 }
            #expect(isWaiting)
            let ending =
                isFinishing ? Task { await unread.broadcast.finish(within: .seconds(60)) } : await unread.remove()
            let start = ContinuousClock.now
            let result = await sending.result
            #expect(ContinuousClock.now - start < .seconds(10))
            // An output that is gone takes nothing from the others; a broadcast that has ended takes nothing.
            #expect((try? result.get()) == nil ? isFinishing : !isFinishing)
            ending.cancel()
            await ending.value
        }
    }
}
