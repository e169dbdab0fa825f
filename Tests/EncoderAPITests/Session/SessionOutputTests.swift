// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import Testing

@Suite(.timeLimit(.minutes(1))) struct SessionOutputTests {
    private func session(
        _ backend: FakeBackend = FakeBackend(), _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> CompressionSession {
        try CompressionSession(FakeStream.configuration(change), encoder: backend)
    }

    @Test("the access unit holds the slices only, the format description the parameter sets")
    func outOfBand() async throws {
        let frames = try await FakeStream.run(session(), frames: 2)
        let first = try #require(frames[0].accessUnit)
        #expect(first.nalUnits == [4..<24])
        #expect(first.data.prefix(5) == [0, 0, 0, 20, 0x65])
        #expect(first.format.parameterSets == [FakeStream.sps, FakeStream.pps])
        #expect(first.format.annexB == AnnexB.join([FakeStream.sps, FakeStream.pps]))
        #expect(first.isSync && !first.dependsOnOthers)
        let second = try #require(frames[1].accessUnit)
        #expect(!second.isSync && second.dependsOnOthers && second.format == first.format)
    }

    @Test("a forced key frame is one exactly where asked", arguments: [0, 3])
    func forced(delay: Int) async throws {
        let frames = try await FakeStream.run(session(FakeBackend(delay: delay)), frames: 12) {
            FrameOptions(forceKeyFrame: $0 == 4 || $0 == 5)
        }
        #expect(frames.indices.filter { frames[$0].accessUnit?.isSync == true } == [0, 4, 5])
    }

    @Test("what goes with a frame reaches the encoder whole, with the session's key frames among those asked for")
    func options() async throws {
        let backend = FakeBackend()
        _ = try await FakeStream.run(session(backend) { $0.live.maxKeyFrameIntervalDuration = 0.1 }, frames: 8) {
            FrameOptions(forceKeyFrame: $0 == 4, token: $0)
        }
        let options = backend.log.snapshot.pictures.map(\.options)
        #expect(options.map { $0.token as? Int } == Array(0..<8))
        #expect(options.indices.filter { options[$0].forceKeyFrame } == [0, 3, 4, 7])
    }

    @Test("key frames are no further apart in time than asked, with a variable frame rate too")
    func duration() async throws {
        let session = try session { $0.live.maxKeyFrameIntervalDuration = 0.5 }
        async let collected = FakeStream.collect(session)
        let times = [0, 100, 200, 499, 500, 900, 1600, 1700, 2099, 2100]
        for time in times {
            try await session.encode(FakeStream.picture(), at: MediaTime(value: Int64(time), timescale: 1000))
        }
        try await session.finish()
        let syncs = try await collected.filter { $0.accessUnit?.isSync == true }.map(\.presentationTime.value)
        #expect(syncs == [0, 500, 1600, 2100])
    }

    @Test("parameter sets that their frame took down with it go out with the next")
    func owedSets() async throws {
        let session = try session(FakeBackend(firstSliceBytes: 300)) { configuration in
            configuration.parameterSets = .firstAndOnChange
            configuration.framing = .lengthPrefixed(bytes: 1)
        }
        let frames = try await FakeStream.run(session, frames: 3)
        #expect(frames.map { $0.accessUnit?.nalUnits.count } == [nil, 3, 1])
        #expect(frames[1].accessUnit?.isSync == true)
    }

    @Test("parameter sets travel in the stream as asked")
    func inBand() async throws {
        for (placement, expected) in [
            (ParameterSetPlacement.outOfBand, [1, 1, 1]), (.firstAndOnChange, [3, 1, 1]), (.everySyncFrame, [3, 1, 3]),
        ] {
            let session = try session { configuration in
                configuration.parameterSets = placement
                configuration.framing = .annexB
            }
            let frames = try await FakeStream.run(session, frames: 3) { FrameOptions(forceKeyFrame: $0 == 2) }
            #expect(frames.map { $0.accessUnit?.nalUnits.count } == expected)
            let unit = try #require(frames[0].accessUnit)
            #expect(
                unit.nalUnits.allSatisfy { unit.data[($0.lowerBound - 4)..<$0.lowerBound] == AnnexB.startCode[...] })
        }
    }

    @Test("a NAL unit too large for its length fails its frame by size; the next frame is a key frame")
    func tooLarge() async throws {
        let session = try session(FakeBackend(sliceBytes: 256)) { $0.framing = .lengthPrefixed(bytes: 1) }
        let frames = try await FakeStream.run(session, frames: 2)
        guard case .failed(let error)? = frames[0].dropReason else {
            Issue.record("\(frames[0].outcome)")
            return
        }
        #expect(error.code == .nalUnitTooLarge)
        #expect(error.reason.contains("256 bytes") && error.reason.contains("at most 255"))
        let fitting = try CompressionSession(
            FakeStream.configuration { $0.framing = .lengthPrefixed(bytes: 2) }, encoder: FakeBackend(sliceBytes: 256))
        let unit = try #require(try await FakeStream.run(fitting, frames: 1)[0].accessUnit)
        #expect(unit.data.prefix(2) == [1, 0] && unit.data.count == 258)
    }

    @Test("a frame that rate control leaves out is an event with its reason, and no key frame follows")
    func dropped() async throws {
        let frames = try await FakeStream.run(session(FakeBackend(dropsFrame: 2)), frames: 5)
        #expect(frames.map(\.dropReason) == [nil, nil, .rateControl, nil, nil])
        #expect(frames.map { $0.accessUnit?.isSync } == [true, false, nil, false, false])
    }

    @Test("live settings change without a key frame, or the encoder is opened anew with one", arguments: [true, false])
    func update(isLive: Bool) async throws {
        let backend = FakeBackend(delay: 3, updatesLive: isLive)
        let session = try session(backend) { $0.live.averageBitRate = 1_000_000 }
        async let collected = FakeStream.collect(session)
        for index in 0..<5 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        let outcome = try await session.update { $0.averageBitRate = 500_000 }
        #expect(outcome == (isLive ? .applied : .restarted(formatMayChange: true)))
        #expect(try await session.update { $0.averageBitRate = 500_000 } == .unchanged)
        let error = await #expect(throws: EncoderError.self) { try await session.update { $0.averageBitRate = -1 } }
        #expect(error?.setting == .averageBitRate)
        for index in 5..<8 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        try await session.finish()
        let frames = try await collected
        #expect(frames.map(\.decodeTime) == (0..<8).map(FakeStream.time))
        #expect(
            backend.log.snapshot.opened.map(\.live.rate.control).last == .averageBitRate(isLive ? 1_000_000 : 500_000))
        #expect(backend.log.snapshot.opened.count == (isLive ? 1 : 2))
    }

    @Test("frame rate and clock of the encoder come from the first frame when nothing else tells them")
    func clock() async throws {
        let backend = FakeBackend()
        let session = try session(backend)
        async let collected = FakeStream.collect(session)
        for value in [1000, 1040, 1041] {
            try await session.encode(
                FakeStream.picture(), at: MediaTime(value: Int64(value), timescale: 1000),
                duration: MediaTime(value: 40, timescale: 1000))
        }
        try await session.finish()
        _ = try await collected
        let opened = try #require(backend.log.snapshot.opened.first)
        #expect(opened.plan.timescale == 1000 && opened.plan.isFrameRateKnown)
        #expect(opened.plan.frameRate.framesPerSecond == 25)
        #expect(backend.log.snapshot.pictures.map(\.ticks) == [0, 40, 41])
        #expect(session.adjustments.map(\.used) == ["fake"])
    }
}
