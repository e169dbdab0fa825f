// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import FoundationEssentials
import OpenH264Backend
import ParameterSets
import RandomSessions
import TestSupport
import Testing
import X264Backend
import X265Backend

/// The sequences of `RandomSessions` over the libraries; ENCODERKIT_RANDOM_SEQUENCES says how many, 100 by default.
@Suite struct RandomLibrarySessionTests {
    private static let count =
        ProcessInfo.processInfo.environment["ENCODERKIT_RANDOM_SEQUENCES"].flatMap { Int($0) } ?? 100

    @Test(
        "every frame comes out once, in time, and decodes, and parameter sets change when a call was told",
        .inTurn(), .requiresLibAV, arguments: VideoCodec.allCases)
    func library(codec: VideoCodec) async {
        await run(codec == .h264 ? X264Backend() : X265Backend(), codec)
    }

    @Test(
        "with openh264 every frame comes out once, in time, and decodes", .inTurn(), .requiresLibAV,
        .requiresOpenH264)
    func openH264() async { await run(OpenH264Backend(), .h264) }

    /// The frames in parts, one for each change to or from an intra profile of H.264.
    ///
    /// A stream of such a profile says nothing of reordering, as it needs none; libavcodec, asked to be strict, then
    /// begins to hold pictures in the middle of the stream, and loses one.
    private static func apartFromIntraProfiles(_ frames: [EncodedFrame]) -> [[EncodedFrame]] {
        var parts: [[EncodedFrame]] = []
        var wasIntraOnly: Bool?
        for frame in frames {
            guard let format = frame.accessUnit?.format else { continue }
            let sps = format.codec == .h264 ? format.parameterSets.first.flatMap { try? H264SPS(nalUnit: $0) } : nil
            let isIntraOnly = sps?.profile.isIntraOnly ?? false
            if isIntraOnly != wasIntraOnly { parts.append([]) }
            wasIntraOnly = isIntraOnly
            parts[parts.count - 1].append(frame)
        }
        return parts
    }

    @Test("what went wrong once does not again", .requiresLibAV, arguments: failures.indices)
    func onceWrong(index: Int) async {
        let (codec, sequence) = Self.failures[index]
        let subject = codec == .h264 ? Self.subject(X264Backend(), codec) : Self.subject(X265Backend(), codec)
        let complaints = await RandomSessions.complaints(sequence, subject)
        #expect(complaints.isEmpty, "\(complaints)")
    }

    private static func sequence(
        _ codec: VideoCodec, _ operations: [Operation], _ change: (inout Pretence) -> Void
    ) -> (VideoCodec, OperationSequence) {
        var pretence = Pretence()
        pretence.isPaced = true
        change(&pretence)
        return (codec, OperationSequence(pretence, operations))
    }

    /// Sequences that were found by chance and made short.
    private static let failures: [(VideoCodec, OperationSequence)] = [
        // Frames inside had no limit any more once it was lifted.
        sequence(
            .h264,
            [.update(.scarceLimit), .encode(.init(40244))]
                + [40245, 40247, 40249].map { .encode(.init($0, force: true)) } + [.update(.scarceLimit)]
        ) { pretence in
            pretence.delay = 3
            pretence.isDeep = true
            pretence.maxFrameDelayCount = 3
        },
        // A coded frame that waited for another to be shown before it never left once a limit was lifted.
        sequence(
            .h264,
            [.encode(.init(3960, force: true)), .encode(.init(3970)), .encode(.init(3980))]
                + [.encode(.init(3990, force: true)), .update(.limit)]
                + [22518, 22519, 22521, 22522, 22523].map { .encode(.init($0)) }
                + [.encode(.init(22524, force: true)), .encode(.init(22525)), .encode(.init(22527))]
                + [.encode(.init(22529, force: true)), .update(.limit)]
        ) { $0.reorders = true },
        // One that refers to it left, and did not decode.
        sequence(
            .h264,
            [6175, 6195, 6215, 6235, 6255, 6310, 6331, 6372, 6420, 6451, 6526].map { .encode(.init($0)) }
                + [.update(.scarceLimit), .encode(.init(6547)), .encode(.init(6567)), .update(.limit)]
        ) { $0.reorders = true },
        // At 400 pictures a second a small limit was refused: libx265 counts it at the 30 that it was opened for.
        sequence(
            .hevc,
            [51, 53, 54, 56].map { .encode(.init($0)) } + [.encode(.init(58, force: true)), .encode(.init(59))]
                + [.encode(.init(61, force: true)), .update(.scarceLimit)]
        ) { pretence in
            pretence.maxFrameDelayCount = 2
            pretence.delivery = .queued
            pretence.statement = .ceiling
        },
        // A picture was dropped for a limit that was decoded before others that are shown before it; encoded again,
        // they had too few decode times left.
        sequence(
            .hevc,
            [.encode(.init(111)), .update(.scarceLimit)] + [131, 132, 133, 137, 139, 141].map { .encode(.init($0)) }
                + [.encode(.init(143, force: true))]
                + [163, 183, 277, 358, 401, 422, 760, 782, 845, 1028].map { .encode(.init($0)) } + [.update(.limit)]
        ) { pretence in
            pretence.reorders = true
            pretence.hasLowestTerms = true
        },
        // The same where the caller's thread, which refuses what cannot be, knows the pace.
        sequence(
            .hevc, [353, 355, 358, 359, 360, 361, 362, 363, 364].map { .encode(.init($0)) } + [.update(.scarceLimit)]
        ) { pretence in
            pretence.maxFrameDelayCount = 0
            pretence.hasLowestTerms = true
            pretence.keyFrameInterval = 25
            pretence.statement = .ceiling
        },
    ]

    private static func subject(_ backend: any ImmediateBackend, _ codec: VideoCodec) -> Subject {
        Subject.real(backend, codec) { codec, frames in
            var count = 0
            for part in apartFromIntraProfiles(frames) {
                count += try await LibAVReferenceDecoder().decode(EncodedStream(codec: codec, frames: part)).count
            }
            return count
        }
    }

    private func run(_ backend: any ImmediateBackend, _ codec: VideoCodec) async {
        let subject = Self.subject(backend, codec)
        var generator = SeededGenerator()
        for _ in 0..<Self.count {
            if let failure = await RandomSessions.failure(seed: generator.next(), subject) {
                Issue.record("\(failure)")
                return
            }
        }
    }
}
