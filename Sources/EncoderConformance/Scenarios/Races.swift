// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let racingReaders = Scenario(
        "racing-readers",
        "Readers that come at once get every frame once between them, or the error of a second reader."
    ) { context, findings in
        let configuration = context.configuration()
        let picture = try ScenarioContext.video(for: configuration).picture(at: 0)
        for _ in 0..<12 {
            let session = try context.session(configuration)
            let readers = (0..<3).map { _ in Task { await readAll(session.encodedFrames) } }
            for index in 0..<4 {
                try await session.encode(
                    picture, at: MediaTime(value: Int64(index), timescale: 30), options: FrameOptions(token: index))
            }
            try await withTimeLimit(context.patience, "finish() with racing readers") { try await session.finish() }
            var indices: [Int] = []
            for reader in readers {
                let (tokens, error) = try await withTimeLimit(context.patience, "a racing reader") {
                    await reader.value
                }
                indices += tokens
                findings.expect(
                    error == nil || error?.code == .invalidState, "a second reader to be refused as such",
                    seen: "\(String(describing: error))")
            }
            findings.expect(
                indices.sorted() == [0, 1, 2, 3], "each frame to be read once", seen: "\(indices.sorted())")
        }
    }

    /// Reads until the end or an error; one that is refused tries again, as somebody must read.
    private static func readAll(_ frames: EncodedFrames) async -> ([Int], EncoderError?) {
        var tokens: [Int] = []
        var iterator = frames.makeAsyncIterator()
        var refusal: EncoderError?
        for _ in 0..<1000 {
            do throws(EncoderError) {
                guard let frame = try await iterator.next() else { return (tokens, nil) }
                if let token = frame.token as? Int { tokens.append(token) }
            } catch {
                refusal = error
                guard error.code == .invalidState else { return (tokens, error) }
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        return (tokens, refusal)
    }

    static let racingWriters = Scenario(
        "racing-writers",
        "Of frames that tasks give at once, those taken come out once each, and the others are refused."
    ) { context, findings in
        let configuration = context.configuration()
        let picture = try ScenarioContext.video(for: configuration).picture(at: 0)
        let session = try context.session(configuration)
        let reader = Task { try await ScenarioContext.read(session.encodedFrames) }
        let taken = try await withTimeLimit(context.patience, "racing writers") {
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<4 {
                    group.addTask { try await write(picture, from: writer, to: session) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        try await withTimeLimit(context.patience, "finish() after racing writers") { try await session.finish() }
        let read = try await withTimeLimit(context.patience, "the reader") { try await reader.value }
        let indices = read.compactMap { $0.token as? Int }
        findings.expect(
            indices.sorted() == taken.sorted(), "an event for each of the \(taken.count) frames taken",
            seen: "\(indices.count) events")
    }

    /// Gives frames of one writer's times; the indices of those that were taken.
    private static func write(
        _ picture: PixelBuffer, from writer: Int, to session: CompressionSession
    ) async throws -> [Int] {
        var taken: [Int] = []
        for round in 0..<12 {
            let index = round * 4 + writer
            do throws(EncoderError) {
                try await session.encode(
                    picture, at: MediaTime(value: Int64(index), timescale: 30), options: FrameOptions(token: index))
                taken.append(index)
            } catch {
                guard error.code == .outOfOrderTimestamp else { throw error }
            }
        }
        return taken
    }

    static let invalidatedFinish = Scenario(
        "invalidate-while-finishing", "invalidate() ends a finish() that drains the encoder, and the reader."
    ) { context, findings in
        let configuration = context.configuration(.usual)
        let video = ScenarioContext.video(for: configuration)
        let session = try context.session(configuration)
        for index in 0..<12 {
            try await session.encode(try video.picture(at: index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        let finisher = Task { try await session.finish() }
        session.invalidate()
        let finishing = await result {
            try await withTimeLimit(context.patience, "finish()") { try await finisher.value }
        }
        let reading = await result {
            _ = try await withTimeLimit(context.patience, "reading") {
                try await ScenarioContext.read(session.encodedFrames)
            }
        }
        // finish() may have come first, and ended before, or not be called any more.
        let codes: [EncoderError.Code?] = [nil, .invalidated, .invalidState]
        findings.expect(
            codes.contains((finishing as? EncoderError)?.code) && (finishing == nil || finishing is EncoderError)
                && reading == nil,
            "finish() and reader to end as invalidated",
            seen: "\(String(describing: finishing)), \(String(describing: reading))")
    }

    private static func result(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}
