// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import EncoderAPI

/// Settings that other calls leave fixed change between frames, together, with another encoder and the same timeline.
@Suite struct ReconfigureTests {
    private static func session(
        _ backend: FakeBackend, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> CompressionSession {
        try CompressionSession(FakeStream.configuration(change), encoder: backend)
    }

    private static func reconfigure(
        _ session: CompressionSession, _ change: (inout SessionConfiguration) -> Void
    ) async throws -> UpdateOutcome {
        let reply = Reply<UpdateOutcome>()
        try session.synchronous.reconfigure(change) { reply.answer($0) }
        return try await reply.valueUnlessCancelled
    }

    @Test("another profile takes another encoder, a key frame, and no other timeline")
    func profile() async throws {
        let backend = FakeBackend()
        let session = try Self.session(backend)
        async let frames = FakeStream.collect(session)
        let picture = try FakeStream.picture()
        for index in 0..<3 { try await session.encode(picture, at: FakeStream.time(index)) }
        let outcome = try await Self.reconfigure(session) { $0.profileLevel = ProfileLevel(profile: .h264Baseline) }
        #expect(outcome == .restarted(formatMayChange: true))
        #expect(session.value(of: .profileLevel) == "h264-baseline-auto")
        for index in 3..<6 { try await session.encode(picture, at: FakeStream.time(index)) }
        try await session.finish()
        let units = try await frames.compactMap(\.accessUnit)
        #expect(units.map(\.isSync) == [true, false, false, true, false, false])
        #expect(backend.log.snapshot.opened.map(\.request.profileLevel.profile) == [nil, .h264Baseline])
        #expect(backend.log.snapshot.pictures.map(\.ticks).enumerated().allSatisfy { $0.element == $0.offset })
    }

    @Test("decode times rise and pass no presentation time, whatever becomes of reordering")
    func reordering() async throws {
        let session = try Self.session(FakeBackend(reorders: true)) { $0.allowFrameReordering = false }
        async let frames = FakeStream.collect(session)
        let picture = try FakeStream.picture()
        for index in 0..<24 {
            if index % 6 == 0, index > 0 {
                let allows = index % 12 == 6
                #expect(
                    try await Self.reconfigure(session) { $0.allowFrameReordering = allows }
                        == .restarted(formatMayChange: true))
            }
            try await session.encode(picture, at: FakeStream.time(index))
        }
        try await session.finish()
        let collected = try await frames
        #expect(collected.count == 24 && collected.allSatisfy { $0.accessUnit != nil })
        #expect(collected.allSatisfy { $0.decodeTime <= $0.presentationTime })
        #expect(zip(collected, collected.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(collected.contains { $0.accessUnit?.pictureType == .b })
    }

    @Test("live settings alone go on with the open encoder; the same settings change nothing")
    func liveAlone() async throws {
        let backend = FakeBackend()
        let session = try Self.session(backend) { $0.live.averageBitRate = 100_000 }
        async let frames = FakeStream.collect(session)
        try await session.encode(try FakeStream.picture(), at: FakeStream.time(0))
        #expect(try await Self.reconfigure(session) { $0.live.averageBitRate = 200_000 } == .applied)
        #expect(try await Self.reconfigure(session) { $0.live.averageBitRate = 200_000 } == .unchanged)
        #expect(try await Self.reconfigure(session) { _ in } == .unchanged)
        try await session.finish()
        _ = try await frames
        #expect(backend.log.snapshot.opened.count == 1 && session.value(of: .averageBitRate) == "200000")
    }

    @Test("live and other settings of one change open one encoder")
    func oneEncoder() async throws {
        let backend = FakeBackend(updatesLive: false)
        let session = try Self.session(backend)
        async let frames = FakeStream.collect(session)
        let picture = try FakeStream.picture()
        try await session.encode(picture, at: FakeStream.time(0))
        _ = try await Self.reconfigure(session) {
            $0.live.averageBitRate = 300_000
            $0.profileLevel = ProfileLevel(profile: .h264High)
            $0.live.maxKeyFrameInterval = 7
        }
        try await session.encode(picture, at: FakeStream.time(1))
        try await session.finish()
        _ = try await frames
        let opened = backend.log.snapshot.opened.map(\.request)
        #expect(opened.count == 2 && opened.last?.profileLevel.profile == .h264High)
        #expect(opened.last?.live.averageBitRate == 300_000 && opened.last?.live.maxKeyFrameInterval == 7)
    }

