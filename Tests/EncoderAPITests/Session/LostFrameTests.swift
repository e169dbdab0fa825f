// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

/// What becomes of the others when a frame is not in the stream.
@Suite(.timeLimit(.minutes(1))) struct LostFrameTests {
    private typealias Step = ScriptedBackend.Step

    /// Gives `count` pictures to a session; those in `refused` have samples that are out of range.
    private func run(
        _ backend: ScriptedBackend, frames count: Int, refused: Set<Int> = [], forced: Set<Int> = [],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> [EncodedFrame] {
        let session = try CompressionSession(
            FakeStream.configuration {
                $0.pixelFormat = .i010
                change(&$0)
            }, encoder: backend)
        let good = try FakeStream.picture(176, 144, .i010, sample: 2)
        let bad = try FakeStream.picture(176, 144, .i010, sample: 255)
        async let frames = FakeStream.collect(session)
        for index in 0..<count {
            try await session.encode(
                refused.contains(index) ? bad : good, at: FakeStream.time(index),
                options: FrameOptions(forceKeyFrame: forced.contains(index), token: index))
        }
        try await session.finish()
        return try await frames
    }

    private func checkDecodeTimes(_ frames: [EncodedFrame]) {
        let coded = frames.filter { $0.accessUnit != nil }
        for frame in coded { #expect(frame.decodeTime <= frame.presentationTime) }
        for (earlier, later) in zip(coded, coded.dropFirst()) { #expect(earlier.decodeTime < later.decodeTime) }
        for frame in frames where frame.accessUnit == nil { #expect(frame.decodeTime == frame.presentationTime) }
    }

    @Test("a picture that no encoder may see takes no decode time from those that are inside", arguments: [0, 3, 7])
    func refused(at index: Int) async throws {
        // Codes 0, 2, 1, 4, 3…, two calls at least after the pictures were given.
        let backend = ScriptedBackend(
            reorderDepths: [1],
            encoding: { id in
                if id == 3 { return [.coded(0)] }
                return id < 4 || id % 2 == 0 ? [] : [.coded(id - 3), .coded(id - 4, isReference: false)]
            })
        let frames = try await run(backend, frames: 12, refused: [index])
        checkDecodeTimes(frames)
        #expect(frames.compactMap { $0.token as? Int }.sorted() == Array(0..<12))
        #expect(frames.filter { $0.accessUnit == nil }.map { $0.token as? Int } == [index])
        #expect(backend.log.value.given.count == 11)
    }

    @Test("frames that rate control leaves out, early or late, leave the decode times of the others right")
    func leftOut() async throws {
        // Told before, in place of, and long after the pictures around it.
        let schedules: [[Int: [Step]]] = [
            [1: [.dropped(1, .rateControl)], 4: [.coded(0), .coded(2), .coded(4), .coded(3, isReference: false)]],
            [4: [.coded(0), .coded(2), .dropped(1, .rateControl), .coded(4), .coded(3, isReference: false)]],
            [4: [.coded(0), .coded(2), .coded(4), .coded(3, isReference: false), .dropped(1, .rateControl)]],
        ]
        for schedule in schedules {
            let backend = ScriptedBackend(
                reorderDepths: [1], encoding: { id in id > 4 ? [.coded(id)] : schedule[id] ?? [] })
            let frames = try await run(backend, frames: 9)
            checkDecodeTimes(frames)
            // Behind the gap, decode times lag by the depth again and no more.
            let lags = frames.suffix(3).map { $0.presentationTime.value - $0.decodeTime.value }
            #expect(lags == [1, 1, 1])
        }
    }

    @Test("a picture that could not be delivered makes the next one a key frame", arguments: [true, false])
    func unfit(isReference: Bool) async throws {
        let backend = ScriptedBackend(
            sliceBytes: { $0 == 2 ? 300 : 20 }, encoding: { [.coded($0, isReference: isReference || $0 != 2)] })
        let frames = try await run(backend, frames: 6) { $0.framing = .lengthPrefixed(bytes: 1) }
        #expect(frames.map { $0.accessUnit?.isSync } == [true, false, nil, true, false, false])
        checkDecodeTimes(frames)
    }

    @Test("a frame that the encoder failed at makes the next one a key frame, one that it skipped does not")
    func reasons() async throws {
        for (reason, isKey) in [
            (EncodedFrame.DropReason.rateControl, false), (.failed(ScriptedBackend.failure), true),
        ] {
            let backend = ScriptedBackend(encoding: { [$0 == 2 ? .dropped(2, reason) : .coded($0)] })
            let frames = try await run(backend, frames: 5)
            #expect(frames.map { $0.accessUnit?.isSync } == [true, false, nil, isKey, false])
            #expect(frames[2].dropReason == reason)
        }
    }

    @Test("a key frame that was asked for and left out is made up for by the next frame that can")
    func carriedOver() async throws {
        let skips: @Sendable (Int) -> [Step] = { [2...3 ~= $0 ? .dropped($0, .rateControl) : .coded($0)] }
        let asked = ScriptedBackend(encoding: skips)
        #expect(
            try await run(asked, frames: 6, forced: [2]).map { $0.accessUnit?.isSync }
                == [true, false, nil, nil, true, false])
        #expect(asked.log.value.forced == [2, 3, 4])
        // 2/30 s after the first, by the interval.
        let due = ScriptedBackend(encoding: skips)
        let frames = try await run(due, frames: 7) { $0.live.maxKeyFrameIntervalDuration = 0.06 }
        #expect(frames.map { $0.accessUnit?.isSync } == [true, false, nil, nil, true, false, true])
        // Refused before the encoder saw it.
        let refused = ScriptedBackend()
        #expect(
            try await run(refused, frames: 4, refused: [1], forced: [1]).map { $0.accessUnit?.isSync }
                == [true, nil, true, false])
    }

    @Test("an encoder that skips frames all the time forces none", arguments: [2, 3, 5])
    func everyOther(period: Int) async throws {
        let backend = ScriptedBackend(encoding: { [$0 % period == 1 ? .dropped($0, .rateControl) : .coded($0)] })
        let frames = try await run(backend, frames: 60)
        #expect(frames.filter { $0.accessUnit?.isSync == true }.count == 1)
        #expect(backend.log.value.forced.isEmpty)
        checkDecodeTimes(frames)
    }

    @Test(
        "an encoder that reorders further after a restart keeps decode times in order", arguments: [[0, 2], [1, 2]])
    func deeper(depths: [Int]) async throws {
        // The second encoder codes 5, 8, 7, 6, 9…
        let backend = ScriptedBackend(
            reorderDepths: depths, updatesLive: false,
            encoding: { id in
                if id < 5 { return [.coded(id)] }
                return id == 5 ? [.coded(5)] : id == 8 ? [.coded(8), .coded(7), .coded(6)] : id < 9 ? [] : [.coded(id)]
            })
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 100_000 }, encoder: backend)
        async let collected = FakeStream.collect(session)
        for index in 0..<14 {
            if index == 5 { try await session.update { $0.averageBitRate = 200_000 } }
            try await session.encode(FakeStream.picture(), at: FakeStream.time(index))
        }
        try await session.finish()
        let frames = try await collected
        #expect(frames.count == 14)
        checkDecodeTimes(frames)
    }
}
