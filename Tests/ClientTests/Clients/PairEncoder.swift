// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import X264Backend
import X265Backend

/// Two encoders on one picture: H.264 to send, HEVC to keep.
final class PairEncoder {
    let outputs: [VideoCodec: Output] = [.h264: Output(), .hevc: Output()]
    private let sessions: [CompressionSession]

    init(width: Int, height: Int) throws {
        sessions = try [VideoCodec.h264, .hevc].map { codec in
            var configuration = SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: .nv12)
            configuration.realTime = true
            configuration.preset = "ultrafast"
            configuration.live.averageBitRate = 1_500_000
            configuration.live.expectedFrameRate = 30
            let backend: any ImmediateBackend = codec == .h264 ? X264Backend() : X265Backend()
            return try CompressionSession(configuration, encoder: backend, logger: .silent)
        }
        for session in sessions {
            let output = outputs[session.configuration.codec]
            try session.deliver { output?.append($0) }
        }
    }

    func encode(_ picture: PixelBuffer, at time: MediaTime, forceKeyFrame: Bool) throws {
        for session in sessions {
            try session.synchronous.encode(picture, at: time, options: FrameOptions(forceKeyFrame: forceKeyFrame))
        }
    }

    func stop() throws {
        for session in sessions { try session.synchronous.finish() }
    }
}
