// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

/// What a session lets go of may call the session when it goes.
@Suite(.timeLimit(.minutes(1))) struct LettingGoTests {
    /// Calls the session at its end.
    private final class Caller: Sendable {
        private let session: CompressionSession
        private let gone: Gate

        init(_ session: CompressionSession, _ gone: Gate) { (self.session, self.gone) = (session, gone) }

        deinit {
            _ = session.pendingFrameCount
            session.invalidate()
            gone.open()
        }
    }

    private enum Holder: CaseIterable {
        case handler
        case token
        case answer
        case waitingToken
    }

    @Test("a session ends although what it lets go of calls it", arguments: Holder.allCases)
    private func callsBack(holder: Holder) async throws {
        let gone = Gate()
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 4 },
            encoder: ScriptedBackend(encoding: { $0 < 2 ? [] : [.coded($0 - 2)] }))
        switch holder {
        case .handler:
            let caller = Caller(session, gone)
            try session.deliver { _ in _ = caller }
            try session.synchronous.encode(FakeStream.picture(), at: .zero)
        case .token, .waitingToken:
            try give(session, holder == .token ? 4 : 1, Caller(session, gone))
            if holder == .token { while session.pendingFrameCount > 2 { await Task.yield() } }
        case .answer:
            let caller = Caller(session, gone)
            try session.synchronous.update({ $0.maxKeyFrameInterval = 30 }) { _ in _ = caller }
        }
        try await onThread { session.invalidate() }
        if holder == .token { for try await _ in session.encodedFrames {} }
        try await onThread { gone.wait() }
    }

    private func give(_ session: CompressionSession, _ count: Int, _ caller: Caller) throws {
        for index in 0..<count {
            try session.synchronous.encode(
                FakeStream.picture(), at: FakeStream.time(index), options: FrameOptions(token: caller))
        }
    }
}
