// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import Synchronization
import TestSupport
import Testing

/// Answers to calls that do not wait: one each, whatever happens to the session meanwhile.
@Suite(.timeLimit(.minutes(1))) struct AnswerTests {
    private typealias Answers = Mutex<[Result<UpdateOutcome, EncoderError>]>

    private final class Box: Sendable {
        let answers = Answers([])
        func take(_ answer: Result<UpdateOutcome, EncoderError>) { answers.withLock { $0.append(answer) } }
        var codes: [EncoderError.Code?] {
            answers.withLock { $0.map { if case .failure(let error) = $0 { error.code } else { nil } } }
        }
    }

    @Test("a change is answered once where the encoder throws, and the session is over")
    func encoderThrows() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 }, encoder: ScriptedBackend(updatesLive: nil))
        let box = Box()
        try session.synchronous.prepare()
        try session.synchronous.update({ $0.averageBitRate = 200_000 }, whenDone: box.take)
        await #expect(throws: EncoderError.self) { try await session.finish() }
        // The session's end may tell `finish` before the change.
        while box.codes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(20))
        #expect(box.codes == [.backendFailure])
    }

    @Test("a change is answered once where the session is invalidated before, while and after it is made")
    func invalidated() async throws {
        for state in 0..<3 {
            let gate = Gate()
            // What flushes the first encoder stands still there.
            let session = try CompressionSession(
                FakeStream.configuration { $0.live.averageBitRate = 100_000 },
                encoder: ScriptedBackend(
                    updatesLive: false, encoding: { state == 0 ? [.runs { gate.wait() }, .coded($0)] : [.coded($0)] },
                    draining: { _ in state == 1 ? [.runs { gate.wait() }] : [] }))
            let box = Box()
            try session.synchronous.encode(FakeStream.picture(), at: .zero)
            if state == 0 { try await gate.arrived() }
            try session.synchronous.update({ $0.averageBitRate = 200_000 }, whenDone: box.take)
            if state == 1 { try await gate.arrived() }
            if state == 2 { try await session.prepare() }
            session.invalidate()
            gate.open()
            while session.pendingFrameCount > 0 || box.codes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(20))
            #expect(box.codes == [state == 2 ? nil : .invalidated], "\(state)")
        }
    }

    @Test("a change that nobody asks about is a warning in the log where it cannot be made")
    func unasked() async throws {
        let log = RecordingLog()
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 },
            encoder: FakeBackend(failsToReopen: true, updatesLive: false), logger: log.logger(level: .warning))
        async let frames = FakeStream.collect(session)
        try session.synchronous.encode(FakeStream.picture(), at: .zero)
        try session.synchronous.update { $0.averageBitRate = 200_000 }
        try session.synchronous.changePictures(width: 96, height: 96)
        try await session.finish()
        _ = try await frames
        #expect(log.texts(.warning).filter { $0.contains("stay as they were") }.count == 2)
    }

    @Test("a change goes on from what is in force, without what changes before it could not bring")
    func failedBefore() async throws {
        let gate = Gate()
        let backend = FakeBackend(failsToReopen: true, updatesLive: false)
        let session = try CompressionSession(
            FakeStream.configuration {
                $0.live.averageBitRate = 100_000
                $0.live.maxKeyFrameIntervalDuration = 5
            }, encoder: backend)
        try session.deliver { if $0.presentationTime == .zero { gate.wait() } }
        try session.synchronous.encode(FakeStream.picture(), at: .zero)
        try await gate.arrived()
        let (first, second) = (Box(), Box())
        try session.synchronous.update({ $0.averageBitRate = 777_000 }, whenDone: first.take)
        try session.synchronous.update({ $0.maxKeyFrameIntervalDuration = 3 }, whenDone: second.take)
        gate.open()
        try await session.finish(until: .delivered)
        #expect(first.codes == [.backendFailure])
        let live = session.effective.request.live
        #expect(live.averageBitRate == 100_000)
        #expect(second.codes == [nil] ? live.maxKeyFrameIntervalDuration == 3 : live.maxKeyFrameIntervalDuration == 5)
    }

    @Test("errors of calls and frames do not end the session, whatever a back end says")
    func endsSession() async throws {
        let lie = EncoderError(.backendFailure, reason: "a session inside is over", endsSession: true)
        let refusing = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 },
            encoder: FakeBackend(refusal: { $0.live.rate.control == .averageBitRate(100_000) ? nil : lie }))
        let refusal = await #expect(throws: EncoderError.self) {
            try await refusing.update { $0.averageBitRate = 200_000 }
        }
        #expect(refusal?.endsSession == false)
        let dropping = try CompressionSession(
            FakeStream.configuration(), encoder: ScriptedBackend(encoding: { [.dropped($0, .failed(lie))] }))
        let events = try await FakeStream.run(dropping, frames: 2)
        #expect(events.map(\.dropReason) == [.failed(lie.going), .failed(lie.going)])
    }
}

extension EncoderError {
    /// This error as one of a call alone.
    fileprivate var going: EncoderError { EncoderError(code, reason: reason) }
}
