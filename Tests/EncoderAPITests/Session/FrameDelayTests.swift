// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

/// The promise of `maxFrameDelayCount`, and what happens when an encoder breaks it.
@Suite(.timeLimit(.minutes(1))) struct FrameDelayTests {
    private func configuration(held: Int) -> SessionConfiguration {
        FakeStream.configuration { $0.maxFrameDelayCount = held }
    }

    /// An encoder that gives each picture out `delay` pictures later.
    private func backend(delay: Int) -> ScriptedBackend {
        ScriptedBackend(maximumDelay: delay, encoding: { id in id < delay ? [] : [.coded(id - delay)] })
    }

    @Test(
        "encode returns although the encoder holds more than it may; that is listed, and logged once",
        arguments: [(0, 1), (3, 4), (3, 9), (12, 30)])
    func broken(held: Int, delay: Int) async throws {
        let log = RecordingLog()
        let session = try CompressionSession(
            configuration(held: held), encoder: backend(delay: delay), logger: log.logger(level: .trace))
        async let frames = FakeStream.collect(session)
        for index in 0..<40 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        let adjustments = session.adjustments.filter { $0.setting == .maxFrameDelayCount }
        #expect(adjustments.map(\.requested) == ["\(held)"])
        #expect(adjustments.map(\.used) == ["\(delay)"])
        #expect(session.pendingFrameCount <= delay)
        try await session.finish()
        #expect(try await frames.count == 40)
        #expect(log.texts(.warning).filter { $0.contains("MaxFrameDelayCount") }.count == 1)
    }

    @Test("nothing is listed for an encoder that keeps to it", arguments: [0, 1, 7])
    func kept(held: Int) async throws {
        let session = try CompressionSession(configuration(held: held), encoder: backend(delay: held))
        async let frames = FakeStream.collect(session)
        for index in 0..<40 {
            try await session.encode(FakeStream.picture(), at: FakeStream.time(index))
            #expect(session.pendingFrameCount <= held)
        }
        try await session.finish()
        #expect(try await frames.count == 40)
        #expect(!session.adjustments.contains { $0.setting == .maxFrameDelayCount })
    }

    @Test("encodeImmediately takes no frame while the one M + 1 before it may still come out", arguments: [0, 1, 4])
    func immediate(held: Int) async throws {
        let gate = Gate()
        let session = try CompressionSession(
            configuration(held: held),
            encoder: ScriptedBackend(encoding: { id in (id == 0 ? [.runs { gate.wait() }] : []) + [.coded(id)] }))
        let picture = try FakeStream.picture()
        async let frames = FakeStream.collect(session)
        var time = 0
        func give() throws -> Bool {
            time += 1
            return try session.encodeImmediately(picture, at: FakeStream.time(time))
        }
        // With nothing out, frames 1 to M + 1 are taken.
        for _ in 0...held { #expect(try give()) }
        for _ in 0..<5 { #expect(try !give()) }
        #expect(session.pendingFrameCount == held + 1)
        gate.open()
        while try !give() { try await Task.sleep(for: .milliseconds(1)) }
        try await session.finish()
        #expect(try await frames.count == held + 2)
    }

    @Test("encodeImmediately goes on with an encoder that holds more than it may")
    func immediateBroken() async throws {
        let session = try CompressionSession(configuration(held: 2), encoder: backend(delay: 6))
        let picture = try FakeStream.picture()
        async let frames = FakeStream.collect(session)
        for index in 0..<30 {
            while try !session.encodeImmediately(picture, at: FakeStream.time(index)) {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(session.pendingFrameCount <= 7)
        }
        try await session.finish()
        #expect(try await frames.count == 30)
    }

    @Test(
        "a wait for a frame to come out ends when its task is cancelled or the session ends", arguments: [true, false])
    func waitsEnd(cancels: Bool) async throws {
        let gate = Gate()
        let session = try CompressionSession(
            configuration(held: 0), encoder: ScriptedBackend(encoding: { _ in [.runs { gate.wait() }] }))
        let picture = try FakeStream.picture()
        let writer = Task {
            try await session.encode(picture, at: .zero)
            // The frame was taken; what ended the wait shows with the next.
            try await session.encode(picture, at: FakeStream.time(1))
        }
        try await gate.arrived()
        if cancels { writer.cancel() } else { session.invalidate() }
        let error = await #expect(throws: EncoderError.self) { try await writer.value }
        #expect(error?.code == (cancels ? .cancelled : .invalidated))
        gate.open()
    }
}
