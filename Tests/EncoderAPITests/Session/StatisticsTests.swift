// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

/// Waits at a gate with each picture.
private struct WaitingTransfer: PixelTransfer {
    let gate: Gate

    func check(
        _ picture: PixelBuffer, format: PixelFormat, width: Int, height: Int, color: ColorDescription?
    ) throws(EncoderError) {}

    func transfer(_ picture: PixelBuffer, to target: inout MutablePixelBuffer) throws(EncoderError) {
        gate.wait()
        for plane in 0..<target.format.planeCount {
            target.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: 0) }
        }
    }
}

/// What a session tells of itself is what its frames show.
@Suite struct StatisticsTests {
    @Test("counts, bytes and costs are those of the frames that came out")
    func counts() async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(delay: 2, dropsFrame: 4))
        let empty = session.statistics
        #expect(empty.taken == 0 && empty.latency.count == 0 && empty.windowPeaks.isEmpty && empty.restarts.isEmpty)
        let frames = try await FakeStream.run(session, frames: 12) { FrameOptions(forceKeyFrame: $0 == 6) }
        let (told, units) = (session.statistics, frames.compactMap(\.accessUnit))
        #expect(told.taken == 12 && told.encoded == units.count && told.droppedByRateControl == 1 && told.failed == 0)
        #expect(told.syncFrames == units.count { $0.isSync } && told.bytes == units.reduce(0) { $0 + $1.data.count })
        let costs = frames.compactMap(\.cost)
        #expect(costs.count == 11 && frames.allSatisfy { ($0.cost == nil) == ($0.accessUnit == nil) })
        #expect(costs.allSatisfy { $0.latency >= $0.timeInEncoder && $0.timeInEncoder >= .zero })
        #expect(told.latency.count == 11 && told.latency.maximum == costs.map(\.latency).max())
        #expect(told.timeInEncoder.maximum == costs.map(\.timeInEncoder).max())
    }

    @Test("latency begins when a frame is taken, time in the encoder when it is given on")
    func waiting() async throws {
        let gate = Gate()
        let session = try CompressionSession(
            FakeStream.configuration { $0.pipelineCapacity = 2 },
            encoder: ScriptedBackend(encoding: { id in (id == 0 ? [.runs { gate.wait() }] : []) + [.coded(id)] }))
        let picture = try FakeStream.picture()
        #expect(try session.encodeImmediately(picture, at: FakeStream.time(0)))
        try await gate.arrived()
        var taken: [Bool] = []
        for index in 1..<6 { taken.append(try session.encodeImmediately(picture, at: FakeStream.time(index))) }
        #expect(taken == [true, true, false, false, false] && session.statistics.refused == 3)
        let before = FrameCost.now
        #expect(session.statistics.taken == 3 && session.statistics.encoded == 0)
        let waited = FrameCost.now - before
        gate.open()
        async let frames = FakeStream.collect(session)
        try await session.finish()
        let costs = try await frames.compactMap(\.cost)
        #expect(costs.count == 3)
        #expect(costs[0].timeInEncoder >= .nanoseconds(waited))
        #expect(costs.dropFirst().allSatisfy { $0.latency - $0.timeInEncoder >= .nanoseconds(waited) })
    }

    @Test("what a transfer takes is told of the frames that needed one, and is none of the encoder's time")
    func transfers() async throws {
        let gate = Gate()
        let transfer = WaitingTransfer(gate: gate)
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(), transfer: transfer)
        #expect(try session.encodeImmediately(try FakeStream.picture(), at: FakeStream.time(0)))
        #expect(try session.encodeImmediately(try FakeStream.picture(64, 48, .bgra), at: FakeStream.time(1)))
        try await gate.arrived()
        let before = FrameCost.now
        while FrameCost.now - before < 1_000_000 {}
        gate.open()
        async let frames = FakeStream.collect(session)
        try await session.finish()
        let costs = try await frames.compactMap(\.cost)
        #expect(costs.count == 2 && costs[0].timeInTransfer == .zero)
        #expect(costs[1].timeInTransfer >= .milliseconds(1))
        #expect(costs[1].latency >= costs[1].timeInTransfer + costs[1].timeInEncoder)
        let told = session.statistics.timeInTransfer
        #expect(told.count == 1 && told.maximum == costs[1].timeInTransfer)
    }

    @Test("a display of its own counts the costs of frames")
    func ownDistribution() {
        var own = DurationDistribution()
        #expect(own.count == 0 && own.percentile(50) == nil)
        for milliseconds in 1...100 { own.add(.milliseconds(milliseconds)) }
        #expect(own.count == 100 && own.maximum == .milliseconds(100) && own.mean == .microseconds(50_500))
        #expect(own.percentile(99).map { $0 >= .milliseconds(99) && $0 <= .milliseconds(100) } == true)
        var extreme = DurationDistribution()
        for duration in [Duration.seconds(-5), .seconds(Int64.max), .seconds(Int64.min), .seconds(40 * 3600)] {
            extreme.add(duration)
        }
        #expect(extreme.percentile(1) == .microseconds(1) || extreme.percentile(1) == .zero)
        #expect(extreme.maximum == .microseconds(1 << 36) && extreme.percentile(100) == extreme.maximum)
        #expect(extreme.mean.map { $0 > .zero } == true)
    }

    @Test("restarts are counted by their reason")
    func restarts() async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(delay: 1, updatesLive: false))
        try session.deliver { _ in }
        let picture = try FakeStream.picture()
        try await session.encode(picture, at: FakeStream.time(0))
        try await session.update { $0.averageBitRate = 100_000 }
        try await session.encode(picture, at: FakeStream.time(1))
        try await session.changePictures(width: 160, height: 96)
        try await session.encode(try FakeStream.picture(160, 96), at: FakeStream.time(2))
        try await session.complete()
        try await session.encode(try FakeStream.picture(160, 96), at: FakeStream.time(3))
        try await session.encode(
            try FakeStream.picture(160, 96), at: MediaTime(value: 1_000_001, timescale: 7_000_000))
        try await session.finish()
        #expect(session.statistics.restarts == [.settings: 1, .pictures: 1, .completion: 1, .clock: 1])
    }

    @Test("the fullest window of each limit is told, and begins anew with the limit")
    func windows() async throws {
        let limits = [DataRateLimit(bytes: 1300, seconds: 0.1), DataRateLimit(bytes: 100_000, seconds: 1)]
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.dataRateLimits = limits }, encoder: FakeBackend(sliceBytes: 400))
        let frames = try await FakeStream.run(session, frames: 30)
        let bytes = frames.compactMap { $0.accessUnit?.data.count }
        let most = (0..<28).map { bytes[$0..<$0 + 3].reduce(0, +) }.max() ?? 0
        let all = bytes.reduce(0, +)
        let peaks = session.statistics.windowPeaks
        #expect(peaks.map(\.bytes) == [most, all] && peaks.map(\.limit) == limits)
    }

    @Test("what comes out with the last frames is told as well", arguments: [0, 5, 40])
    func flushed(delay: Int) async throws {
        let limits = [DataRateLimit(bytes: 100_000, seconds: 1)]
        let session = try CompressionSession(
            FakeStream.configuration {
                $0.live = LiveSettings(
                    rateControl: .averageBitRate(50_000), dataRateLimits: limits, expectedFrameRate: 30)
            }, encoder: FakeBackend(delay: delay))
        let frames = try await FakeStream.run(session, frames: 30)
        let all = frames.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) }
        #expect(session.statistics.windowPeaks.map(\.bytes) == [all])
        #expect(session.statistics.bitRate?.bytes == all && session.statistics.bitRate?.seconds == 1)
    }

    // MARK: - Bit rates

    @Test(
        "a bit rate is told beside what came, with dropped frames in its time",
        arguments: [RateControl.averageBitRate(20_000), .constantBitRate(20_000), .variableBitRate(20_000)])
    func bitRate(control: RateControl) async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live = LiveSettings(rateControl: control, expectedFrameRate: 30) },
            encoder: FakeBackend(delay: 2, reorders: true, sliceBytes: 96, dropsFrame: 29))
        #expect(session.statistics.bitRate == nil)
        let frames = try await FakeStream.run(session, frames: 30)
        let told = try #require(session.statistics.bitRate)
        #expect(told.asked == 20_000 && told.bytes == frames.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) })
        #expect(told.seconds == 1 && told.bitsPerSecond == Double(told.bytes * 8))
        #expect(told.deviation.map { abs($0 - (Double(told.bytes * 8) / 20_000 - 1)) < 1e-9 } == true)
    }

    @Test("modes without a rate have none to tell", arguments: [RateControl.automatic, .quality(0.5)])
    func noBitRate(control: RateControl) async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.rateControl = control }, encoder: FakeBackend())
        _ = try await FakeStream.run(session, frames: 3)
        #expect(session.statistics.encoded == 3 && session.statistics.bitRate == nil)
    }

    @Test("another bit rate is measured from the frames that are given under it", arguments: [true, false])
    func changedBitRate(updatesLive: Bool) async throws {
        let session = try CompressionSession(
            FakeStream.configuration {
                $0.live = LiveSettings(rateControl: .averageBitRate(20_000), expectedFrameRate: 30)
            }, encoder: FakeBackend(delay: 4, updatesLive: updatesLive))
        let picture = try FakeStream.picture()
        async let collected = FakeStream.collect(session)
        for index in 0..<60 {
            if index == 15 { try await session.update { $0.maxKeyFrameInterval = 50 } }
            if index == 30 { try await session.update { $0.averageBitRate = 10_000 } }
            try await session.encode(picture, at: FakeStream.time(index))
        }
        try await session.finish()
        let frames = try await collected.filter { $0.presentationTime >= FakeStream.time(30) }
        let told = try #require(session.statistics.bitRate)
        #expect(told.asked == 10_000 && told.seconds == 1)
        #expect(told.bytes == frames.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) })
    }

    @Test("one long duration in a stream is not counted behind the frames that follow it")
    func longDuration() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live = LiveSettings(rateControl: .averageBitRate(20_000)) },
            encoder: FakeBackend(delay: 2, reorders: true))
        let picture = try FakeStream.picture()
        async let collected = FakeStream.collect(session)
        for index in 0..<30 {
            let duration = MediaTime(value: index == 7 ? 300 : 1, timescale: 30)
            try await session.encode(picture, at: FakeStream.time(index), duration: duration)
        }
        try await session.finish()
        _ = try await collected
        #expect(session.statistics.bitRate?.seconds == 1)
    }

    @Test("a bit rate is measured by durations where times would make frames overlap")
    func bitRateByDurations() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live = LiveSettings(rateControl: .averageBitRate(20_000)) },
            encoder: FakeBackend())
        let picture = try FakeStream.picture()
        async let collected = FakeStream.collect(session)
        for index in 0..<90 {
            try await session.encode(
                picture, at: MediaTime(value: Int64(index), timescale: 1000),
                duration: MediaTime(value: 1, timescale: 30))
        }
        try await session.finish()
        _ = try await collected
        let seconds = try #require(session.statistics.bitRate?.seconds)
        #expect(abs(seconds - 3) < 0.1, "\(seconds)")
    }
}
