// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import ParameterSets
import Synchronization

/// An encoder in memory that behaves in every way, or in every way but one.
///
/// Its slices only name a picture in a ``PictureShelf``, where the decoder that goes with it finds it again.
struct ModelBackend: ImmediateBackend {
    /// One encoder for each.
    var codecs = [VideoCodec.h264]
    var flaw: ModelFlaw?
    /// Whether it skips every third frame at very low average bit rates, as rate control may.
    var skips = false
    let shelf: PictureShelf

    let identifier = "model"

    func listEncoders() -> [EncoderDescription] {
        codecs.map { codec in
            EncoderDescription(
                id: EncoderID(rawValue: "model.\(codec.rawValue)"), displayName: "model-\(codec.rawValue)",
                libraryVersion: "1", codec: codec, capabilities: capabilities(for: codec))
        }
    }

    private func capabilities(for codec: VideoCodec) -> EncoderCapabilities {
        var settings: Set<Setting> = [
            .averageBitRate, .constantBitRate, .variableBitRate, .vbvMaxBitRate, .vbvBufferDuration,
            .vbvInitialDelayPercentage, .dataRateLimits, .bitRateCeiling, .maxKeyFrameInterval,
            .maxKeyFrameIntervalDuration,
            .allowFrameReordering, .allowOpenGOP, .profileLevel, .maxFrameDelayCount, .expectedFrameRate, .quality,
            .constantQuantizer, .constantRateFactor, .minAllowedFrameQP, .maxAllowedFrameQP, .preset, .tune,
            .nativeOptions, .threadCount, .sourceFrameCount, .color, .pixelAspectRatio, .realTime, .forceKeyFrame,
        ]
        if codec == .h264 { settings.insert(.h264EntropyMode) }
        if flaw == .listsTheSessionsSettings { settings.insert(.framing) }
        if flaw == .listsUntriedSettings { settings.insert(Setting(rawValue: "Sharpness")) }
        var capabilities = EncoderCapabilities(
            profiles: codec == .h264 ? [.h264Baseline, .h264High, .h264High10] : [.hevcMain],
            bitDepths: codec == .h264 ? [8, 10] : [8], directPixelFormats: codec == .h264 ? [.i420, .i010] : [.i420],
            codedWidths: 16...4096, codedHeights: 16...4096, settings: settings,
            quantizers: 0...(flaw == .acceptsAnyQuantizer ? 2000 : 51))
        capabilities.presets = ["fast", "slow"]
        capabilities.tunes = ["grain", "psnr"]
        capabilities.constantRateFactors = 0...51
        return capabilities
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        try check(settings, for: encoder)
        try checkOptions(settings)
        logger.debug("the model opens")
        var settings = settings
        let first = shelf.firstSettings(settings)
        if flaw == .keepsFirstSize { settings.picture = first.picture }
        if flaw == .keepsFirstColor { settings.request.color = first.request.color }
        return ModelEncoder(settings, flaw: flaw, skips: skips || flaw?.isAboutSkipping == true, shelf: shelf)
    }

    /// The only native option.
    static let nativeOption = NativeOption("sharpness", "2")

    private func checkOptions(_ settings: ResolvedSettings) throws(EncoderError) {
        for option in settings.request.nativeOptions where option.name != Self.nativeOption.name {
            throw EncoderError(.invalidValue, reason: "no option \"\(option.name)\"", setting: .nativeOptions)
        }
    }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        if flaw != .refusesOptionsLate { try checkOptions(settings) }
        guard encoder.codec == .h264, let level = settings.plan.level else { return }
        let macroblocks = (settings.picture.codedWidth + 15) / 16 * ((settings.picture.codedHeight + 15) / 16)
        let most = H264Level(rawValue: level).limits?.macroblocksPerFrame ?? 0
        guard macroblocks <= most else {
            throw EncoderError(
                .conflictingSettings, reason: "\(macroblocks) macroblocks, expected \(most) or fewer",
                setting: .profileLevel)
        }
    }
}

/// Where model encoders put pictures and model decoders find them.
final class PictureShelf: Sendable {
    struct Entry: Sendable {
        let picture: PixelBuffer
        let width: Int
        let height: Int
    }

    private struct Shelf {
        var entries: [Int: Entry] = [:]
        var openEncoders = 0
        var leaked: [PixelBuffer] = []
        var firstSettings: ResolvedSettings?
    }

    private let shelf = Mutex(Shelf())

    var openEncoders: Int { shelf.withLock { $0.openEncoders } }

    /// What the first encoder was opened for, which is `settings` if none was before.
    func firstSettings(_ settings: ResolvedSettings) -> ResolvedSettings {
        shelf.withLock { shelf in
            let first = shelf.firstSettings ?? settings
            shelf.firstSettings = first
            return first
        }
    }

    func noteEncoder(_ change: Int) { shelf.withLock { $0.openEncoders += change } }

    func leak(_ picture: PixelBuffer) { shelf.withLock { $0.leaked.append(picture) } }

    /// Puts a copy of a picture away.
    ///
    /// - Returns: A number that is the same for the same picture: 28 bits.
    func put(_ source: PixelBuffer, width: Int, height: Int, darker: UInt8 = 0) -> Int {
        guard var copy = try? MutablePixelBuffer(format: source.format, width: source.width, height: source.height)
        else { return 0 }
        var hasher = Hasher()
        hasher.combine(width)
        hasher.combine(height)
        for plane in 0..<source.format.planeCount {
            let rowBytes = source.format.rowBytes(plane: plane, width: source.width)
            copy.withMutablePlane(plane) { target, targetStride in
                source.withPlane(plane) { bytes, sourceStride in
                    for row in 0..<source.format.rows(plane: plane, height: source.height) {
                        let start = row * sourceStride
                        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<start + rowBytes])
                        UnsafeMutableRawBufferPointer(rebasing: target[(row * targetStride)...]).copyMemory(from: line)
                        hasher.combine(bytes: line)
                    }
                    if plane == 0, darker > 0 {
                        for index in target.indices { target[index] = UInt8(max(0, Int(target[index]) - Int(darker))) }
                    }
                }
            }
        }
        let id = hasher.finalize() & 0xFFF_FFFF
        let entry = Entry(picture: PixelBuffer(copy), width: width, height: height)
        shelf.withLock { $0.entries[id] = entry }
        return id
    }

    func entry(_ id: Int) -> Entry? { shelf.withLock { $0.entries[id] } }
}
