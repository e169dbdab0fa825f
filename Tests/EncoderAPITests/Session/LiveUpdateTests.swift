// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LiveUpdateTests {
    /// A session whose frames nobody asks about, at 1 Mbit/s.
    private func session(
        _ backend: FakeBackend, _ log: RecordingLog = RecordingLog(),
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> CompressionSession {
        let configuration = FakeStream.configuration {
            $0.live.averageBitRate = 1_000_000
            change(&$0)
        }
        return try CompressionSession(configuration, encoder: backend, logger: log.logger(level: .warning))
    }

    /// Gives frames of 1/`rate` second to a session, from the time of `first` on.
    private func encode(_ frames: Range<Int>, rate: Int32 = 30, _ session: CompressionSession) async throws {
        for frame in frames {
            // Ticks that all the rates here divide.
            let time = MediaTime(value: Int64(frame) * Int64(3000 / rate), timescale: 3000)
            try await session.encode(FakeStream.picture(), at: time)
        }
    }

    @Test(
        "a restart says that the format stays only where the next encoder's parameter sets are those in force",
        arguments: [
            ([FakeStream.sps, FakeStream.pps], false), ([FakeStream.pps], true), (nil, true),
        ] as [([[UInt8]]?, Bool)])
    func formatMayChange(sets: [[UInt8]]?, mayChange: Bool) async throws {
        let backend = FakeBackend(delay: 2, updatesLive: false, parameterSets: { _ in sets })
        for encoded in [0, 5] {
            let session = try session(backend)
            async let frames = FakeStream.collect(session)
            try await session.prepare()
            try await encode(0..<encoded, session)
            let outcome = try await session.update { $0.averageBitRate = 500_000 }
            // Before the first picture, the first encoder's word is all there is.
            #expect(outcome == .restarted(formatMayChange: encoded > 0 ? mayChange : sets == nil))
            try await session.finish()
            #expect(try await frames.count == encoded)
        }
    }

    @Test(
        "an encoder for another average begins half full, where no limit or level says what the buffer holds",
        arguments: BufferRow.rows)
    func fullness(row: BufferRow) async throws {
        let backend = FakeBackend(updatesLive: false)
        let session = try session(backend) { row.begin(&$0) }
        async let frames = FakeStream.collect(session)
        try await encode(0..<3, session)
        try await session.update { row.change(&$0) }
        try await session.finish()
        _ = try await frames
        let opened = backend.log.snapshot.opened.map(\.position.bufferFullness)
        #expect(opened.count == 2 && opened[0] == 0.9)
        #expect((opened.last == 0.5) == row.isHalf, "\(opened)")
    }

    @Test("adjustments are those in force at any time: after a restart, after complete and after finish")
    func adjustments() async throws {
        let session = try session(FakeBackend(delay: 2, updatesLive: false))
        async let frames = FakeStream.collect(session)
        try await encode(0..<3, session)
        try await session.complete()
        #expect(session.adjustments.map(\.setting) == [.preset])
        try await session.update { $0.averageBitRate = 400_500 }
        #expect(session.adjustments.map(\.setting) == [.preset, .averageBitRate])
        try await session.finish()
        _ = try await frames
        #expect(session.adjustments.map(\.setting) == [.preset, .averageBitRate])
    }

    @Test("after a restart, a change that changes nothing for the encoder opens no other")
    func nothingEffective() async throws {
        let backend = FakeBackend(updatesLive: false)
        let session = try session(backend)
        async let frames = FakeStream.collect(session)
        try await encode(0..<30, session)
        let restart = try await session.update { $0.averageBitRate = 500_000 }
        try await encode(30..<33, session)
        // So wide a limit changes neither the buffer nor the average.
        let limit = DataRateLimit(bytes: 1_000_000, seconds: 1)
        try await session.update { $0.dataRateLimits = [limit] }
        let opened = backend.log.snapshot.opened.count
        let same = try await session.update { $0.dataRateLimits = [limit, limit] }
        try await encode(33..<36, session)
        try await session.finish()
        _ = try await frames
        #expect(restart != .applied && same == .applied)
        #expect(backend.log.snapshot.opened.count == opened)
    }

    @Test("an update between complete and the next frame is a restart, as the next frame is a key frame")
    func afterComplete() async throws {
        let session = try session(FakeBackend(delay: 2, parameterSets: { _ in [FakeStream.sps, FakeStream.pps] }))
        async let frames = FakeStream.collect(session)
        try await encode(0..<3, session)
        try await session.complete()
        #expect(try await session.update { $0.averageBitRate = 1_500_000 } == .restarted(formatMayChange: false))
        try await encode(3..<6, session)
        try await session.finish()
        _ = try await frames
    }

    @Test("an update that the back end refuses leaves the settings before in force")
    func failure() async throws {
        let refusal = EncoderError(.conflictingSettings, reason: "too much for the fake")
        let backend = FakeBackend(refusal: { settings in
            settings.live.rate.control == .averageBitRate(2_000_000) ? refusal : nil
        })
        let session = try session(backend)
        let error = await #expect(throws: EncoderError.self) {
            try await session.update { $0.averageBitRate = 2_000_000 }
        }
        #expect(error == refusal && session.effective.live.rate.control == .averageBitRate(1_000_000))
    }

    @Test("0 is refused with the range and changes nothing; nil leaves it to the encoder")
    func unset() async throws {
        let session = try session(FakeBackend()) { $0.live.maxKeyFrameIntervalDuration = 2 }
        let before = session.effective
        let rows: [(Setting, String, @Sendable (inout LiveSettings) -> Void)] = [
            (.averageBitRate, "expected 1000...1000000000", { $0.averageBitRate = 0 }),
            (.expectedFrameRate, "expected 0.01...1000", { $0.expectedFrameRate = 0 }),
            (.maxKeyFrameInterval, "expected 1...1073741824", { $0.maxKeyFrameInterval = 0 }),
            (.maxKeyFrameIntervalDuration, "expected 0.001...86400.0", { $0.maxKeyFrameIntervalDuration = 0 }),
        ]
        for (setting, range, change) in rows {
            let error = await #expect(throws: EncoderError.self) { try await session.update(change) }
            #expect(error?.code == .invalidValue && error?.setting == setting)
            #expect(error?.reason.contains(range) == true, "\(error?.reason ?? "no error")")
            #expect(session.effective == before)
        }
        try await session.update { ($0.averageBitRate, $0.maxKeyFrameIntervalDuration) = (nil, nil) }
        #expect(session.effective.live.rate.control == .automatic)
        #expect(session.effective.live.asked.maxKeyFrameIntervalDuration == nil)
    }

    // MARK: - Changes that take a key frame

    @Test(
        "a change that takes a key frame is made by the open encoder, with the next frame", arguments: [true, false])
    func atKeyFrame(changesSets: Bool) async throws {
        let backend = FakeBackend(
            delay: 2, updatesAtKeyFrames: true,
            parameterSets: { settings in
                let isFirst = settings.live.rate.control == .averageBitRate(1_000_000)
                return isFirst || !changesSets ? [FakeStream.sps, FakeStream.pps] : [FakeStream.pps]
            })
        let session = try session(backend)
        async let frames = FakeStream.collect(session)
        try await encode(0..<5, session)
        let outcome = try await session.update { $0.averageBitRate = 500_000 }
        #expect(outcome == .restarted(formatMayChange: changesSets))
        #expect(try await session.update { $0.averageBitRate = 500_000 } == .unchanged)
        try await encode(5..<9, session)
        try await session.finish()
        #expect(try await frames.map { $0.accessUnit?.isSync } == (0..<9).map { $0 == 0 || $0 == 5 })
        let entries = backend.log.snapshot
        #expect(entries.opened.count == 1 && entries.updates.map(\.rate.control) == [.averageBitRate(500_000)])
        #expect(entries.pictures.filter(\.options.forceKeyFrame).map(\.id) == [5])
        #expect(session.effective.live.rate.control == .averageBitRate(500_000))
    }

    @Test(
        "an encoder that takes a frame rate with a key frame gets one for a rate that lasts, and none for a hint",
        arguments: [60, 15] as [Int32])
    func paceAtKeyFrame(rate: Int32) async throws {
        let backend = FakeBackend(updatesAtKeyFrames: true)
        let session = try session(backend) { $0.live.expectedFrameRate = 30 }
        async let frames = FakeStream.collect(session)
        try await encode(0..<10, session)
        #expect(try await session.update { $0.expectedFrameRate = 24 } == .applied)
        #expect(backend.log.snapshot.updates.map(\.pace) == [24])
        #expect(backend.log.snapshot.pictures.allSatisfy { !$0.options.forceKeyFrame })
        let start = 10 * rate / 30 + 1
        try await encode(Int(start)..<Int(start) + 100, rate: rate, session)
        try await session.finish()
        _ = try await frames
        let entries = backend.log.snapshot
        #expect(entries.opened.count == 1 && entries.updates.last?.pace == FrameRate(numerator: Int(rate)))
        #expect(entries.pictures.count(where: \.options.forceKeyFrame) == 1)
    }

    // MARK: - Key frames

    @Test(
        "key frames closer by, in frames or seconds, need no other encoder; further apart they do", arguments: [0, 2])
    func keyFrames(delay: Int) async throws {
        let backend = FakeBackend(delay: delay, updatesLive: false)
        let session = try session(backend) { $0.live.maxKeyFrameInterval = 1000 }
        async let frames = FakeStream.collect(session)
        try await encode(0..<10, session)
        #expect(try await session.update { $0.maxKeyFrameInterval = 3 } == .applied)
        try await encode(10..<20, session)
        #expect(
            try await session.update { live in
                live.maxKeyFrameInterval = 1000
                live.maxKeyFrameIntervalDuration = 0.2
            } == .applied)
        try await encode(20..<40, session)
        #expect(backend.log.snapshot.opened.count == 1)
        #expect(try await session.update { $0.maxKeyFrameInterval = 1001 } == .restarted(formatMayChange: true))
        try await session.finish()
        #expect(try await frames.count == 40)
        #expect(
            backend.log.snapshot.pictures.filter(\.options.forceKeyFrame).map(\.id) == [10, 13, 16, 19, 25, 31, 37])
        #expect(backend.log.snapshot.opened.map(\.live.asked.maxKeyFrameInterval) == [1000, 1001])
    }

    // MARK: - Frame rate

    @Test("a hint given later restarts nothing; where the presentation times follow it, they do")
    func laterHint() async throws {
        let backend = FakeBackend(updatesLive: false)
        let log = RecordingLog()
        let session = try session(backend, log) { $0.live.expectedFrameRate = 30 }
        async let frames = FakeStream.collect(session)
        try await encode(0..<10, session)
        #expect(try await session.update { $0.expectedFrameRate = 60 } == .applied)
        #expect(backend.log.snapshot.opened.count == 1)
        try await encode(21..<60, rate: 60, session)
        try await session.finish()
        _ = try await frames
        #expect(backend.log.snapshot.opened.map(\.plan.frameRate) == [30, 60])
        #expect(log.texts(.warning).isEmpty && !session.adjustments.contains { $0.setting == .expectedFrameRate })
    }

    @Test(
        "presentation times that contradict the hint are followed, listed and warned of once",
        arguments: [(60, 60), (15, 15), (1000, 1000)] as [(Int32, Int)], [true, false])
    func contradictedHint(times: (rate: Int32, measured: Int), isLive: Bool) async throws {
        let backend = FakeBackend(updatesLive: isLive)
        let log = RecordingLog()
        let session = try session(backend, log) { $0.live.expectedFrameRate = 24 }
        async let frames = FakeStream.collect(session)
        try await encode(0..<200, rate: times.rate, session)
        try await session.finish()
        #expect(try await frames.count == 200)
        let measured = FrameRate(numerator: times.measured)
        let entries = backend.log.snapshot
        if isLive {
            #expect(entries.updates.last?.pace == measured && entries.opened.map(\.plan.frameRate) == [24])
        } else {
            #expect(entries.opened.last?.plan.frameRate == measured && entries.opened.count == 2)
        }
        let listed = session.adjustments.filter { $0.setting == .expectedFrameRate }
        #expect(listed.map(\.used) == ["\(Double(times.measured)) frames per second"])
        #expect(log.texts(.warning).count == 1 && log.texts(.warning).first?.contains("24 frames per second") == true)
    }

    @Test(
        "where times contradict durations that agree with the hint, or with the first of them, bits are counted by durations",
        arguments: [30, nil] as [FrameRate?])
    func durationsDecide(hint: FrameRate?) async throws {
        let backend = FakeBackend(delay: 2)
        let log = RecordingLog()
        let session = try session(backend, log) { $0.live.expectedFrameRate = hint }
        async let frames = FakeStream.collect(session)
        let times = (0..<100).map { MediaTime(value: Int64($0), timescale: 1000) }
        for time in times {
            try await session.encode(FakeStream.picture(), at: time, duration: MediaTime(value: 1, timescale: 30))
        }
        try await session.finish()
        let events = try await frames
        #expect(events.map(\.presentationTime) == times)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(events.allSatisfy { $0.decodeTime <= $0.presentationTime })
        let entries = backend.log.snapshot
        #expect(entries.opened.count == 1 && entries.updates.isEmpty)
        let byDurations: [Int64] = (3..<100).map { (frame: Int64) -> Int64 in frame * 1000 / 30 }
        #expect(entries.pictures.map(\.ticks).suffix(97) == byDurations[...])
        let listed = session.adjustments.filter { $0.setting == .expectedFrameRate }
        #expect(listed.map(\.used) == ["30 frames per second by durations"])
        #expect(log.texts(.warning).count == 1)
    }

    @Test("a limit that is lowered is not broken by frames of before, which the encoder held")
    func loweredLimit() async throws {
        let session = try session(FakeBackend(delay: 5, firstSliceBytes: 5000)) {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
        }
        async let frames = FakeStream.collect(session)
        try await encode(0..<3, session)
        #expect(try await session.update { $0.dataRateLimits = [DataRateLimit(bytes: 4000, seconds: 1)] } == .applied)
        try await encode(3..<20, session)
        try await session.finish()
        #expect(try await frames.count == 20)
        #expect(!session.adjustments.contains { $0.setting == .dataRateLimits })
    }

    @Test("below a ceiling the encoder opened for another pace keeps the frame rate it signals, with the bits scaled")
    func ceilingKeepsRate() async throws {
        let backend = FakeBackend(updatesLive: false)
        let session = try session(backend) {
            $0.live.expectedFrameRate = 30
            $0.bitRateCeiling = 2_000_000
        }
        async let frames = FakeStream.collect(session)
        try await encode(0..<50, rate: 60, session)
        try await session.finish()
        _ = try await frames
        let opened = backend.log.snapshot.opened
        #expect(opened.map(\.plan.frameRate) == [30, 30] && Set(opened.map(\.plan.level)).count == 1)
        #expect(opened.last?.live.pace == 60)
        #expect(opened.last?.pacedRate.control == .averageBitRate(500_000))
    }

    @Test(
        "for less than a frame per second an encoder is opened for one, and told how few come",
        arguments: [true, false])
    func slowHint(isHint: Bool) async throws {
        let backend = FakeBackend(updatesLive: false)
        let session = try session(backend) { $0.live.expectedFrameRate = isHint ? FrameRate(0.1) : nil }
        async let frames = FakeStream.collect(session)
        for index in 0..<3 {
            try await session.encode(
                FakeStream.picture(), at: MediaTime(value: Int64(10 * index), timescale: 1),
                duration: isHint ? nil : MediaTime(value: 10, timescale: 1))
        }
        try await session.finish()
        _ = try await frames
        #expect(session.effective.inForce.live.expectedFrameRate?.framesPerSecond == 0.1)
        let opened = backend.log.snapshot.opened
        #expect(opened.map(\.plan.frameRate) == [1])
        #expect(opened.first?.live.pace?.framesPerSecond == 0.1)
        #expect(!session.adjustments.contains { $0.setting == .expectedFrameRate })
    }

    @Test(
        "a variable frame rate does not restart an encoder that counts pictures again and again, nor force key frames",
        arguments: 0..<4, [true, false])
    func variableRate(number: Int, isLive: Bool) async throws {
        let backend = FakeBackend(updatesLive: isLive, updatesAtKeyFrames: isLive)
        let session = try session(backend)
        async let frames = FakeStream.collect(session)
        var generator = SeededGenerator()
        var time: Int64 = 0
        for second in 0..<30 {
            let step: Int64 = second % 2 == 0 ? 33 : 16
            for _ in 0..<1000 / step {
                try await session.encode(FakeStream.picture(), at: MediaTime(value: time, timescale: 1000))
                time += step + Int64.random(in: -5...5, using: &generator)
            }
        }
        try await session.finish()
        _ = try await frames
        #expect(backend.log.snapshot.opened.count <= 10, "\(backend.log.snapshot.opened.map(\.plan.frameRate))")
        #expect(backend.log.snapshot.pictures.count(where: \.options.forceKeyFrame) <= 10)
    }

    @Test("a first time in coarse ticks opens a finer clock, and the times that follow reach the encoder apart")
    func coarseClock() async throws {
        let backend = FakeBackend()
        let session = try session(backend) { $0.live.expectedFrameRate = 30 }
        async let frames = FakeStream.collect(session)
        try await session.encode(FakeStream.picture(), at: MediaTime(value: 0, timescale: 30))
        for frame in 1..<20 {
            try await session.encode(FakeStream.picture(), at: MediaTime(value: Int64(frame), timescale: 120))
        }
        try await session.finish()
        #expect(try await frames.map(\.presentationTime.timescale).prefix(2) == [30, 120])
        let entries = backend.log.snapshot
        #expect(entries.opened.count == 2)
        let timescale = Int64(session.effective.plan.timescale)
        #expect(entries.pictures.dropFirst().map(\.ticks) == (1..<20).map { $0 * timescale / 120 })
    }
}

/// A change that takes another encoder, and whether that begins with half a buffer.
struct BufferRow: Sendable {
    let isHalf: Bool
    var begin: @Sendable (inout SessionConfiguration) -> Void = { _ in }
    let change: @Sendable (inout LiveSettings) -> Void

    private static let limit = DataRateLimit(bytes: 200_000, seconds: 1)

    static let rows = [
        BufferRow(isHalf: true) { $0.averageBitRate = 500_000 },
        BufferRow(isHalf: true) { $0.averageBitRate = 2_000_000 },
        BufferRow(isHalf: false) { $0.dataRateLimits = [limit] },
        BufferRow(isHalf: false, begin: { $0.live.dataRateLimits = [limit] }) { $0.averageBitRate = 500_000 },
        BufferRow(isHalf: false, begin: { $0.profileLevel.level = 31 }) { $0.averageBitRate = 500_000 },
        BufferRow(isHalf: false) { $0.variableBitRate = 500_000 },
    ]
}
