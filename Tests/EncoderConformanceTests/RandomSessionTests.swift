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
        .requiresLibAV, arguments: VideoCodec.allCases)
    func library(codec: VideoCodec) async {
        await run(codec == .h264 ? X264Backend() : X265Backend(), codec)
    }

    @Test(
        "with openh264 every frame comes out once, in time, and decodes", .requiresLibAV,
        .enabled(if: (try? OpenH264Backend().listEncoders()) != nil))
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

    private func run(_ backend: any ImmediateBackend, _ codec: VideoCodec) async {
        let subject = Subject.real(backend, codec) { codec, frames in
            var count = 0
            for part in Self.apartFromIntraProfiles(frames) {
                count += try await LibAVReferenceDecoder().decode(EncodedStream(codec: codec, frames: part)).count
            }
            return count
        }
        var generator = SeededGenerator()
        for _ in 0..<Self.count {
            if let failure = await RandomSessions.failure(seed: generator.next(), subject) {
                Issue.record("\(failure)")
                return
            }
        }
    }
}
