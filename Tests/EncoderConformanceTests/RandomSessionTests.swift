// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import FoundationEssentials
import RandomSessions
import TestSupport
import Testing
import X264Backend
import X265Backend

/// The sequences of `RandomSessions` over both libraries; ENCODERKIT_RANDOM_SEQUENCES says how many, 100 by default.
@Suite struct RandomLibrarySessionTests {
    private static let count =
        ProcessInfo.processInfo.environment["ENCODERKIT_RANDOM_SEQUENCES"].flatMap { Int($0) } ?? 100

    @Test(
        "every frame comes out once, in time, and decodes, whatever is done to a session", .requiresLibAV,
        arguments: VideoCodec.allCases)
    func library(codec: VideoCodec) async {
        let backend: any ImmediateBackend = codec == .h264 ? X264Backend() : X265Backend()
        let subject = Subject.real(backend, codec) { codec, frames in
            try await LibAVReferenceDecoder().decode(EncodedStream(codec: codec, frames: frames)).count
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
