// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Glibc
import Synchronization
import TestSupport
import Testing

/// What `complete` and `finish` wait for, and how callers that may not wait are told.
@Suite(.timeLimit(.minutes(1))) struct CompletionTests {
    /// What a `whenDone` was told: nil where all went well.
    private final class Answers: Sendable {
        private let list = Mutex<[EncoderError.Code?]>([])
        func take(_ result: Result<Void, EncoderError>) {
            let code: EncoderError.Code? = if case .failure(let error) = result { error.code } else { nil }
            list.withLock { $0.append(code) }
        }
        var codes: [EncoderError.Code?] { list.withLock { $0 } }

        /// Suspends until there is one, for ten seconds at most.
        func wait() async throws {
            for _ in 0..<10_000 where codes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    enum Taker: CaseIterable, Sendable { case reader, handler, queuedHandler }

    /// Has somebody take what comes out.
    private func take(_ session: CompressionSession, _ taker: Taker, into list: EventList) throws {
        switch taker {
        case .reader:
            let frames = session.encodedFrames.makeAsyncIterator()
            Task {
                var frames = frames
                while let frame = try await frames.next() { list.append(frame) }
            }
        case .handler: try session.deliver { list.append($0) }
        case .queuedHandler:
            let queue = DispatchQueue(label: "EncoderKit.test")
            try session.deliver(on: DeliveryQueue { queue.async(execute: $0) }) { list.append($0) }
        }
    }

    private func give(_ session: CompressionSession, _ frames: Range<Int>) throws {
        let picture = try FakeStream.picture()
        for index in frames {
            try session.synchronous.encode(picture, at: FakeStream.time(index), options: FrameOptions(token: index))
        }
    }

    // MARK: - Which frames are waited for

    @Test(
        "complete waits until the frames given before it are delivered, and for none that others give after it",
        arguments: Taker.allCases, CompressionSession.Milestone.allTested)
    func laterFrames(taker: Taker, milestone: CompressionSession.Milestone) async throws {
        for _ in 0..<200 {
            let (start, completed) = (Gate(), Gate())
            let waited = Mutex<Bool?>(nil)
            // Frame 0 waits until all calls are made, frame 3 until the completion that was asked for before it.
            let session = try CompressionSession(
                FakeStream.configuration { $0.pipelineCapacity = 16 },
                encoder: ScriptedBackend(encoding: { id in
                    switch id {
                    case 0: [.runs { start.wait() }, .coded(0)]
                    case 3: [.runs { waited.withLock { $0 = completed.wait(atMost: 1) } }, .coded(3)]
                    default: [.coded(id)]
                    }
                }))
            let list = EventList()
            try take(session, taker, into: list)
            try give(session, 0..<3)
            let completion = Task.immediate {
                try await session.complete(until: milestone)
                completed.open()
            }
            try await onThread {
                try give(session, 3..<6)
                start.open()
            }
            try await completion.value
            try await session.finish(until: .delivered)
            guard waited.withLock({ $0 }) == true else {
                Issue.record("a completion waited for a frame that was given after it")
                return
            }
        }
    }

    @Test("each of 200 completions brings out what was given before it, while another thread goes on giving")
    func whileOthersGive() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 64 }, encoder: FakeBackend(delay: 3))
        let list = EventList()
        try session.deliver { list.append($0) }
        let given = Mutex(0)
        let seen = Mutex<[(given: Int, out: Int)]>([])
        let isDone = Atomic(false)
        let answers = Answers()
        let giver = Task {
            try await onThread {
                while !isDone.load(ordering: .relaxed) {
                    try given.withLock { count in
                        try give(session, count..<count + 1)
                        count += 1
                    }
                    usleep(10)
                }
            }
        }
        for _ in 0..<200 {
            given.withLock { count in
                let before = count
                session.synchronous.complete { result in
                    let out = list.count
                    seen.withLock { $0.append((before, out)) }
                    answers.take(result)
                }
            }
            usleep(100)
        }
        while answers.codes.count < 200 { try await Task.sleep(for: .milliseconds(1)) }
        isDone.store(true, ordering: .relaxed)
        try await giver.value
        try await session.finish()
        #expect(answers.codes == [EncoderError.Code?](repeating: nil, count: 200))
        // The encoder holds three frames unless it is flushed, so that later ones are not out by chance.
        #expect(seen.withLock { $0.allSatisfy { $0.given == $0.out } })
    }

    // MARK: - Answers

    enum End: CaseIterable, Sendable {
        case finished, invalidated, failed

        /// What a call is answered that the session ends before.
        var code: EncoderError.Code? {
            switch self {
            case .finished: nil
            case .invalidated: .invalidated
            case .failed: .backendFailure
            }
        }
    }

    @Test(
        "completions and finishes are answered once each, whatever becomes of the session", arguments: End.allCases,
        CompressionSession.Milestone.allTested)
    func answeredOnce(end: End, milestone: CompressionSession.Milestone) async throws {
        let gate = Gate()
        let backend = ScriptedBackend(encoding: { id in
            [.runs { gate.wait() }, end == .failed ? .throwsError : .coded(id)]
        })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        let calls = session.synchronous
        let (completed, through, finished, again, late) = (Answers(), Answers(), Answers(), Answers(), Answers())
        try session.deliver { _ in }
        try calls.encode(FakeStream.picture(), at: .zero)
        try await gate.arrived()
        // None of them waits for the encoder, which stands still.
        calls.complete(until: milestone, whenDone: completed.take)
        calls.complete(through: .zero, until: milestone, whenDone: through.take)
        calls.finish(until: milestone, whenDone: finished.take)
        #expect(completed.codes.isEmpty && through.codes.isEmpty && finished.codes.isEmpty)
        calls.finish(until: milestone, whenDone: again.take)
        #expect(again.codes == [.invalidState])
        if end == .invalidated { session.invalidate() }
        gate.open()
        for answers in [completed, through, finished] { try await answers.wait() }
        calls.complete(until: milestone, whenDone: late.take)
        while backend.log.value.closed == 0 { try await Task.sleep(for: .milliseconds(1)) }
        for answers in [completed, through, finished] { #expect(answers.codes == [end.code]) }
        #expect(late.codes == [end.code ?? .invalidState] && again.codes.count == 1)
    }

    @Test("a session that is released before its finish is done answers that it was invalidated")
    func released() async throws {
        let gate = Gate()
        let (completed, finished) = (Answers(), Answers())
        do {
            let session = try CompressionSession(
                FakeStream.configuration(), encoder: ScriptedBackend(encoding: { [.runs { gate.wait() }, .coded($0)] }))
            try session.synchronous.encode(FakeStream.picture(), at: .zero)
            try await gate.arrived()
            session.synchronous.complete(whenDone: completed.take)
            session.synchronous.finish(whenDone: finished.take)
        }
        #expect(completed.codes == [.invalidated] && finished.codes == [.invalidated])
        gate.open()
    }

    enum Way: CaseIterable, Sendable {
        case reads, invalidates, releasesReader, releasesSession

        /// What the delivery is answered.
        var code: EncoderError.Code? {
            switch self {
            case .reads: nil
            case .invalidates, .releasesSession: .invalidated
            case .releasesReader: .readerReleased
            }
        }
    }

    @Test(
        "a delivery that nobody makes is answered when somebody reads, lets go, invalidates or releases the session",
        arguments: Way.allCases, [true, false])
    func unread(way: Way, isFinished: Bool) async throws {
        var session: CompressionSession? = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(delay: 2))
        let (encoded, delivered, finished) = (Answers(), Answers(), Answers())
        try give(#require(session), 0..<3)
        session?.synchronous.complete(whenDone: delivered.take)
        session?.synchronous.complete(until: .encoded, whenDone: encoded.take)
        if isFinished { session?.synchronous.finish(whenDone: finished.take) }
        try await encoded.wait()
        #expect(encoded.codes == [nil] && delivered.codes.isEmpty && finished.codes.isEmpty)
        switch way {
        case .reads:
            var frames = try #require(session).encodedFrames.makeAsyncIterator()
            for _ in 0..<3 { _ = try await frames.next() }
        case .invalidates: session?.invalidate()
        case .releasesReader: _ = session?.encodedFrames.makeAsyncIterator()
        case .releasesSession: session = nil
        }
        try await delivered.wait()
        if isFinished { try await finished.wait() }
        #expect(delivered.codes == [way.code] && finished.codes == (isFinished ? [way.code] : []))
    }

    // MARK: - What an answer may do

    @Test(
        "a whenDone may make every call that does not wait, and is refused those that would", arguments: Taker.allCases)
    func callsInAnswer(taker: Taker) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: 1))
        let list = EventList()
        try take(session, taker, into: list)
        try give(session, 0..<4)
        let refused = Mutex<[EncoderError.Code?]>([])
        let (first, second, finished) = (Answers(), Answers(), Answers())
        let picture = try FakeStream.picture()
        session.synchronous.complete { [unowned session] result in
            let calls = session.synchronous
            func code(_ body: () throws(EncoderError) -> Void) -> EncoderError.Code? {
                do throws(EncoderError) { try body() } catch { return error.code }
                return nil
            }
            let codes = [
                code { () throws(EncoderError) in try calls.prepare() },
                code { () throws(EncoderError) in try calls.complete() },
                code { () throws(EncoderError) in try calls.complete(until: .encoded) },
                code { () throws(EncoderError) in try calls.update { $0.averageBitRate = 200_000 } },
                code { () throws(EncoderError) in try session.requestKeyFrame() },
                code { () throws(EncoderError) in try calls.encode(picture, at: FakeStream.time(4)) },
            ]
            refused.withLock { $0 = codes }
            calls.complete(whenDone: second.take)
            calls.finish(whenDone: finished.take)
            first.take(result)
        }
        try await finished.wait()
        #expect(refused.withLock { $0 } == [.invalidState, .invalidState, .invalidState, nil, nil, nil])
        #expect(first.codes == [nil] && second.codes == [nil] && finished.codes == [nil])
        // A reader has taken a frame before it has noted it.
        while list.count < 5 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("an answer that invalidates its session ends it, whoever delivers", arguments: Taker.allCases)
    func invalidatesInAnswer(taker: Taker) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let list = EventList()
        try take(session, taker, into: list)
        try give(session, 0..<3)
        let answers = Answers()
        session.synchronous.complete { [unowned session] result in
            session.invalidate()
            answers.take(result)
        }
        try await answers.wait()
        #expect(answers.codes == [nil] && session.pendingFrameCount == 0)
        await #expect(throws: EncoderError.self) { try await session.complete() }
    }

    @Test("a handler asks for completions of what it was given, which come after it returned")
    func inHandler() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let order = Mutex<[String]>([])
        let answers = Answers()
        try session.deliver { [unowned session] event in
            if event.token as? Int == 0 {
                session.synchronous.complete { result in
                    order.withLock { $0.append("complete") }
                    answers.take(result)
                }
            }
            order.withLock { $0.append("\(event.token ?? "")") }
        }
        try give(session, 0..<1)
        try await answers.wait()
        try await session.finish(until: .delivered)
        #expect(answers.codes == [nil] && order.withLock { $0 } == ["0", "complete"])
    }
}

extension CompressionSession.Milestone {
    fileprivate static let allTested: [Self] = [.encoded, .delivered]
}