    @Test("before an encoder is open a change costs none")
    func beforeOpening() async throws {
        let backend = FakeBackend()
        let session = try Self.session(backend)
        #expect(try await Self.reconfigure(session) { $0.h264EntropyMode = .cavlc } == .applied)
        _ = try await FakeStream.run(session, frames: 2)
        #expect(backend.log.snapshot.opened.map(\.request.h264EntropyMode) == [.cavlc])
    }

    @Test("frames inside are held as the newest setting says")
    func delay() async throws {
        let session = try Self.session(FakeBackend(delay: 3)) { $0.pipelineCapacity = 8 }
        async let frames = FakeStream.collect(session)
        let picture = try FakeStream.picture()
        for index in 0..<6 { try await session.encode(picture, at: FakeStream.time(index)) }
        _ = try await Self.reconfigure(session) { $0.maxFrameDelayCount = 3 }
        for index in 6..<20 {
            try await session.encode(picture, at: FakeStream.time(index))
            #expect(session.pendingFrameCount <= 3)
        }
        _ = try await Self.reconfigure(session) { $0.maxFrameDelayCount = nil }
        try await session.encode(picture, at: FakeStream.time(20))
        try await session.finish()
        #expect(try await frames.count == 21)
    }

    @Test("a setting that cannot be leaves all as it was, and a later change is made without it")
    func refused() async throws {
        let backend = FakeBackend(refusal: { settings in
            settings.request.h264EntropyMode == .cavlc ? EncoderError(.unsupported, reason: "no CAVLC") : nil
        })
        let session = try Self.session(backend)
        async let frames = FakeStream.collect(session)
        try await session.encode(try FakeStream.picture(), at: FakeStream.time(0))
        await #expect(throws: EncoderError.self) {
            try await Self.reconfigure(session) {
                $0.h264EntropyMode = .cavlc
                $0.live.averageBitRate = 100_000
            }
        }
        #expect(session.value(of: .averageBitRate) == nil)
        #expect(try await Self.reconfigure(session) { $0.live.averageBitRate = 200_000 } == .applied)
        try await session.finish()
        _ = try await frames
        #expect(backend.log.snapshot.opened.count == 1)
    }

    @Test("an encoder that does not open again leaves the settings before in force, and what is asked for follows them")
    func failedOpening() async throws {
        let session = try Self.session(FakeBackend(failsToReopen: true))
        async let frames = FakeStream.collect(session)
        try await session.encode(try FakeStream.picture(), at: FakeStream.time(0))
        await #expect(throws: EncoderError.self) {
            try await Self.reconfigure(session) { $0.profileLevel = ProfileLevel(profile: .h264Baseline) }
        }
        #expect(session.core.asked.profileLevel == .automatic && session.value(of: .profileLevel) == nil)
        session.invalidate()
        _ = try await frames
    }

    private static let changes: [(setting: Setting?, change: @Sendable (inout SessionConfiguration) -> Void)] = [
        (nil, { $0.codec = .hevc }), (nil, { $0.width = 160 }), (nil, { $0.pixelFormat = .nv12 }),
        (.framing, { $0.framing = .annexB }), (.framing, { $0.parameterSets = .everySyncFrame }),
        (.timescale, { $0.timescale = 1000 }), (.pipelineCapacity, { $0.pipelineCapacity = 3 }),
        (.color, { $0.color = .bt709 }),
    ]

    @Test(
        "what stays as long as a session is refused by name",
        arguments: changes.indices)
    func fixed(index: Int) async throws {
        let (setting, change) = Self.changes[index]
        let session = try Self.session(FakeBackend(hasAllSettings: true))
        let error = await #expect(throws: EncoderError.self) { try await Self.reconfigure(session, change) }
        #expect(error?.code == .unsupported && error?.setting == setting)
        #expect(session.core.asked == session.configuration)
    }

    @Test("changes from several threads at once are all made")
    func together() async throws {
        for _ in 0..<20 {
            let session = try Self.session(FakeBackend(hasAllSettings: true))
            try session.deliver { _ in }
            try await session.encode(try FakeStream.picture(), at: FakeStream.time(0))
            await withThrowingTaskGroup { group in
                group.addTask { _ = try await Self.reconfigure(session) { $0.preset = "fast" } }
                group.addTask { _ = try await Self.reconfigure(session) { $0.threadCount = 2 } }
                group.addTask { _ = try await session.update { $0.averageBitRate = 100_000 } }
                group.addTask { _ = try await session.changePictures(width: 160, height: 96) }
            }
            let now = session.effective.request
            #expect(now.preset == "fast" && now.threadCount == 2 && now.width == 160)
            #expect(now.live.averageBitRate == 100_000)
            try await session.finish()
        }
    }
}
