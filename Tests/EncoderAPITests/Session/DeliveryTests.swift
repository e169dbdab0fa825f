// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Glibc
import Synchronization
import TestSupport
import Testing

/// What a session gives to a handler: where, when, and until when.
@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
    /// Runs tasks on a queue.
    private final class QueueExecutor: TaskExecutor {
        let queue = DispatchQueue(label: "EncoderKit.test.executor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    enum Queue: CaseIterable, Sendable {
        case sessionThread, serial, concurrent, pool, executor

        var queue: DeliveryQueue {
            switch self {
            case .sessionThread: return .sessionThread
            case .serial:
                let queue = DispatchQueue(label: "EncoderKit.test")
                return DeliveryQueue { queue.async(execute: $0) }
            case .concurrent:
                let queue = DispatchQueue(label: "EncoderKit.test", attributes: .concurrent)
                return DeliveryQueue { queue.async(execute: $0) }
            case .pool: return DeliveryQueue { work in Task.detached { work() } }
            case .executor: return DeliveryQueue(QueueExecutor())
            }
        }
    }

    private func give(_ session: CompressionSession, _ frames: Range<Int>) async throws {
        let picture = try FakeStream.picture()
        try await onThread {
            for index in frames {
                try session.synchronous.encode(picture, at: FakeStream.time(index), options: FrameOptions(token: index))
            }
        }
    }

    @Test("a handler is called serially, in decode order, with every event, on any queue", arguments: Queue.allCases)
    func serial(queue: Queue) async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(delay: 2, reorders: true))
        let list = EventList()
        let running = Atomic(0)
        try session.deliver(on: queue.queue) { event in
            let others = running.add(1, ordering: .relaxed).oldValue
            #expect(others == 0)
            list.append(event)
            running.subtract(1, ordering: .relaxed)
        }
        try await give(session, 0..<100)
        try await session.finish(until: .delivered)
        let times = list.events.map(\.decodeTime)
        #expect(list.count == 100 && times == times.sorted())
        #expect(Set(list.tokens) == Set(0..<100))
    }

    @Test("complete and finish return when the handler returned from the last frame", arguments: [true, false])
    func delivered(isSynchronous: Bool) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: 1))
        let list = EventList()
        try session.deliver(on: Queue.serial.queue) { event in
            usleep(3000)
            list.append(event)
        }
        try await give(session, 0..<8)
        if isSynchronous {
            try await onThread { try session.synchronous.complete() }
        } else {
            try await session.complete(until: .delivered)
        }
        #expect(list.count == 8)
        try await give(session, 8..<16)
        if isSynchronous {
            try await onThread { try session.synchronous.finish() }
        } else {
            try await session.finish(until: .delivered)
        }
        #expect(list.count == 16)
    }

    @Test("until encoded, complete does not wait for a handler that stands still, or for a reader")
    func encoded() async throws {
        let gate = Gate()
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: 1))
        try session.deliver(on: Queue.serial.queue) { _ in gate.wait() }
        try await give(session, 0..<4)
        try await session.complete()
        #expect(session.pendingFrameCount == 0)
        let waiting = Task { try await session.complete(until: .delivered) }
        try await session.keepsWaiting(1)
        waiting.cancel()
        let error = await #expect(throws: EncoderError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        for _ in 0..<4 { gate.open() }
        try await session.finish(until: .delivered)
    }

    @Test("until delivered, complete waits for the reader to take the frames, and ends when it is let go of")
    func deliveredToReader() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        var frames: EncodedFrames.AsyncIterator? = session.encodedFrames.makeAsyncIterator()
        try await give(session, 0..<3)
        let done = Atomic(false)
        let waiting = Task {
            defer { done.store(true, ordering: .relaxed) }
            try await session.complete(until: .delivered)
        }
        for index in 0..<3 {
            #expect(try await frames?.next()?.token as? Int == index)
            let isDone = done.load(ordering: .relaxed)
            if index < 2 { #expect(!isDone) }
        }
        try await waiting.value
        try await give(session, 3..<5)
        let last = Task { try await session.complete(until: .delivered) }
        try await session.keepsWaiting(1)
        frames = nil
        let error = await #expect(throws: EncoderError.self) { try await last.value }
        #expect(error?.code == .readerReleased && error?.endsSession == false)
    }

    @Test("a finish whose wait for delivery ends early says why, not that the session was finished")
    func endOfWaitForFinish() async throws {
        let gate = Gate()
        let handled = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        try handled.deliver(on: Queue.serial.queue) { _ in gate.wait() }
        try await give(handled, 0..<2)
        let cancelled = Task { try await handled.finish(until: .delivered) }
        while handled.pendingFrameCount > 0 { await Task.yield() }
        cancelled.cancel()
        let first = await #expect(throws: EncoderError.self) { try await cancelled.value }
        #expect(first?.code == .cancelled && first?.endsSession == true)
        for _ in 0..<2 { gate.open() }

        let read = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        var frames: EncodedFrames.AsyncIterator? = read.encodedFrames.makeAsyncIterator()
        try await give(read, 0..<2)
        let abandoned = Task { try await read.finish(until: .delivered) }
        while read.pendingFrameCount > 0 { await Task.yield() }
        #expect(try await frames?.next()?.token as? Int == 0)
        frames = nil
        let second = await #expect(throws: EncoderError.self) { try await abandoned.value }
        #expect(second?.code == .readerReleased && second?.endsSession == true)
    }

    @Test("a slow handler holds up its own session: what it has not returned from counts as waiting")
    func bounded() async throws {
        let gate = Gate()
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 4 }, encoder: FakeBackend())
        try session.deliver(on: Queue.serial.queue) { _ in gate.wait() }
        let picture = try FakeStream.picture()
        var taken = 0
        for index in 0..<400 {
            if try session.encodeImmediately(picture, at: FakeStream.time(index)) { taken += 1 }
            if index % 20 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        // One more was taken while the encoder had one that counted neither before it nor behind it.
        #expect((4...5).contains(taken))
        for _ in 0..<taken { gate.open() }
        try await session.finish(until: .delivered)
    }

    @Test(
        "while a handler stands still, every frame of a session with another queue is delivered",
        arguments: [Queue.sessionThread, .serial])
    func independent(queue: Queue) async throws {
        let slow = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let quick = try CompressionSession(
            FakeStream.configuration { $0.realTime = true }, encoder: FakeBackend(hasAllSettings: true))
        let gate = Gate()
        let list = EventList()
        try slow.deliver(on: queue.queue) { _ in gate.wait() }
        try quick.deliver(on: queue.queue) { list.append($0) }
        try await give(slow, 0..<1)
        try await gate.arrived()
        try await give(quick, 0..<30)
        try await quick.finish(until: .delivered)
        #expect(list.tokens == Array(0..<30))
        gate.open()
        try await slow.finish(until: .delivered)
    }

    // MARK: - Calls of the handler

    @Test(
        "a handler may encode, also into a full pipeline, change settings and end the session; it may not wait for itself",
        arguments: [Queue.sessionThread, .serial])
    func calls(queue: Queue) async throws {
        let session = try CompressionSession(
            FakeStream.configuration { configuration in
                configuration.live.averageBitRate = 100_000
                configuration.pipelineCapacity = 1
            }, encoder: FakeBackend())
        let picture = try FakeStream.picture()
        let codes = Mutex<[EncoderError.Code?]>([])
        let list = EventList()
        try session.deliver(on: queue.queue) { [unowned session] event in
            list.append(event)
            guard let token = event.token as? Int, token < 20 else { return }
            if token == 19 { return session.invalidate() }
            let calls = session.synchronous
            // Two for one: soon the pipeline is full.
            for next in [2 * token + 1, 2 * token + 2] where next < 20 {
                #expect(throws: Never.self) {
                    try calls.encode(picture, at: FakeStream.time(next), options: FrameOptions(token: next))
                }
            }
            #expect(throws: Never.self) { try calls.update { $0.averageBitRate? += 1000 } }
            for wait in [calls.prepare, { try calls.complete() }, { try calls.finish() }] as [() throws -> Void] {
                let error = #expect(throws: EncoderError.self, performing: wait)
                codes.withLock { $0.append(error?.code) }
                #expect(error?.endsSession == false)
            }
        }
        try await give(session, 0..<1)
        while list.count < 20 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(list.tokens == Array(0..<20))
        #expect(codes.withLock { $0.allSatisfy { $0 == .invalidState } && $0.count == 57 })
    }

    // MARK: - Ends

    @Test(
        "after invalidate returned the handler is not called, and invalidate waits for one that runs",
        arguments: Queue.allCases)
    func invalidated(queue: Queue) async throws {
        for delay in 0..<20 {
            let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
            let isOver = Atomic(false)
            let running = Atomic(0)
            try session.deliver(on: queue.queue) { _ in
                let isLate = isOver.load(ordering: .sequentiallyConsistent)
                #expect(!isLate)
                running.add(1, ordering: .sequentiallyConsistent)
                usleep(300)
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
            let picture = try FakeStream.picture()
            try await onThread {
                for index in 0..<10 {
                    try session.synchronous.encode(picture, at: FakeStream.time(index), whenFull: .grow(to: 10))
                }
                usleep(useconds_t(delay * 50))
                session.invalidate()
                isOver.store(true, ordering: .sequentiallyConsistent)
                let others = running.load(ordering: .sequentiallyConsistent)
                #expect(others == 0)
            }
            #expect(session.pendingFrameCount == 0)
        }
        try await Task.sleep(for: .milliseconds(20))
    }

    @Test("every frame taken is delivered when the session fails, before finish says so", arguments: Queue.allCases)
    func failed(queue: Queue) async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 20 }, encoder: FakeBackend(delay: 2, failsAtFrame: 5))
        let list = EventList()
        try session.deliver(on: queue.queue) { event in
            usleep(1000)
            list.append(event)
        }
        let picture = try FakeStream.picture()
        var taken = 0
        for index in 0..<10 {
            // Once it failed none is taken.
            guard
                (try? session.encodeImmediately(
                    picture, at: FakeStream.time(index), options: FrameOptions(token: index))) == true
            else { break }
            taken += 1
        }
        let error = await #expect(throws: EncoderError.self) {
            try await onThread { try session.synchronous.finish() }
        }
        #expect(error?.reason == "the fake failed" && error?.endsSession == true)
        #expect(list.tokens == Array(0..<taken) && taken > 5)
        #expect(session.pendingFrameCount == 0)
        for event in list.events.dropFirst(3) {
            guard case .failed(let reason)? = event.dropReason else {
                Issue.record("\(event.outcome)")
                continue
            }
            #expect(reason == error)
        }
    }

    @Test("a handler is let go of when the session is over or nobody holds it", .inTurn(), arguments: [0, 1, 2])
    func released(end: Int) async throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
            let held = Witness()
            witness = held
            try session.deliver(on: Queue.serial.queue) { _ in withExtendedLifetime(held) {} }
            try await give(session, 0..<3)
            if end == 0 { try await session.finish(until: .delivered) }
            if end == 1 { session.invalidate() }
            if end < 2 {
                for _ in 0..<10_000 where witness != nil { try await Task.sleep(for: .milliseconds(1)) }
                withExtendedLifetime(session) {}
            }
        }
        for _ in 0..<10_000 where witness != nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(witness == nil)
    }

    @Test("a handler takes the place of readers, and is set once, before the first frame")
    func exclusive() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        try session.deliver { _ in }
        #expect(throws: EncoderError.self) { try session.deliver { _ in } }
        let reading = await #expect(throws: EncoderError.self) { try await FakeStream.collect(session) }
        #expect(reading?.code == .invalidState)
        let read = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let frames = read.encodedFrames.makeAsyncIterator()
        #expect(throws: EncoderError.self) { try read.deliver { _ in } }
        withExtendedLifetime(frames) {}
        let late = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        try await late.encode(FakeStream.picture(), at: .zero)
        #expect(throws: EncoderError.self) { try late.deliver { _ in } }
    }
}
