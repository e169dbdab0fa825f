// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend

/// Fixed settings change between frames: what comes out decodes, on one timeline, and each part is as asked.
@Suite(.timeLimit(.minutes(1))) struct X264ReconfigureTests {
    private static let clip = TestClip.textures(width: 176, height: 144, count: 12)
    /// Changes in order, each before twelve frames, with what the parameter sets and pictures show then.
    private static let parts: [(change: @Sendable (inout SessionConfiguration) -> Void, profile: UInt8, hasB: Bool)] = [
        ({ $0.profileLevel = ProfileLevel(profile: .h264Baseline) }, 66, false),
        ({ $0.profileLevel = ProfileLevel(profile: .h264High) }, 100, true),
        ({ $0.allowFrameReordering = false }, 100, false), ({ $0.h264EntropyMode = .cavlc }, 100, false),
        (
            {
                $0.allowFrameReordering = nil
                $0.profileLevel = ProfileLevel(profile: .h264Main)
            }, 77, true
        ),
        ({ $0.realTime = true }, 77, false), ({ $0.preset = "veryfast" }, 77, false),
    ]

    @Test("each part has what it was asked for, and all frames decode in order", .requiresLibAV)
    func parts() async throws {
        let session = try CompressionSession(
            SessionConfiguration(codec: .h264, width: 176, height: 144), encoder: X264Backend())
        async let collected = Self.frames(of: session)
        var next = 0
        for part in Self.parts {
            try session.synchronous.reconfigure(part.change)
            for index in Self.clip.frames.indices {
                let time = MediaTime(value: Int64(next), timescale: 30)
                try await session.encode(try Self.clip.pixelBuffer(index, format: .i420), at: time)
                next += 1
            }
        }
        try await session.finish()
        let frames = try await collected
        #expect(frames.count == next)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(frames.allSatisfy { $0.decodeTime <= $0.presentationTime })
        for (index, part) in Self.parts.enumerated() {
            let times = (index * 12..<(index + 1) * 12).map { MediaTime(value: Int64($0), timescale: 30) }
            let units = frames.filter { times.contains($0.presentationTime) }.compactMap(\.accessUnit)
            #expect(units.count == 12 && units.first?.isSync == true, "part \(index)")
            #expect(units.first?.format.parameterSets.first?[1] == part.profile, "part \(index)")
            #expect(units.contains { $0.pictureType == .b } == part.hasB, "part \(index)")
        }
        let pictures = try await LibAVReferenceDecoder().decode(EncodedStream(codec: .h264, frames: frames))
        #expect(pictures.count == next)
    }

    private static func frames(of session: CompressionSession) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return frames
    }
}
