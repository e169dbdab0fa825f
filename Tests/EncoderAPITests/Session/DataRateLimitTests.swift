// SPDX-License-Identifier: MIT

import Logging
import TestSupport
import Testing

@testable import EncoderAPI

/// Data-rate limits, with encoders that know nothing of them.
@Suite(.timeLimit(.minutes(1))) struct DataRateLimitTests {
    @Test(
        "a picture that an encoder without quantizers makes too large is dropped, and the next is a key frame",
        arguments: [RateControl.automatic, .averageBitRate(8000), .quality(0.5)])
    func drops(control: RateControl) async throws {
        let log = RecordingLog()
        let limits = [DataRateLimit(bytes: 5000, seconds: 1), DataRateLimit(bytes: 100_000, seconds: 2)]
        let configuration = FakeStream.configuration {
            $0.live = LiveSettings(rateControl: control, dataRateLimits: limits, expectedFrameRate: 30)
        }
        let session = try CompressionSession(
            configuration, encoder: FakeBackend(sliceBytes: 196), logger: log.logger(level: .warning))
        let frames = try await FakeStream.run(session, frames: 90)
        // 200 bytes with the length of the NAL unit: 25 of 30 pictures fit.
        #expect(frames.count == 90 && frames.count { $0.dropReason == .rateControl } == 15)
        #expect(frames.mostBytes(inWindowsOf: 1) == 5000)
        for (frame, next) in zip(frames, frames.dropFirst()) where frame.dropReason != nil {
            #expect(next.accessUnit?.isSync ?? true)
        }
        #expect(session.statistics.windowPeaks.map(\.bytes) == [5000, 10_000])
        #expect(log.texts(.warning).count == 1)
    }

    @Test(
        "what is inside an encoder without quantizers is dropped with a picture that is too large",
        arguments: [0, 1, 5], [false, true])
    func dropsInside(delay: Int, reorders: Bool) async throws {
        let limit = DataRateLimit(bytes: 5000, seconds: 1)
        let configuration = FakeStream.configuration {
            $0.live = LiveSettings(
                rateControl: .averageBitRate(8000), dataRateLimits: [limit], expectedFrameRate: 30)
        }
        let backend = FakeBackend(
            delay: delay, reorders: reorders, bytesOfPicture: { id, _ in id == 30 || id == 60 ? 6000 : 50 })
        let session = try CompressionSession(configuration, encoder: backend)
        let frames = try await FakeStream.run(session, frames: 90)
        #expect(frames.count == 90 && frames.mostBytes(inWindowsOf: 1) <= limit.bytes)
        #expect(backend.log.snapshot.opened.count == 1)
        let lost = frames.filter { $0.dropReason == .rateControl }.count
        #expect(lost >= 2 && lost <= 2 * (delay + 3), "\(lost)")
        // Whatever comes out behind one that is missing begins with a sync frame.
        for (frame, next) in zip(frames, frames.dropFirst()) where frame.dropReason != nil {
            #expect(next.accessUnit?.isSync ?? true)
        }
    }

    @Test("what is inside is dropped with a picture that is too large, though the limit is lifted before it comes out")
    func dropsInsideWithoutLimit() async throws {
        let configuration = FakeStream.configuration {
            $0.live = LiveSettings(
                rateControl: .averageBitRate(8000), dataRateLimits: [DataRateLimit(bytes: 5000, seconds: 1)],
                expectedFrameRate: 30)
        }
        let backend = FakeBackend(delay: 5, bytesOfPicture: { id, _ in id == 30 ? 6000 : 50 })
        let session = try CompressionSession(configuration, encoder: backend)
        async let collected = FakeStream.collect(session)
        for index in 0..<60 {
            if index == 36 { try await session.update { $0.dataRateLimits = [] } }
            try await session.encode(FakeStream.picture(), at: FakeStream.time(index))
        }
        try await session.finish()
        let frames = try await collected
        let lost = frames.filter { $0.dropReason == .rateControl }
        #expect(lost.map(\.presentationTime) == (30..<36).map(FakeStream.time))
        #expect(frames.first { $0.presentationTime == FakeStream.time(36) }?.accessUnit?.isSync == true)
    }

    @Test("a frame that waits for one before it leaves in its place, though no frame inside has a limit any more")
    func waitsWithoutLimit() async throws {
        let configuration = FakeStream.configuration {
            $0.live = LiveSettings(
                rateControl: .averageBitRate(8000), dataRateLimits: [DataRateLimit(bytes: 5000, seconds: 1)])
        }
        // The last that was given with the limit comes out together with one that was given after it.
        let encoder = ScriptedBackend(
            reorderDepths: [1], takesQuantizers: true,
            encoding: { id in
                switch id {
                case 0, 1: []
                case 2: [.coded(0), .coded(2)]
                case 3: [.coded(1, isReference: false)]
                default: [.coded(id - 1)]
                }
            })
        let session = try CompressionSession(configuration, encoder: encoder)
        async let collected = FakeStream.collect(session)
        for index in 0..<8 {
            if index == 1 { try await session.update { $0.dataRateLimits = [] } }
            try await session.encode(FakeStream.picture(), at: FakeStream.time(index))
        }
        try await session.finish()
        let frames = try await collected
        #expect(frames.map(\.presentationTime) == [0, 2, 1, 3, 4, 5, 6, 7].map(FakeStream.time))
        #expect(frames.allSatisfy { $0.dropReason == nil })
        for (frame, next) in zip(frames, frames.dropFirst()) { #expect(frame.decodeTime < next.decodeTime) }
    }

    /// Pictures of 300 bytes, key frames of 1500, and every 20th of so many.
    private static func bursts(of bytes: Int) -> @Sendable (Int, Bool) -> Int {
        { id, isKey in id % 20 == 15 ? bytes : isKey ? 1500 : 300 }
    }

    @Test(
        "a picture that is too large is encoded again as a coarser key frame, and nothing is dropped",
        arguments: [(0, false), (0, true), (3, false), (3, true), (12, false), (12, true)], [4000, 8000])
    func again(_ order: (delay: Int, reorders: Bool), burst: Int) async throws {
        let (delay, reorders) = order
        let limit = DataRateLimit(bytes: 6000, seconds: 0.5)
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [limit]
            $0.live.expectedFrameRate = 30
        }
        let backend = FakeBackend(
            delay: delay, reorders: reorders, takesQuantizers: true, bytesOfPicture: Self.bursts(of: burst))
        let session = try CompressionSession(configuration, encoder: backend)
        let frames = try await FakeStream.run(session, frames: 120)
        #expect(frames.allSatisfy { $0.accessUnit != nil })
        #expect(frames.map(\.presentationTime).sorted() == (0..<120).map(FakeStream.time))
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(frames.allSatisfy { $0.decodeTime <= $0.presentationTime })
        #expect(frames.mostBytes(inWindowsOf: limit.seconds) <= limit.bytes)
        // The quantizer that the pictures before ask for is enough for the smaller one where nothing is inside.
        if burst > limit.bytes || delay > 0 { #expect(session.statistics.restarts[.dataRateLimits] ?? 0 > 0) }
        #expect(!session.adjustments.contains { $0.setting == .dataRateLimits })
        #expect(Set(frames.compactMap { $0.accessUnit?.format }).count == 1)
    }

    @Test(
        "key frames forced together are left to an encoder that looks ahead, unless frames come faster than it was told",
        arguments: [true, false])
    func forcedTogether(isRateTrue: Bool) async throws {
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 6000, seconds: 0.5)]
            $0.live.expectedFrameRate = isRateTrue ? 30 : 15
        }
        // The five behind the first key frame take half as much each, which nobody knows beforehand.
        let backend = FakeBackend(
            delay: 12, takesQuantizers: true,
            bytesOfPicture: { id, isKey in isKey ? (id == 0 ? 1500 : 700) : 50 })
        let session = try CompressionSession(configuration, encoder: backend)
        async let collected = FakeStream.collect(session)
        for index in 0..<60 {
            let isForced = (20...28).contains(index) && index.isMultiple(of: 2)
            try await session.encode(
                FakeStream.picture(), at: FakeStream.time(index), options: FrameOptions(forceKeyFrame: isForced))
        }
        try await session.finish()
        let units = try await collected.compactMap(\.accessUnit)
        #expect(units.count == 60)
        let isNoneTold = units.allSatisfy { $0.reportedQP ?? 0 <= 26 }
        #expect(isNoneTold == isRateTrue, "whether none is told a coarser quantizer")
        guard isRateTrue else { return }
        #expect(units.count(where: \.isSync) == 6)
        #expect(session.statistics.restarts[.dataRateLimits] == nil)
    }

    @Test(
        "one picture that the coarsest quantizer does not make fit is dropped alone",
        arguments: [(0, false), (0, true), (3, false), (3, true), (12, false), (12, true)])
    func dropsOne(delay: Int, reorders: Bool) async throws {
        let limit = DataRateLimit(bytes: 2000, seconds: 0.5)
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [limit]
            $0.live.expectedFrameRate = 30
        }
        let backend = FakeBackend(
            delay: delay, reorders: reorders, takesQuantizers: true,
            bytesOfPicture: { id, isKey in id == 30 ? 60_000 : isKey ? 1500 : 100 })
        let session = try CompressionSession(configuration, encoder: backend)
        let frames = try await FakeStream.run(session, frames: 90)
        #expect(frames.filter { $0.accessUnit == nil }.map(\.presentationTime) == [FakeStream.time(30)])
        #expect(frames.mostBytes(inWindowsOf: limit.seconds) <= limit.bytes)
        let coded = frames.filter { $0.accessUnit != nil }
        #expect(zip(coded, coded.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(coded.allSatisfy { $0.decodeTime <= $0.presentationTime })
    }

    @Test("sizes that nobody can foresee break no window, and frames are dropped only where the coarsest do not fit")
    func random() async throws {
        var generator = SeededGenerator()
        var dropped = 0
        for _ in 0..<20 {
            let sizes = (0..<120).map { _ in
                let isBurst = Int.random(in: 0..<12, using: &generator) == 0
                return (
                    key: Int.random(in: 500...3000, using: &generator),
                    other: Int.random(in: 50...600, using: &generator) * (isBurst ? 8 : 1)
                )
            }
            let forced = Set((0..<120).filter { _ in Int.random(in: 0..<15, using: &generator) == 0 })
            let count = Int.random(in: 3...30, using: &generator)
            // 25 steps of the quantizer leave an eighteenth; parameter sets and lengths come on top.
            let coarsest = sizes.map { max($0.key, $0.other) / 17 + 50 }
            let fullest = (0...120 - count).map { coarsest[$0..<$0 + count].reduce(0, +) }.max() ?? 0
            let limit = DataRateLimit(bytes: fullest, seconds: Double(count) / 30)
            let configuration = FakeStream.configuration {
                $0.live.dataRateLimits = [limit]
                $0.live.expectedFrameRate = 30
            }
            let backend = FakeBackend(
                delay: Int.random(in: 0...12, using: &generator), reorders: Bool.random(using: &generator),
                takesQuantizers: true,
                bytesOfPicture: { id, isKey in
                    let size = sizes[id % 120]
                    return isKey ? max(size.key, size.other) : size.other
                })
            let session = try CompressionSession(configuration, encoder: backend)
            let frames = try await FakeStream.run(session, frames: 120) {
                FrameOptions(forceKeyFrame: forced.contains($0))
            }
            #expect(frames.count == 120 && frames.mostBytes(inWindowsOf: limit.seconds) <= limit.bytes)
            let lost = frames.indices.filter { frames[$0].accessUnit == nil }
            dropped += lost.count
            for index in lost where !backend.reorders {
                let time = frames[index].decodeTime
                // One that is a window's length before may count, by rounding.
                let before = frames[..<index].filter { (time - $0.decodeTime).seconds < limit.seconds + 1e-9 }
                let room = limit.bytes - before.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) }
                #expect(coarsest[index] > room, "\(limit), \(backend.delay), frame \(index)")
            }
        }
        // The fullest window has no room to spare, and no picture tells how large the next is.
        #expect(dropped <= 120)
    }

    @Test("a limit that the coarsest quantizer breaks ends in drops, and never in a broken window", arguments: [0, 3])
    func starves(delay: Int) async throws {
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 400, seconds: 0.5)]
        }
        let backend = FakeBackend(
            delay: delay, takesQuantizers: true, bytesOfPicture: { _, isKey in isKey ? 3000 : 1500 })
        let session = try CompressionSession(configuration, encoder: backend)
        let frames = try await FakeStream.run(session, frames: 90)
        #expect(frames.count == 90)
        #expect(frames.contains { $0.dropReason == .rateControl } && frames.contains { $0.accessUnit != nil })
        #expect(frames.allSatisfy { $0.accessUnit != nil || $0.dropReason == .rateControl })
        #expect(frames.mostBytes(inWindowsOf: 0.5) <= 400)
        // What follows a picture that is missing decodes without it.
        let inOrder = frames.sorted { $0.presentationTime < $1.presentationTime }
        for (frame, next) in zip(inOrder, inOrder.dropFirst()) where frame.dropReason != nil {
            #expect(next.accessUnit?.isSync ?? true)
        }
    }

    @Test("a session that was invalidated while it encodes again gives back its thread")
    func invalidated() async throws {
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 400, seconds: 0.5)]
        }
        let backend = FakeBackend(delay: 5, takesQuantizers: true, bytesOfPicture: { _, _ in 3000 })
        do {
            let session = try CompressionSession(configuration, encoder: backend)
            for index in 0..<10 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
            session.invalidate()
        }
        let isClosed = await eventually { backend.log.snapshot.closed == backend.log.snapshot.opened.count }
        #expect(isClosed)
    }

    @Test("what an encoder holds counts for a limit, though the one that shall replace it does not open")
    func failsToRestart() async throws {
        let limit = DataRateLimit(bytes: 5000, seconds: 1)
        let configuration = FakeStream.configuration {
            $0.live = LiveSettings(
                rateControl: .averageBitRate(8000), dataRateLimits: [limit], expectedFrameRate: 30)
        }
        let backend = FakeBackend(delay: 3, sliceBytes: 196, failsToReopenOnce: true, updatesLive: false)
        let session = try CompressionSession(configuration, encoder: backend)
        let picture = try FakeStream.picture()
        async let collected = FakeStream.collect(session)
        for index in 0..<24 { try await session.encode(picture, at: FakeStream.time(index)) }
        await #expect(throws: EncoderError.self) { try await session.update { $0.averageBitRate = 9000 } }
        for index in 24..<40 { try await session.encode(picture, at: FakeStream.time(index)) }
        try await session.finish()
        let frames = try await collected
        #expect(frames.count == 40 && backend.log.snapshot.opened.count == 2)
        #expect(frames.mostBytes(inWindowsOf: 1) <= limit.bytes)
        #expect(session.statistics.windowPeaks.map(\.bytes) == [frames.mostBytes(inWindowsOf: 1)])
    }

    @Test("an encoder that cannot be opened to encode again ends the session, and every frame comes out")
    func failsToReopen() async throws {
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 6000, seconds: 0.5)]
        }
        let backend = FakeBackend(
            delay: 3, failsToReopen: true, takesQuantizers: true, bytesOfPicture: Self.bursts(of: 4000))
        let session = try CompressionSession(configuration, encoder: backend)
        let reader = Task {
            var frames: [EncodedFrame] = []
            do {
                for try await frame in session.encodedFrames { frames.append(frame) }
                Issue.record("the session did not fail")
            } catch {}
            return frames
        }
        for index in 0..<30 {
            do { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) } catch { break }
        }
        try? await session.finish()
        let frames = await reader.value
        #expect(frames.count == session.statistics.taken)
        #expect(Set(frames.map(\.presentationTime)).count == frames.count)
    }
}
