// SPDX-License-Identifier: MIT

public import EncoderAPI

/// The encoder that sequences are tried on.
public enum Subject: Sendable {
    /// The pretended one, whose output the model predicts picture by picture.
    case pretended
    /// A real one, whose choices of key frames and order are its own; what it makes of each sequence is decoded.
    case real(any ImmediateBackend, VideoCodec, decode: @Sendable (VideoCodec, [EncodedFrame]) async throws -> Int)

    var isPretended: Bool { if case .pretended = self { true } else { false } }

    func backend(_ pretence: Pretence) -> any ImmediateBackend {
        switch self {
        case .pretended: PretendedBackend(pretence)
        case .real(let backend, _, _): backend
        }
    }

    func configuration(_ pretence: Pretence) -> SessionConfiguration {
        let codec = if case .real(_, let codec, _) = self { codec } else { VideoCodec.h264 }
        let size = Operation.Size.usual.sides
        var configuration = SessionConfiguration(
            codec: codec, width: size.width, height: size.height, pixelFormat: pretence.isDeep ? .i010 : .i420)
        configuration.live.expectedFrameRate = 30
        configuration.allowFrameReordering = pretence.reorders
        configuration.maxFrameDelayCount = pretence.maxFrameDelayCount
        if pretence.keyFrameInterval > 0 {
            configuration.live.maxKeyFrameIntervalDuration =
                Double(pretence.keyFrameInterval) / Double(Operation.Frame.timescale)
        }
        switch self {
        case .pretended:
            configuration.framing = .lengthPrefixed(bytes: 2)
            // No rate to keep: the session opens no other encoder because pictures come faster than expected.
            configuration.live.quality = 0.5
        case .real:
            configuration.live.averageBitRate = 200_000
            configuration.framing = .annexB
            configuration.parameterSets = .everySyncFrame
            configuration.preset = pretence.reorders ? "veryfast" : "ultrafast"
            configuration.realTime = pretence.delay == 0 && !pretence.reorders
            configuration.threadCount = 1 + pretence.delay % 2
        }
        return configuration
    }
}
