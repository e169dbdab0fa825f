// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

/// How a session ends when its encoder cannot go on.
@Suite(.timeLimit(.minutes(1))) struct SessionFailureTests {
    private typealias Step = ScriptedBackend.Step

    /// Reads to the end: the events, and the error after them.
    private func read(_ session: CompressionSession) async -> (frames: [EncodedFrame], error: EncoderError?) {
        var frames: [EncodedFrame] = []
        do throws(EncoderError) {
            for try await frame in session.encodedFrames { frames.append(frame) }
        } catch {
            return (frames, error)
        }
        return (frames, nil)
    }

    /// Everything given comes out once, the lost frames with the error that ended the session, and then the error.
    private func expectAllAccountedFor(
        _ session: CompressionSession, given: Int, coded: [Int], _ error: EncoderError
    ) async throws {
        #expect(session.pendingFrameCount == 0)
        let (frames, end) = await read(session)
        #expect(end == error)
        #expect(frames.compactMap { $0.token as? Int }.sorted() == Array(0..<given))
        #expect(frames.filter { $0.accessUnit != nil }.map { $0.token as? Int } == coded)
        for frame in frames where frame.accessUnit == nil {
            #expect(frame.dropReason == .failed(error))
            #expect(frame.decodeTime == frame.presentationTime)
        }
        let late = await #expect(throws: EncoderError.self) {
            try await session.encode(FakeStream.picture(), at: FakeStream.time(1000))
        }
        #expect(late == error)
    }

    private func give(_ session: CompressionSession, _ count: Int) async throws {
        for index in 0..<count {
            try await session.encode(
                FakeStream.picture(), at: FakeStream.time(index), options: FrameOptions(token: index))
        }
    }

    @Test("an encoder that throws when it is asked for its parameter sets ends the session")
    func parameterSets() async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(failsToTellSets: true, updatesLive: false))
        try await session.prepare()
        let error = await #expect(throws: EncoderError.self) {
            try await session.update { $0.averageBitRate = 500_000 }
        }
        #expect(error?.reason == "the fake tells no sets")
        let late = await #expect(throws: EncoderError.self) { try await give(session, 1) }
        #expect(late == error)
    }

    /// Gives frames until one is not taken; how many were.
    private func giveUntilOver(_ session: CompressionSession, _ count: Int) async throws -> Int {
        let picture = try FakeStream.picture()
        for index in 0..<count {
            do {
                try await session.encode(picture, at: FakeStream.time(index), options: FrameOptions(token: index))
            } catch {
                return index
            }
        }
        return count
    }

    @Test("every frame given comes out when encoding one fails, those that were still waiting too")
    func encoding() async throws {
        // Holds three pictures; fails at the fifth, while more wait.
        let gate = Gate()
        let backend = ScriptedBackend(encoding: { id in
            if id == 5 { return [.runs { gate.wait() }, .throwsError] }
            return id < 3 ? [] : [.coded(id - 3)]
        })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        try await give(session, 9)
        gate.open()
        let error = await #expect(throws: EncoderError.self) { try await session.finish() }
        #expect(error == ScriptedBackend.end)
        try await expectAllAccountedFor(session, given: 9, coded: [0, 1], ScriptedBackend.end)
        #expect(backend.log.value.given == Array(0...5))
    }

    @Test("every frame given comes out when the encoder does not open")
    func opening() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(failsToOpen: true))
        try? await give(session, 3)
        let error = await #expect(throws: EncoderError.self) { try await session.finish() }
        let (frames, end) = await read(session)
        #expect(error?.status == 7 && end == error)
        #expect(!frames.isEmpty && frames.allSatisfy { $0.accessUnit == nil })
        #expect(frames.count == frames.compactMap { $0.token as? Int }.count)
        #expect(session.pendingFrameCount == 0)
    }

    enum Drain: CaseIterable, Sendable { case complete, update, finish }

    @Test("an encoder that fails while it is drained ends the session", arguments: Drain.allCases)
    func draining(by call: Drain) async throws {
        let backend = ScriptedBackend(
            updatesLive: false, encoding: { id in id < 4 ? [] : [.coded(id - 4)] },
            draining: { inside in [.coded(inside[0]), .throwsError] })
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 }, encoder: backend)
        try await give(session, 6)
        let error = await #expect(throws: EncoderError.self) {
            switch call {
            case .complete: try await session.complete()
            case .update: try await session.update { $0.averageBitRate = 200_000 }
            case .finish: try await session.finish()
            }
        }
        #expect(error == ScriptedBackend.end)
        try await expectAllAccountedFor(session, given: 6, coded: [0, 1, 2], ScriptedBackend.end)
        #expect(backend.log.value.opened == 1)
    }

    @Test("an encoder that fails at a change of settings ends the session")
    func updating() async throws {
        let backend = ScriptedBackend(updatesLive: nil, encoding: { _ in [] })
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 }, encoder: backend)
        try await give(session, 2)
        await #expect(throws: ScriptedBackend.end) { try await session.update { $0.averageBitRate = 200_000 } }
        try await expectAllAccountedFor(session, given: 2, coded: [], ScriptedBackend.end)
    }

    @Test("settings that cannot be leave the session as it was")
    func refusedUpdate() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: ScriptedBackend())
        try await give(session, 2)
        await #expect(throws: EncoderError.self) { try await session.update { $0.averageBitRate = 1 } }
        try await session.finish()
        #expect(await read(session).frames.count == 2)
    }

    @Test(
        "an id that is not inside ends the session with an error that names encoder and id",
        arguments: [-1, 1, 3, 7, Int.min, Int.max], [true, false])
    func strangeIDs(id: Int, isDropped: Bool) async throws {
        // 1 was given back before; the others were never given.
        let backend = ScriptedBackend(encoding: { given in
            let strange: Step = isDropped ? .dropped(id, .rateControl) : .coded(id)
            return given == 2 ? [.coded(2), strange] : [.coded(given)]
        })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        try? await give(session, 3)
        let error = try #require(await #expect(throws: EncoderError.self) { try await session.finish() })
        #expect(error.code == .backendFailure)
        #expect(error.reason.contains("fake") && error.reason.contains("picture \(id)"))
        try await expectAllAccountedFor(session, given: 3, coded: [0, 1, 2], error)
    }

    @Test(
        "a picture without a slice is lost like one that could not be encoded, and the next is a key frame",
        arguments: [[], [[]], [[0xFF]], [FakeStream.sps, FakeStream.pps]] as [[[UInt8]]])
    func noSlice(units: [[UInt8]]) async throws {
        let backend = ScriptedBackend(encoding: { [$0 == 2 ? .units($0, units) : .coded($0)] })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        try await give(session, 5)
        try await session.finish()
        let frames = await read(session).frames
        #expect(frames.compactMap { $0.token as? Int } == Array(0..<5))
        guard case .failed(let error)? = frames[2].dropReason else {
            Issue.record("\(frames[2].outcome)")
            return
        }
        #expect(error.code == .backendFailure && error.reason.contains("without a slice"))
        #expect(frames.map { $0.accessUnit?.isSync } == [true, false, nil, true, false])
    }

    @Test("an encoder that reorders further than it says ends the session before a time would be wrong")
    func understatedReordering() async throws {
        let backend = ScriptedBackend(encoding: { given in
            given == 1 ? [] : given == 2 ? [.coded(2), .coded(1)] : [.coded(given)]
        })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        let taken = try await giveUntilOver(session, 4)
        let error = try #require(await #expect(throws: EncoderError.self) { try await session.finish() })
        #expect(error.code == .backendFailure && error.reason.contains("reorder depth of 0"))
        try await expectAllAccountedFor(session, given: taken, coded: [0, 2], error)
    }

    @Test("an encoder that keeps pictures when it is drained ends the session with their number")
    func keptPictures() async throws {
        let backend = ScriptedBackend(encoding: { _ in [] }, draining: { $0.dropLast(2).map { .coded($0) } })
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        try await give(session, 5)
        let error = try #require(await #expect(throws: EncoderError.self) { try await session.complete() })
        #expect(error.reason.contains("still holds 2 "))
        try await expectAllAccountedFor(session, given: 5, coded: [0, 1, 2], error)
    }

    @Test("a reorder depth that no stream can have is refused", arguments: [-1, 17, Int.max, Int.min])
    func depths(depth: Int) async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: ScriptedBackend(reorderDepths: [depth]))
        let error = await #expect(throws: EncoderError.self) { try await session.prepare() }
        #expect(error?.reason.contains("\(depth) pictures") == true)
    }
}
