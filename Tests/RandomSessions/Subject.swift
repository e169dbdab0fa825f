// SPDX-License-Identifier: MIT

public import EncoderAPI

/// The encoder that sequences are tried on.
public enum Subject: Sendable {
    /// The pretended one, whose output the model predicts picture by picture.
    case pretended
    /// A real one, whose choices of key frames and order are its own; what it makes of each sequence is decoded.
    case real(any ImmediateBackend, VideoCodec, decode: @Sendable (VideoCodec, [EncodedFrame]) async throws -> Int)

    var isPretended: Bool { if case .pretended = self { true } else { false } }

    /// Whether the model predicts each picture, and when the encoder starts anew.
    func isPredicted(_ pretence: Pretence) -> Bool { isPretended && pretence.limits != .coarser }

    /// Whether there may be ten-bit pictures, and presets, slowest last.
    private var abilities: (hasDeepPictures: Bool, presets: [String]) {
        guard case .real(let backend, let codec, _) = self,
            let encoder = try? backend.listEncoders().first(where: { $0.codec == codec })
        else { return (true, []) }
        return (encoder.capabilities.bitDepths.contains(10), encoder.capabilities.presets)
    }

    /// The pretence without what the encoder cannot do.
    func possible(_ pretence: Pretence) -> Pretence {
        var possible = pretence
        if !abilities.hasDeepPictures { possible.isDeep = false }
        if bufferModel == nil { possible.statement = .nothing }
        return possible
    }

    /// What updates may ask for.
    var changes: [Operation.Change] {
        guard case .real(let backend, let codec, _) = self else { return Operation.Change.predicted }
        let encoder = try? backend.listEncoders().first { $0.codec == codec }
        let taken = encoder?.capabilities.settings ?? []
        return Operation.Change.allCases.filter { change in
            switch change {
            case .limit, .scarceLimit: taken.contains(.dataRateLimits)
            case .constantBitRate: taken.contains(.constantBitRate)
            default: true
            }
        }
    }

    /// Whether rate control leaves out no picture but for a limit, as libopenh264's may.
    var dropsForLimitsAlone: Bool {
        guard case .real(let backend, let codec, _) = self else { return false }
        let encoder = try? backend.listEncoders().first { $0.codec == codec }
        return encoder?.capabilities.takesQuantizers ?? false
    }

    /// The option by which a real encoder's parameter sets state a buffer model; nil where it has none.
    private var bufferModel: NativeOption? {
        guard case .real(let backend, _, _) = self else { return nil }
        return switch backend.identifier {
        case "x264": NativeOption("nal-hrd", "vbr")
        case "x265": NativeOption("hrd", "1")
        default: nil
        }
    }

    /// What takes the place of an average: a rate factor, or a quantizer where the encoder has no rate factor.
    func coarseMode(_ pretence: Pretence) -> RateControl {
        bufferModel == nil || pretence.statement == .nothing ? .constantQuantizer(30) : .constantRateFactor(30)
    }

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
        configuration.color = Operation.Color.usual.meaning
        configuration.allowFrameReordering = pretence.reorders
        configuration.maxFrameDelayCount = pretence.maxFrameDelayCount
        if pretence.keyFrameInterval > 0 {
            configuration.live.maxKeyFrameIntervalDuration =
                Double(pretence.keyFrameInterval) / Double(Operation.Frame.timescale)
        }
        switch self {
        case .pretended:
            configuration.framing = .lengthPrefixed(bytes: 2)
            // Without a rate to keep the session opens no other encoder because pictures come faster than expected.
            if pretence.isPaced {
                configuration.live.averageBitRate = 200_000
            } else {
                configuration.live.quality = 0.5
            }
            if pretence.limits != .never {
                Operation.Change.scarceLimit.apply(to: &configuration.live, coarse: coarseMode(pretence))
            }
        case .real:
            configuration.live.averageBitRate = 200_000
            configuration.framing = .annexB
            configuration.parameterSets = .everySyncFrame
            // Of x264 and x265: veryfast and ultrafast.
            configuration.preset = abilities.presets[pretence.reorders ? 2 : 0]
            configuration.realTime = pretence.delay == 0 && !pretence.reorders
            configuration.threadCount = 1 + pretence.delay % 2
            switch pretence.statement {
            case .nothing: break
            case .ceiling: configuration.bitRateCeiling = 1_000_000
            case .bufferModel:
                configuration.live.dataRateLimits = [DataRateLimit(bytes: 90_000, seconds: 1)]
                configuration.nativeOptions = bufferModel.map { [$0] } ?? []
            }
        }
        return configuration
    }
}
