// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization
import TestSupport
import Testing

/// Calls that meet: whatever their order, each ends, and none loses what it was promised.
@Suite(.timeLimit(.minutes(2))) struct SessionRaceTests {
    /// Where a back end's script finds the session it runs in.
    private final class SessionBox: Sendable {
        private let session = Mutex<CompressionSession?>(nil)
        func put(_ session: CompressionSession?) { self.session.withLock { $0 = session } }
        func invalidate() { session.withLock { $0 }?.invalidate() }
    }

    @Test("of two readers that start together neither hangs, and a refused one is told why")
    func twoReaders() async throws {
        let picture = try FakeStream.picture()
        for _ in 0..<300 {
            let session = try CompressionSession(FakeStream.configuration(), encoder: ScriptedBackend())
            let readers = (0..<2).map { _ in
                Task { () async -> EncoderError? in
                    do throws(EncoderError) {
                        for try await _ in session.encodedFrames {}
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            // Both may have been refused and gone before a frame is taken.
            for index in 0..<3 { try? await session.encode(picture, at: FakeStream.time(index)) }
            try await session.finish()
            for reader in readers {
                if let error = await reader.value { #expect(error.code == .invalidState) }
            }
        }
    }

    @Test("a second reader is refused while the first waits, which goes on as if nothing had been")
    func secondReader() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: ScriptedBackend())
        let first = Task { try await FakeStream.collect(session).count }
        try await session.hasReader()
        for cancels in [false, true] {
            let second = Task { try await FakeStream.collect(session) }
            if cancels { second.cancel() }
            let error = await #expect(throws: EncoderError.self) { try await second.value }
            #expect(error?.code == .invalidState || (cancels && error?.code == .cancelled))
        }
        try await session.encode(FakeStream.picture(), at: .zero)
        try await session.finish()
        #expect(try await first.value == 1)
    }

    @Test("invalidate during finish stops the encoder; nothing that it encodes afterwards can be read")
    func invalidateWhileDraining() async throws {
        let box = SessionBox()
        let backend = ScriptedBackend(
            encoding: { _ in [] },
            draining: { inside in
                inside.flatMap { id -> [ScriptedBackend.Step] in
                    id == 2 ? [.runs { box.invalidate() }, .coded(id)] : [.coded(id)]
                }
            })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        box.put(session)
        for index in 0..<10 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        let error = await #expect(throws: EncoderError.self) { try await session.finish() }
        #expect(error?.code == .invalidated)
        while backend.log.value.closed == 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(backend.log.value.coded == [0, 1, 2])
        #expect(session.pendingFrameCount == 0)
        var read: [MediaTime] = []
        for try await frame in session.encodedFrames { read.append(frame.presentationTime) }
        #expect(read == [FakeStream.time(0), FakeStream.time(1)])
        box.put(nil)
    }

    @Test("invalidate while frames wait leaves them out, and none is pending any more")
    func invalidateWhileEncoding() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(encoding: { [.runs { gate.wait() }, .coded($0)] })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        for index in 0..<5 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        try await gate.arrived()
        session.invalidate()
        #expect(session.pendingFrameCount == 0)
        gate.open()
        while backend.log.value.closed == 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(backend.log.value.given == [0])
        var frames = session.encodedFrames.makeAsyncIterator()
        #expect(try await frames.next() == nil)
    }

    @Test("whenever a session is invalidated, released or its tasks cancelled, every call ends and encoders close")
    func anyMoment() async throws {
        var generator = SeededGenerator()
        let picture = try FakeStream.picture()
        let backend = ScriptedBackend(
            updatesLive: false,
            encoding: { id in id % 3 == 0 ? [] : id % 3 == 1 ? [.coded(id)] : [.coded(id), .coded(id - 2)] })
        for round in 0..<300 {
            let held = Bool.random(using: &generator) ? Int.random(in: 0...3, using: &generator) : nil
            let end = Int.random(in: 0...3, using: &generator)
            let delay = Int.random(in: 0...1500, using: &generator)
            let session = try CompressionSession(
                FakeStream.configuration {
                    $0.live.averageBitRate = 100_000
                    $0.maxFrameDelayCount = held
                }, encoder: backend, logger: .silent)
            let frames = session.encodedFrames
            let tasks = [
                Task { for try await _ in frames {} },
                Task {
                    for index in 0..<100 { try await session.encode(picture, at: FakeStream.time(index)) }
                    try await session.finish()
                },
                Task { for _ in 0..<10 { try await session.complete() } },
                Task {
                    for index in 0..<10 { try await session.update { $0.averageBitRate = 100_000 + round + index } }
                },
            ]
            try await Task.sleep(for: .microseconds(delay))
            if end != 1 { for task in tasks.shuffled(using: &generator).prefix(end == 0 ? 4 : 2) { task.cancel() } }
            if end != 0 { session.invalidate() }
            for task in tasks { _ = await task.result }
            if end != 0 { #expect(session.pendingFrameCount == 0) }
        }
        while backend.log.value.closed < backend.log.value.opened { try await Task.sleep(for: .milliseconds(1)) }
    }
}
