// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

/// What callers and readers are told when a session, or only a frame, is at its end.
@Suite(.timeLimit(.minutes(1))) struct SessionEndTests {
    private func error(_ body: () async throws -> Void) async -> EncoderError? {
        do { try await body() } catch { return error as? EncoderError }
        return nil
    }

    enum End: CaseIterable, Sendable { case finish, invalidate, failure }

    @Test("an error says that the session is over, from every call, when it is", arguments: End.allCases)
    func over(end: End) async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(failsAtFrame: end == .failure ? 1 : nil))
        let picture = try FakeStream.picture()
        try await session.encode(picture, at: .zero)
        switch end {
        case .finish: try await session.finish()
        case .invalidate: session.invalidate()
        case .failure:
            try? await session.encode(picture, at: FakeStream.time(1))
            _ = await error { try await session.complete() }
        }
        let time = FakeStream.time(2)
        let calls = session.synchronous
        let errors = [
            await error { try await session.encode(picture, at: time) },
            await error { try calls.encode(picture, at: time) },
            await error { _ = try session.encodeImmediately(picture, at: time) },
            await error { try session.requestKeyFrame() },
            await error { try await session.prepare() }, await error { try await onThread { try calls.prepare() } },
            await error { try await session.update { $0.averageBitRate = 1 } },
            await error { try calls.update { $0.averageBitRate = 1 } },
            await error { try await session.changePictures(width: 64, height: 64) },
            await error { try await session.complete() }, await error { try await onThread { try calls.complete() } },
            await error { try await session.finish() }, await error { try await onThread { try calls.finish() } },
        ]
        let codes: [End: EncoderError.Code] = [
            .finish: .invalidState, .invalidate: .invalidated, .failure: .backendFailure,
        ]
        #expect(errors.map { $0?.code } == errors.map { _ in codes[end] })
        #expect(errors.allSatisfy { $0?.endsSession == true })
    }

    @Test("an error of one call says that the session goes on")
    func goesOn() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let picture = try FakeStream.picture()
        async let frames = FakeStream.collect(session)
        try await session.encode(picture, at: .zero)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.complete()
        }
        let errors = [
            await error { try await session.encode(picture, at: .zero) },
            await error { try await session.encode(FakeStream.picture(64, 64), at: FakeStream.time(1)) },
            await error { try await session.encode(picture, at: MediaTime(value: 1 << 40, timescale: 1)) },
            await error { try await session.update { $0.averageBitRate = 1 } },
            await error { try await session.changePictures(width: 1 << 20, height: 64) },
            await error { try await cancelled.value },
        ]
        #expect(errors.allSatisfy { $0?.endsSession == false })
        try await session.encode(picture, at: FakeStream.time(2))
        try await session.finish()
        #expect(try await frames.count == 2)
    }

    @Test(
        "a frame that is lost alone says that the session goes on; one that is lost with the session says that it is over"
    )
    func lostFrames() async throws {
        let backend = ScriptedBackend(encoding: { id in
            id == 1 ? [.units(1, [])] : id == 3 ? [.throwsError] : [.coded(id)]
        })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        let list = EventList()
        try session.deliver { list.append($0) }
        let picture = try FakeStream.picture()
        try? await onThread {
            for index in 0..<4 { try session.synchronous.encode(picture, at: FakeStream.time(index)) }
            try session.synchronous.finish()
        }
        let ends = list.events.map { event -> Bool? in
            guard case .failed(let error)? = event.dropReason else { return nil }
            return error.endsSession
        }
        #expect(ends == [nil, false, nil, true])
    }

    @Test("a reader ends without an error after an ordinary invalidate, with what was encoded before")
    func invalidated() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: 1))
        let waiting = Task { try await FakeStream.collect(session) }
        for index in 0..<4 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        while session.pendingFrameCount > 1 { try await Task.sleep(for: .milliseconds(1)) }
        session.invalidate()
        #expect(try await waiting.value.count == 3)
        #expect(try await FakeStream.collect(session).isEmpty)
    }

    // MARK: - Completing

    @Test(
        "complete(through:) flushes nothing and forces no key frame where none of the frames asked for is held",
        arguments: [true, false])
    func nothingHeld(isSynchronous: Bool) async throws {
        // Each picture comes out with the third after it, until the encoder was flushed.
        let backend = ScriptedBackend(encoding: { id in id < 3 ? [] : id < 8 ? [.coded(id - 3)] : [.coded(id)] })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        async let frames = FakeStream.collect(session)
        let picture = try FakeStream.picture()
        for index in 0..<6 { try await session.encode(picture, at: FakeStream.time(index)) }
        if isSynchronous {
            try await onThread { try session.synchronous.complete(through: FakeStream.time(2), until: .encoded) }
        } else {
            try await session.complete(through: FakeStream.time(2))
        }
        // The three after it stay where they are.
        #expect(session.pendingFrameCount == 3)
        for index in 6..<8 { try await session.encode(picture, at: FakeStream.time(index)) }
        // Frame 4 went out with frame 7, frame 5 is held.
        try await session.complete(through: FakeStream.time(4))
        #expect(session.pendingFrameCount == 3)
        try await session.complete(through: FakeStream.time(5))
        #expect(session.pendingFrameCount == 0)
        for _ in 0..<2 { try await session.complete() }
        for index in 8..<12 { try await session.encode(picture, at: FakeStream.time(index)) }
        try await session.finish()
        #expect(backend.log.value.forced.isEmpty && backend.log.value.opened == 2)
        #expect(try await frames.map { $0.accessUnit?.isSync } == (0..<12).map { $0 == 0 || $0 == 8 })
    }
}
