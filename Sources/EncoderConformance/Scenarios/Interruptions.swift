// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let cancelledWriter = Scenario(
        "cancelled-writer", "Cancelling a task that waits in encode() ends the wait; the session goes on."
    ) { context, findings in
        let configuration = context.configuration(.usual)
        let session = try context.session(configuration)
        let writer = Task { try await write(200, to: session) }
        try await waitUntilStuck(session)
        writer.cancel()
        let error = await failure("the cancelled encode", context, &findings) { _ = try await writer.value }
        findings.expect(error?.code == .cancelled, "encode to throw .cancelled", seen: "\(String(describing: error))")
        let inside = session.pendingFrameCount
        let frames = try await withTimeLimit(context.patience, "finish() after the cancellation") {
            async let frames = ScenarioContext.read(session.encodedFrames)
            try await session.finish()
            return try await frames
        }
        let indices = frames.compactMap { $0.token as? Int }.sorted()
        findings.expect(
            indices == Array(indices.indices), "an event for each frame taken before the cancellation",
            seen: "\(indices), \(inside) were inside")
    }

    static let cancelledReader = Scenario(
        "cancelled-reader", "Cancelling the reader ends its wait; letting it go ends encode() calls that wait for room."
    ) { context, findings in
        let session = try context.session(context.configuration())
        let reader = Task { try await ScenarioContext.read(session.encodedFrames) }
        // The reader waits: nothing was given yet.
        try await Task.sleep(for: .milliseconds(20))
        reader.cancel()
        let error = await failure("the cancelled reader", context, &findings) { _ = try await reader.value }
        findings.expect(error?.code == .cancelled, "reading to throw .cancelled", seen: "\(String(describing: error))")
        let writing = await failure("encode without a reader", context, &findings) {
            _ = try await write(200, to: session)
        }
        findings.expect(
            writing?.code == .readerReleased, "encode to throw .readerReleased", seen: "\(String(describing: writing))")
        try await withTimeLimit(context.patience, "finish() without a reader") { try await session.finish() }
    }

    static let invalidated = Scenario(
        "invalidate-mid-stream", "invalidate() ends a waiting encode() and the reader, whatever is inside."
    ) { context, findings in
        for effort in context.efforts {
            let session = try context.session(context.configuration(effort))
            let writer = Task { try await write(200, to: session) }
            try await waitUntilStuck(session)
            session.invalidate()
            let writing = await failure("encode after invalidate()", context, &findings) { _ = try await writer.value }
            findings.expect(
                writing?.code == .invalidated, "encode to throw .invalidated", seen: "\(String(describing: writing))")
            await expectEnd("reading after invalidate()", context, &findings) {
                _ = try await ScenarioContext.read(session.encodedFrames)
            }
        }
    }

    static let droppedSession = Scenario(
        "dropped-session", "Letting go of a session ends its reader and releases every picture it held."
    ) { context, findings in
        let given = 8
        let tally = PictureTally()
        let picture = try ScenarioContext.video(for: context.configuration(.usual)).picture(at: 0)
        var session: CompressionSession? = try context.session(context.configuration(.usual))
        let reader = session.map { session in
            let frames = session.encodedFrames
            return Task { try await ScenarioContext.read(frames) }
        }
        for index in 0..<given {
            try await session?.encode(
                try tally.picture(like: picture), at: MediaTime(value: Int64(index), timescale: 30))
        }
        // Some are inside the encoder by then, others wait for it.
        try await Task.sleep(for: .milliseconds(100))
        session = nil
        await expectEnd("reading from a session that is gone", context, &findings) { _ = try await reader?.value }
        for _ in 0..<200 where tally.alive > 0 { try await Task.sleep(for: .milliseconds(20)) }
        findings.expect(tally.alive == 0, "\(given) pictures released", seen: "\(given - tally.alive)")
    }

    static let neverRead = Scenario(
        "never-read", "finish() returns although nobody reads, and everything can be read afterwards."
    ) { context, findings in
        let configuration = context.configuration(.usual)
        let video = ScenarioContext.video(for: configuration)
        let session = try context.session(configuration)
        var taken = 0
        while taken < 500 {
            let isTaken = try session.encodeImmediately(
                try video.picture(at: taken), at: MediaTime(value: Int64(taken), timescale: 30),
                options: FrameOptions(token: taken))
            if !isTaken {
                // Full once the encoder has caught up, too.
                try await Task.sleep(for: .milliseconds(50))
                let isStillFull = try !session.encodeImmediately(
                    try video.picture(at: taken), at: MediaTime(value: Int64(taken), timescale: 30),
                    options: FrameOptions(token: taken))
                if isStillFull { break }
            }
            taken += 1
        }
        findings.expect(taken < 500, "a bounded number of frames taken without a reader", seen: "\(taken)")
        try await withTimeLimit(context.patience, "finish() without a reader") { try await session.finish() }
        let frames = try await ScenarioContext.read(session.encodedFrames)
        findings.expect(frames.count == taken, "\(taken) events", seen: "\(frames.count)")
    }

    // MARK: - Steps

    /// Gives frames until `encode` throws; they carry their index as token.
    private static func write(_ count: Int, to session: CompressionSession) async throws {
        let video = ScenarioContext.video(for: session.configuration)
        for index in 0..<count {
            try await session.encode(
                try video.picture(at: index % 8), at: MediaTime(value: Int64(index), timescale: 30),
                options: FrameOptions(token: index))
        }
    }

    /// Waits until the number of frames inside rests: without a reader, `encode` waits for room then.
    private static func waitUntilStuck(_ session: CompressionSession) async throws {
        try await session.prepare()
        var last = -1
        for _ in 0..<200 {
            try await Task.sleep(for: .milliseconds(60))
            let inside = session.pendingFrameCount
            if inside == last { return }
            last = inside
        }
    }

    /// Expects a call to end in time and without an error.
    private static func expectEnd(
        _ what: String, _ context: ScenarioContext, _ findings: inout Findings,
        _ body: @escaping @Sendable () async throws -> Void
    ) async {
        do {
            try await withTimeLimit(context.patience, what, body)
        } catch {
            findings.note("\(what) to end without an error", seen: "\(error)")
        }
    }

    /// The error a call ends with, which must come in time.
    private static func failure(
        _ what: String, _ context: ScenarioContext, _ findings: inout Findings,
        _ body: @escaping @Sendable () async throws -> Void
    ) async -> EncoderError? {
        do {
            try await withTimeLimit(context.patience, what, body)
            findings.note("\(what) to throw", seen: "no error")
        } catch let error as EncoderError {
            return error
        } catch {
            findings.note("\(what) to end", seen: "\(error)")
        }
        return nil
    }
}
