// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend

/// A profile and level, the settings a session starts with, and a change that libx264 could not follow.
struct RefusedUpdate: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let profileLevel: ProfileLevel
    let live: LiveSettings
    let change: @Sendable (inout LiveSettings) -> Void

    static let rows = [
        RefusedUpdate(
            testDescription: "lossless in High", profileLevel: ProfileLevel(profile: .h264High),
            live: LiveSettings(rateControl: .constantQuantizer(30))
        ) { $0.rateControl = .constantQuantizer(0) },
        RefusedUpdate(
            testDescription: "50 Mbit/s at level 1.1, live", profileLevel: ProfileLevel(profile: .h264High, level: 11),
            live: LiveSettings(rateControl: .averageBitRate(100_000))
        ) { $0.averageBitRate = 50_000_000 },
        RefusedUpdate(
            testDescription: "50 Mbit/s at level 1.1, restarting",
            profileLevel: ProfileLevel(profile: .h264High, level: 11),
            live: LiveSettings(rateControl: .quality(0.5))
        ) { $0.averageBitRate = 50_000_000 },
    ]
}

@Suite(.timeLimit(.minutes(1))) struct X264UpdateTests {
    private static let clip = TestClip.textures(width: 176, height: 144, count: 12)

    @Test("an update that cannot be is refused, and the session goes on as it was", arguments: RefusedUpdate.rows)
    func refused(row: RefusedUpdate) async throws {
        let updated = try await Self.encode(row, updatingAt: [0, 5, 9])
        let plain = try await Self.encode(row, updatingAt: [])
        #expect(updated.map(\.data) == plain.map(\.data))
        #expect(updated.filter(\.isSync).count == 1)
    }

    private static func encode(_ row: RefusedUpdate, updatingAt places: Set<Int>) async throws -> [AccessUnit] {
        var configuration = SessionConfiguration(codec: .h264, width: clip.width, height: clip.height)
        configuration.profileLevel = row.profileLevel
        configuration.threadCount = 1
        configuration.preset = "superfast"
        configuration.live = row.live
        let session = try CompressionSession(configuration, encoder: X264Backend())
        for index in clip.frames.indices {
            if places.contains(index) {
                await #expect(throws: EncoderError.self) { try await session.update(row.change) }
                #expect(session.effective.live.rate.control == row.live.rateControl)
            }
            try await session.encode(
                try clip.pixelBuffer(index, format: .i420), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        var units: [AccessUnit] = []
        for try await frame in session.encodedFrames { units.append(try #require(frame.accessUnit)) }
        return units
    }
}
