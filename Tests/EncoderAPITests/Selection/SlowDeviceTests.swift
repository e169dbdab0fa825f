// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Synchronization
import TestSupport
import Testing

/// Devices that take their time, and tasks that give up meanwhile.
@Suite(.timeLimit(.minutes(1))) struct SlowDeviceTests {
    /// A place where threads wait for each other.
    private final class Meeting: Sendable {
        private let arrived = Atomic(0)
        private let missed = Atomic(0)
        let size: Int

        init(size: Int) { self.size = size }

        /// How many gave up before all were there.
        var missedCount: Int { missed.load(ordering: .relaxed) }

        /// Blocks the thread until all are there, ten seconds at most.
        func join() {
            let end = ContinuousClock.now + .seconds(10)
            arrived.add(1, ordering: .relaxed)
            while arrived.load(ordering: .relaxed) < size {
                guard ContinuousClock.now < end else { return _ = missed.add(1, ordering: .relaxed) }
                usleep(1000)
            }
        }
    }

    /// More tasks than Swift's pool has threads.
    private static let tasks = sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 2 + 2

    @Test("listing blocks no thread of the tasks that wait for it, whoever asks", arguments: [false, true])
    func listing(bySelection: Bool) async throws {
        let meeting = Meeting(size: Self.tasks)
        var device = PretendedDevice(FakeBackend())
        device.listing = { meeting.join() }
        try await sessions { [device] in
            if bySelection { return try await EncoderSelection([device]).makeSession(FakeStream.configuration()) }
            let encoder = try await device.encoder(for: .h264)
            return try CompressionSession(FakeStream.configuration(), encoder: encoder, of: device)
        }
        #expect(meeting.missedCount == 0)
        #expect(device.log.listed == Self.tasks)
    }

    @Test("opening blocks no thread of the tasks that wait for it")
    func opening() async throws {
        let meeting = Meeting(size: Self.tasks)
        let backend = ScriptedBackend(opening: { meeting.join() })
        try await sessions { try await EncoderSelection([backend]).makeSession(FakeStream.configuration()) }
        #expect(meeting.missedCount == 0)
    }

    @Test("a device that opens slowly is waited for, and its session encodes like any other")
    func slowOpening() async throws {
        var device = PretendedDevice(FakeBackend())
        device.opening = .milliseconds(100)
        let start = ContinuousClock.now
        let session = try await EncoderSelection([device, FakeBackend()]).makeSession(FakeStream.configuration())
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        #expect(session.encoder.device == "pretended0")
        #expect(try await FakeStream.run(session, frames: 3).count == 3)
        #expect(device.log.opened.count == 1)
    }

    @Test("a task that is cancelled while encoders are listed learns it at once, and no back end is asked any more")
    func cancelledListing() async throws {
        let gate = Gate()
        var device = PretendedDevice(FakeBackend())
        device.listing = { gate.wait() }
        let next = PretendedDevice(FakeBackend())
        let making = Task { [device] in
            _ = try await EncoderSelection([device, next], hardwareAcceleration: .required)
                .makeSession(FakeStream.configuration())
        }
        try await gate.arrived()
        making.cancel()
        let error = await #expect(throws: EncoderError.self) { try await making.value }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(next.log.listed == 0 && device.log.opened.isEmpty)
    }

    @Test("a task that is cancelled while an encoder opens learns just that, and no other back end is tried")
    func cancelledOpening() async throws {
        let gate = Gate()
        let (slow, next) = (ScriptedBackend(opening: { gate.wait() }), ScriptedBackend())
        let making = Task { _ = try await EncoderSelection([slow, next]).makeSession(FakeStream.configuration()) }
        try await gate.arrived()
        making.cancel()
        let error = await #expect(throws: EncoderError.self) { try await making.value }
        #expect(error?.code == .cancelled)
        gate.open()
        while slow.log.value.closed == 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(next.log.value.opened == 0)
    }

    @Test("a task that was cancelled before is told so as well")
    func cancelledBefore() async throws {
        let making = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await EncoderSelection([FakeBackend(failsToOpen: true)]).makeSession(FakeStream.configuration())
        }
        making.cancel()
        let error = await #expect(throws: EncoderError.self) { try await making.value }
        #expect(error?.code == .cancelled)
    }

    /// Makes as many sessions at once as there are tasks.
    private func sessions(_ make: @escaping @Sendable () async throws -> CompressionSession) async throws {
        try await withThrowingTaskGroup(of: CompressionSession.self) { group in
            for _ in 0..<Self.tasks { group.addTask { try await make() } }
            for try await session in group { session.invalidate() }
        }
    }
}
