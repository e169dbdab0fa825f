// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@Suite(.timeLimit(.minutes(1))) struct EncoderSelectionTests {
    @Test("the first back end that opens is taken, and without one each says why")
    func order() async throws {
        let session = try await EncoderSelection([FakeBackend(failsToOpen: true), ScriptedBackend()])
            .makeSession(FakeStream.configuration())
        try await session.finish()
        let error = await #expect(throws: EncoderError.self) {
            _ = try await EncoderSelection([FakeBackend(failsToOpen: true), FakeBackend(codedWidths: 16...32)])
                .makeSession(FakeStream.configuration())
        }
        #expect(error?.code == .noEncoder)
        #expect(error?.reason == "fake: the fake does not open (status 7); fake: width 176, expected 1...32")
    }

    @Test("a task that is cancelled while an encoder opens learns just that, and no other back end is tried")
    func cancelled() async throws {
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
}
