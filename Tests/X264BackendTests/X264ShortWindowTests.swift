// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend

@Suite struct X264ShortWindowTests {
    @Test(
        "a limit over a fifth of a second takes no more than the bucket that keeps it",
        .requiresMedia("clips/carphone_qcif_120f.y4m"), .requiresProgram(.x264), .requiresProgram(.ffmpeg))
    func bits() async throws {
        let clip = try TestClip(y4m: TestMedia.bytes("clips/carphone_qcif_120f.y4m"), frameLimit: 120)
        var configuration = SessionConfiguration(codec: .h264, width: clip.width, height: clip.height)
        configuration.preset = "veryfast"
        configuration.threadCount = 1
        configuration.live.expectedFrameRate = 30
        configuration.live.averageBitRate = 60_825
        configuration.live.maxKeyFrameInterval = 60
        configuration.live.dataRateLimits = [DataRateLimit(bytes: 2280, seconds: 0.2)]
        let session = try CompressionSession(configuration, encoder: X264Backend())
        async let ours = sizes(session)
        for index in clip.frames.indices {
            try await session.encode(try clip.pixelBuffer(index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        let theirs = try await X264Program.slices(
            of: clip,
            "--preset veryfast --threads 1 --keyint 60 --bitrate 50 --vbv-maxrate 50 --vbv-bufsize 8"
                .split(separator: " ").map(String.init), isContained: true
        ).map(\.count)
        // 41 and 135 bytes where the library's note of its version counts.
        #expect(try await ours.first ?? 0 > theirs[0] * 9 / 10)
        // A third where each is asked to leave room for two more of its size.
        let (sum, most) = (try await ours.reduce(0, +), theirs.reduce(0, +))
        #expect(sum > most * 9 / 10, "\(sum) bytes beside \(most)")
    }

    private func sizes(_ session: CompressionSession) async throws -> [Int] {
        var sizes: [Int] = []
        for try await frame in session.encodedFrames { sizes.append(frame.accessUnit?.data.count ?? 0) }
        return sizes
    }
}
