// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization
import Testing

/// What a handler gets of a session that was over before it was invalidated.
@Suite struct DeliveryAfterEndTests {
    /// A queue whose work is done when a test says so.
    private final class HeldWork: Sendable {
        private let works = Mutex<[@Sendable () -> Void]>([])

        var queue: DeliveryQueue { DeliveryQueue { work in self.works.withLock { $0.append(work) } } }

        func run() {
            while let work = works.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
        }
    }

    /// A session whose ten frames came out, or whose sixth failed, while its handler has yet to be called.
    private func over(
        failing: Bool, _ held: HeldWork, _ handler: @escaping @Sendable (EncodedFrame) -> Void
    ) async throws -> CompressionSession {
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 20 },
            encoder: FakeBackend(delay: 2, failsAtFrame: failing ? 5 : nil))
        try session.deliver(on: held.queue, to: handler)
        let picture = try FakeStream.picture()
        for index in 0..<10 { _ = try? session.encodeImmediately(picture, at: FakeStream.time(index)) }
        try? await session.finish()
        #expect(session.pendingFrameCount == 0)
        return session
    }

    @Test(
        "after invalidate returned the handler is not called for what a session has left that was over before",
        arguments: [false, true])
    func invalidatedAfterEnd(failing: Bool) async throws {
        let (held, list) = (HeldWork(), EventList())
        let session = try await over(failing: failing, held) { list.append($0) }
        session.invalidate()
        held.run()
        #expect(list.count == 0)
        let error = #expect(throws: EncoderError.self) { try session.synchronous.complete() }
        #expect(error?.endsSession == true)
    }

    @Test("so it is where the handler made the call", arguments: [false, true], 1...5)
    func invalidatedByHandlerAfterEnd(failing: Bool, count: Int) async throws {
        let (held, list) = (HeldWork(), EventList())
        let shared = Mutex<CompressionSession?>(nil)
        let session = try await over(failing: failing, held) { event in
            list.append(event)
            if list.count == count { shared.withLock { $0 }?.invalidate() }
        }
        shared.withLock { $0 = session }
        held.run()
        #expect(list.count == count)
    }
}
