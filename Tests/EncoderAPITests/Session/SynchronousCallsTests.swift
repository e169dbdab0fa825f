// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Glibc
import Synchronization
import TestSupport
import Testing

/// The calls for callers that cannot suspend.
@Suite(.timeLimit(.minutes(1))) struct SynchronousCallsTests {
    /// Gives frames from `first` on, and says of each whether it was taken.
    private func give(
        _ session: CompressionSession, _ frames: Range<Int>, whenFull: FullPipeline = .block,
        force: Set<Int> = []
    ) throws -> [Bool] {
        let picture = try FakeStream.picture()
        return try frames.map { index in
            try session.synchronous.encode(
                picture, at: FakeStream.time(index),
                options: FrameOptions(forceKeyFrame: force.contains(index), token: index), whenFull: whenFull)
        }
    }

    private func read(_ session: CompressionSession) async throws -> [EncodedFrame] {
        try await FakeStream.collect(session)
    }

    @Test(
        "every frame comes out once, in decode order, whether it is read or handled", arguments: [0, 1, 5],
        [true, false])
    func events(delay: Int, isHandled: Bool) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: delay))
        let list = EventList()
        if isHandled { try session.deliver { list.append($0) } }
        async let frames = isHandled ? [] : read(session)
        try await onThread {
            try session.synchronous.prepare()
            #expect(try give(session, 0..<40).allSatisfy { $0 })
            try session.synchronous.finish()
        }
        let events = try await isHandled ? list.events : frames
        #expect(events.map { $0.token as? Int } == (0..<40).map(Optional.init))
        #expect(events.map(\.presentationTime) == (0..<40).map(FakeStream.time))
        #expect(session.pendingFrameCount == 0)
    }

    // MARK: - A full pipeline

    /// A session whose encoder stands still in its first frame.
    private func stuck(_ capacity: Int, _ gate: Gate) async throws -> CompressionSession {
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = capacity },
            encoder: ScriptedBackend(encoding: { id in (id == 0 ? [.runs { gate.wait() }] : []) + [.coded(id)] }))
        #expect(try give(session, 0..<1) == [true])
        try await gate.arrived()
        return session
    }

    @Test("a full pipeline drops, or grows to a limit and drops then, and the value says so", arguments: [1, 3, 20])
    func dropsAndGrows(capacity: Int) async throws {
        let gate = Gate()
        let session = try await stuck(capacity, gate)
        let first = try give(session, 1..<31, whenFull: .drop)
        #expect(first == (0..<30).map { $0 < capacity })
        let grown = try give(session, 31..<61, whenFull: .grow(to: 25))
        #expect(grown == (0..<30).map { $0 < 25 - capacity })
        for limit in [0, -1, 4097] {
            let error = #expect(throws: EncoderError.self) { try give(session, 61..<62, whenFull: .grow(to: limit)) }
            #expect(error?.code == .invalidValue && error?.endsSession == false)
        }
        gate.open()
        async let frames = read(session)
        try await session.finish()
        #expect(try await frames.count == 26)
    }

    @Test("a capacity outside of 1 to 4096 frames is refused", arguments: [-1, 0, 4097])
    func capacities(capacity: Int) {
        let error = #expect(throws: EncoderError.self) {
            try CompressionSession(
                FakeStream.configuration { $0.pipelineCapacity = capacity }, encoder: ScriptedBackend())
        }
        #expect(error?.setting == .pipelineCapacity)
    }

    @Test("callers that a full pipeline blocks are served in the order of their calls, also before a finish")
    func blockedCallers() async throws {
        let gate = Gate()
        let session = try await stuck(1, gate)
        #expect(try give(session, 1..<2) == [true])
        let order = EventList()
        try session.requestKeyFrame()
        let callers = (2..<5).map { index in
            Task {
                // One after the other: each is blocked before the next one calls.
                try await session.blocks(index - 2)
                return try await onThread { try give(session, index..<index + 1) }
            }
        }
        try await session.blocks(3)
        let finished = Task { try await session.finish() }
        try await session.finishes()
        gate.open()
        for frame in try await read(session) { order.append(frame) }
        for caller in callers { #expect(try await caller.value == [true]) }
        try await finished.value
        #expect(order.tokens == [0, 1, 2, 3, 4])
        #expect(order.events.map { $0.accessUnit?.isSync } == [true, false, true, false, false])
    }

    @Test("frames inside the encoder do not count as waiting")
    func insideDoesNotCount() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 1 }, encoder: FakeBackend(delay: 50))
        // With nothing out, 40 are taken one after the other.
        #expect(try await onThread { try give(session, 0..<40) }.allSatisfy { $0 })
        async let frames = read(session)
        try await session.finish()
        #expect(try await frames.count == 40)
    }

    @Test("a burst of 60 frames of 1080p at the default capacity comes out whole and in order")
    func burst() async throws {
        var configuration = SessionConfiguration(codec: .h264, width: 1920, height: 1080, pixelFormat: .i420)
        configuration.realTime = true
        let list = EventList()
        let session = try CompressionSession(configuration, encoder: FakeBackend(hasAllSettings: true))
        try session.deliver { list.append($0) }
        let picture = try FakeStream.picture(1920, 1080)
        try await onThread {
            for index in 0..<60 {
                try session.synchronous.encode(picture, at: FakeStream.time(index), options: FrameOptions(token: index))
            }
            try session.synchronous.complete()
            #expect(list.tokens == Array(0..<60))
        }
    }

    @Test(
        "with maxFrameDelayCount M, the handler has returned from frame N - M before a blocking encode of frame N returns",
        arguments: [0, 2])
    func frameDelay(held: Int) async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.maxFrameDelayCount = held }, encoder: FakeBackend(delay: held))
        let list = EventList()
        let queue = DispatchQueue(label: "EncoderKit.test")
        try session.deliver(on: DeliveryQueue { queue.async(execute: $0) }) { event in
            usleep(2000)
            list.append(event)
        }
        try await onThread {
            for index in 0..<30 {
                _ = try give(session, index..<index + 1)
                #expect(session.pendingFrameCount <= held && list.events.count >= index + 1 - held)
            }
            try session.synchronous.finish()
        }
    }

    // MARK: - Key frames

    @Test(
        "a key frame asked for with a frame that found no room comes with the next that does", arguments: [true, false])
    func requestSurvivesFullPipeline(grows: Bool) async throws {
        let gate = Gate()
        let session = try await stuck(2, gate)
        let whenFull: FullPipeline = grows ? .grow(to: 2) : .drop
        #expect(try give(session, 1..<5, whenFull: whenFull, force: [3]) == [true, true, false, false])
        gate.open()
        async let frames = read(session)
        try await session.complete()
        _ = try await onThread { try give(session, 5..<7) }
        try await session.finish()
        let syncs = try await frames.filter { $0.accessUnit?.isSync == true }.map { $0.token as? Int }
        #expect(syncs == [0, 5])
    }

    @Test("a requested key frame comes with the next frame, or with the one after a frame that is not encoded")
    func requestSurvivesDrop() async throws {
        let session = try CompressionSession(
            FakeStream.configuration(),
            encoder: ScriptedBackend(encoding: { [$0 == 4 ? .dropped(4, .rateControl) : .coded($0)] }))
        async let frames = read(session)
        try await onThread {
            _ = try give(session, 0..<2)
            try session.requestKeyFrame()
            try session.requestKeyFrame()
            _ = try give(session, 2..<4)
            try session.requestKeyFrame()
            _ = try give(session, 4..<8)
            try session.synchronous.finish()
        }
        #expect(try await frames.map { $0.accessUnit?.isSync } == [true, false, true, false, nil, true, false, false])
    }

    @Test("a request for a key frame is refused like a forced one")
    func refusedRequest() throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(forcesKeyFrames: false))
        let error = #expect(throws: EncoderError.self) { try session.requestKeyFrame() }
        #expect(error?.setting == .forceKeyFrame && error?.endsSession == false)
    }

    // MARK: - Order

    @Test("pictures change size in the order of the calls, and the answer says what it took", arguments: [0, 3])
    func changesPictures(delay: Int) async throws {
        let backend = FakeBackend(delay: delay)
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        let outcomes = Mutex<[UpdateOutcome]>([])
        let list = EventList()
        try session.deliver { list.append($0) }
        for (index, side) in [176, 96, 96, 64].enumerated() {
            if index > 0 {
                try session.synchronous.changePictures(width: side, height: side) { result in
                    if case .success(let outcome) = result { outcomes.withLock { $0.append(outcome) } }
                }
            }
            for frame in 3 * index..<3 * index + 3 {
                let picture = try index == 0 ? FakeStream.picture() : FakeStream.picture(side, side)
                try session.synchronous.encode(picture, at: FakeStream.time(frame))
            }
        }
        #expect(throws: EncoderError.self) { try session.synchronous.changePictures(width: 0, height: 16) }
        try await onThread { try session.synchronous.finish() }
        #expect(list.events.map(\.presentationTime) == (0..<12).map(FakeStream.time))
        #expect(list.events.allSatisfy { $0.accessUnit != nil })
        #expect(backend.log.snapshot.opened.map(\.picture.codedWidth) == [176, 96, 64])
        #expect(backend.log.snapshot.pictures.map(\.pixelBuffer.width) == [176, 96, 96, 64].flatMap { [$0, $0, $0] })
        #expect(outcomes.withLock { $0.count } == 3 && outcomes.withLock { $0[1] } == .unchanged)
        let error = #expect(throws: EncoderError.self) {
            try session.synchronous.changePictures(width: 96, height: 96)
        }
        #expect(error?.code == .invalidState)
    }

    @Test("of 50 updates, 50 take effect at the frame before which they were called")
    func updates() async throws {
        let gate = Gate()
        let backend = FakeBackend()
        let session = try CompressionSession(
            FakeStream.configuration {
                $0.live.averageBitRate = 100_000
                $0.pipelineCapacity = 100
            }, encoder: backend)
        // Everything below is queued before the first picture is encoded.
        let outcomes = Mutex<[UpdateOutcome]>([])
        try session.deliver { if $0.token as? Int == 0 { gate.wait() } }
        _ = try give(session, 0..<1)
        try await gate.arrived()
        for index in 1...50 {
            try session.synchronous.update({ $0.averageBitRate = 100_000 + 1000 * index }) { result in
                if case .success(let outcome) = result { outcomes.withLock { $0.append(outcome) } }
            }
            #expect(try give(session, index..<index + 1) == [true])
        }
        gate.open()
        try await onThread { try session.synchronous.finish() }
        #expect(backend.log.snapshot.updatePositions == Array(1...50))
        #expect(outcomes.withLock { $0 } == [UpdateOutcome](repeating: .applied, count: 50))
        #expect(session.effective.request.live.averageBitRate == 150_000)
    }

    @Test("an update may build on another that has not taken its turn, and one that cannot be changes nothing")
    func updatesBuildOnEachOther() async throws {
        let gate = Gate()
        let session = try await stuck(4, gate)
        let calls = session.synchronous
        try calls.update { $0.averageBitRate = 200_000 }
        try calls.update { ($0.averageBitRate, $0.quality) = (0, 0.5) }
        let error = #expect(throws: EncoderError.self) { try calls.update { $0.quality = 7 } }
        #expect(error?.code == .invalidValue && error?.endsSession == false)
        try calls.update { $0.quality = ($0.quality ?? 0) + 0.25 }
        gate.open()
        try await session.finish()
        #expect(session.effective.request.live.quality == 0.75)
    }

    @Test("after a change that failed, the next one edits what is in force")
    func failedUpdate() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 },
            encoder: ScriptedBackend(failsToOpen: { $0 == 1 }, updatesLive: false))
        try session.deliver { _ in }
        let results = Mutex<[Result<UpdateOutcome, EncoderError>]>([])
        try await onThread {
            _ = try give(session, 0..<1)
            try session.synchronous.update({ ($0.averageBitRate, $0.maxKeyFrameInterval) = (200_000, 9) }) { result in
                results.withLock { $0.append(result) }
            }
            try session.synchronous.complete()
            try session.synchronous.update({ $0.averageBitRate = 300_000 }) { result in
                results.withLock { $0.append(result) }
            }
            _ = try give(session, 1..<2)
            try session.synchronous.finish()
        }
        let seen = results.withLock { $0 }
        #expect(seen.count == 2 && seen.first == .failure(ScriptedBackend.failure))
        #expect(session.effective.request.live.maxKeyFrameInterval == nil)
        #expect(session.effective.request.live.averageBitRate == 300_000)
    }

    @Test("calls of several threads and tasks take effect in the order in which they are made")
    func manyThreads() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 3 }, encoder: FakeBackend(delay: 2))
        let list = EventList()
        try session.deliver(on: DeliveryQueue { work in Task.detached { work() } }) { list.append($0) }
        final class Order: Sendable { let next = Mutex(0) }
        let order = Order()
        let callers = (0..<4).map { _ in
            Task {
                try await onThread {
                    for _ in 0..<50 {
                        try order.next.withLock { next in
                            _ = try give(session, next..<next + 1)
                            next += 1
                        }
                    }
                }
            }
        }
        for caller in callers { try await caller.value }
        try await onThread { try session.synchronous.finish() }
        #expect(list.tokens == Array(0..<200))
    }

    @Test("callers that wait inside tasks do not hang, however few threads tasks have")
    func waitingInTasks() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let session = try CompressionSession(
                        FakeStream.configuration { $0.pipelineCapacity = 1 }, encoder: FakeBackend(delay: 1))
                    let list = EventList()
                    try session.deliver { list.append($0) }
                    for round in 0..<10 {
                        _ = try give(session, round * 4..<round * 4 + 4)
                        try session.synchronous.complete()
                        #expect(list.count == round * 4 + 4)
                    }
                    try session.synchronous.finish()
                    return list.count
                }
            }
            for try await count in group { #expect(count == 40) }
        }
    }
}
