// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Logging
import Synchronization
import TestSupport

/// What a back end may stop doing, or begin to do, late in a life or beside the stream.
enum LateLie: String, CaseIterable, Sendable {
    case forcesNothingAfterAnotherSize
    case forgetsColorAfterAnotherSize
    case turnsEntropyModeAfterAnotherSize
    case ignoresUpdatesFromTheThird
    case ignoresLimitsThatAloneChange
    case forgetsLimitsAfterAnotherSize
    case ignoresBoundsAfterTwoUpdates
    case writesTheLowestLevel
    case ignoresTheRatesOfLevels
    case damagesEvery150thPicture
    case tellsOneQuantizer
    case tellsDeeperOrder
    case tellsDeeperOrderLate
    case keepsPictures
    case keepsTheLastPicture
    case leaksThreads
    case leaksMemory
    case leaksOpenFiles
    case leaksThreadsWhenGivenUp
    case swapsChroma
    case tellsBPicturesAsP
    case closesSlowly
    case checksSlowly
    case forgetsProfileAfterAnotherSize
    case forgetsOrderAfterAnotherSize
    case coarserAfterAnotherSize
    case forgetsDelayLimitAfterAnotherSize
    case doublesRatesOfTenBits
    case ignoresQualityUpdates
    case ignoresSmallestQuantizersFromTheThird
    case writesIntoPictures
    case stallsLate
    case keepsTheProcessorBusy
    case changesTheFileMask
    case damagesLargePictures
    case fillsUpWithoutARate

    /// The scenario that must find it.
    var scenario: String {
        switch self {
        case .forcesNothingAfterAnotherSize: "late-key-frames"
        case .forgetsColorAfterAnotherSize, .turnsEntropyModeAfterAnotherSize: "late-headers"
        case .ignoresUpdatesFromTheThird: "late-bit-rates"
        case .ignoresLimitsThatAloneChange: "late-limits"
        case .forgetsLimitsAfterAnotherSize: "data-rate-limits-after-another-size"
        case .ignoresBoundsAfterTwoUpdates: "late-quantizers"
        case .writesTheLowestLevel: "automatic-level"
        case .ignoresTheRatesOfLevels: "level-rates"
        case .damagesEvery150thPicture: "late-pictures"
        case .tellsOneQuantizer: "average-quantizers"
        case .tellsDeeperOrder, .tellsDeeperOrderLate: "reorder-depth"
        case .keepsPictures, .keepsTheLastPicture: "held-pictures"
        case .leaksThreads, .leaksMemory, .leaksOpenFiles, .leaksThreadsWhenGivenUp: "leaks"
        case .swapsChroma: "fine-formats"
        case .tellsBPicturesAsP: "reordering"
        case .closesSlowly, .checksSlowly: "call-times"
        case .forgetsProfileAfterAnotherSize: "profiles-after-another-size"
        case .forgetsOrderAfterAnotherSize: "no-reordering-after-another-size"
        case .coarserAfterAnotherSize: "constant-quantizer-after-another-size"
        case .forgetsDelayLimitAfterAnotherSize: "frame-delay-after-another-size"
        case .doublesRatesOfTenBits: "average-bit-rate-in-ten-bits"
        case .ignoresQualityUpdates: "late-qualities"
        case .ignoresSmallestQuantizersFromTheThird: "late-smallest-quantizers"
        // Found in every scenario, since all watch the caller's pictures and filler data; `framing` is short.
        case .writesIntoPictures, .fillsUpWithoutARate: "framing"
        case .stallsLate: "steady-calls"
        case .keepsTheProcessorBusy: "resting-session"
        case .changesTheFileMask: "process-state"
        case .damagesLargePictures: "large-pictures"
        }
    }
}

/// A back end that does what another one does, but for one ``LateLie``.
struct LateLiar: ImmediateBackend {
    let honest: any ImmediateBackend
    let lie: LateLie
    private let past = Past()

    init(honest: any ImmediateBackend, lie: LateLie) {
        (self.honest, self.lie) = (honest, lie)
    }

    var identifier: String { honest.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try honest.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        if lie == .checksSlowly { usleep(700_000) }
        try honest.check(settings, for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let hasAnotherSize = past.hasAnotherSize(settings.request)
        var told = settings
        switch lie {
        case .forgetsColorAfterAnotherSize where hasAnotherSize:
            (told.request.color, told.request.pixelAspectRatio) = (nil, nil)
        case .turnsEntropyModeAfterAnotherSize where hasAnotherSize:
            told.request.h264EntropyMode = told.request.h264EntropyMode == .cavlc ? .cabac : .cavlc
        case .forgetsProfileAfterAnotherSize where hasAnotherSize: told.request.profileLevel.profile = nil
        case .forgetsOrderAfterAnotherSize where hasAnotherSize: told.plan.allowFrameReordering = true
        case .forgetsDelayLimitAfterAnotherSize where hasAnotherSize: told.request.maxFrameDelayCount = nil
        case .forgetsLimitsAfterAnotherSize where hasAnotherSize: told.live.rate.buffer = nil
        case .coarserAfterAnotherSize where hasAnotherSize:
            if case .constantQuantizer(let value) = told.live.rate.control {
                told.live.rate.control = .constantQuantizer(value + 8)
            }
        case .doublesRatesOfTenBits where told.picture.bitDepth == 10:
            if let rate = told.live.rate.control.bitsPerSecond { told.live.rate.control.bitsPerSecond = rate * 2 }
            told.live.rate.buffer?.peakBitsPerSecond *= 2
            told.live.rate.buffer?.bits *= 2
        case .ignoresTheRatesOfLevels: (told.plan.level, told.request.profileLevel.level) = (nil, nil)
        case .changesTheFileMask: umask(0o077)
        case .leaksThreads: Leak.thread()
        case .leaksMemory: Leak.memory()
        case .leaksOpenFiles: Leak.file()
        default: break
        }
        return LateLyingEncoder(
            try honest.makeEncoder(encoder, settings: told, logger: logger), settings, lie,
            hasAnotherSize: hasAnotherSize)
    }

    /// What encoders were opened for before.
    private final class Past: Sendable {
        private let last = Mutex<SessionConfiguration?>(nil)

        /// Whether the last encoder was opened for another size and the same wishes, as in mid-stream.
        func hasAnotherSize(_ request: SessionConfiguration) -> Bool {
            last.withLock { last in
                defer { last = request }
                guard var before = last, (before.width, before.height) != (request.width, request.height) else {
                    return false
                }
                (before.width, before.height, before.live) = (request.width, request.height, request.live)
                return before == request
            }
        }
    }
}

/// The open encoder of a ``LateLiar``.
private final class LateLyingEncoder: FrameEncoder {
    private let honest: any FrameEncoder
    private let lie: LateLie
    private let level: Int?
    private let hasAnotherSize: Bool
    private var live: LiveParameters
    private var updateCount = 0
    private var pictureCount = 0
    private var kept: [PixelBuffer] = []
    private var isFlushed = false
    private let busy: BusyThread?

    init(_ honest: any FrameEncoder, _ settings: ResolvedSettings, _ lie: LateLie, hasAnotherSize: Bool) {
        busy = lie == .keepsTheProcessorBusy ? BusyThread() : nil
        self.honest = honest
        self.lie = lie
        self.hasAnotherSize = hasAnotherSize
        level = settings.plan.level
        live = settings.live
    }

    deinit {
        busy?.stop()
        if lie == .closesSlowly { usleep(1_500_000) }
        if lie == .leaksThreadsWhenGivenUp, !isFlushed { Leak.thread() }
    }

    var reorderDepth: Int {
        let isDeeper = lie == .tellsDeeperOrder || (lie == .tellsDeeperOrderLate && pictureCount > 20)
        return honest.reorderDepth + (isDeeper && honest.reorderDepth > 0 ? 2 : 0)
    }
    var maximumDelay: Int { honest.maximumDelay }
    var adjustments: [Adjustment] { honest.adjustments }
    var parameterSets: [[UInt8]]? {
        get throws(EncoderError) { try honest.parameterSets?.map(changed) }
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        pictureCount += 1
        var options = picture.options
        switch lie {
        case .forcesNothingAfterAnotherSize where hasAnotherSize && pictureCount > 1: options.forceKeyFrame = false
        case .keepsPictures: kept.append(picture.pixelBuffer)
        case .keepsTheLastPicture: kept = [picture.pixelBuffer]
        case .stallsLate where pictureCount == 80: usleep(600_000)
        default: break
        }
        let pixels = try changed(picture.pixelBuffer)
        let told = SourcePicture(id: picture.id, pixelBuffer: pixels, ticks: picture.ticks, options: options)
        try honest.encode(told) { (output) throws(EncoderError) in try pass(output, to: emit) }
        guard lie == .writesIntoPictures, picture.pixelBuffer.kind == .memory else { return }
        let row = UnsafeMutableRawPointer(mutating: picture.pixelBuffer.unsafeAddress(plane: 0))
        row.storeBytes(of: row.load(as: UInt8.self) ^ 1, as: UInt8.self)
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        isFlushed = true
        return try honest.flush { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func update(_ next: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        updateCount += 1
        let isIgnored =
            switch lie {
            case .ignoresUpdatesFromTheThird: updateCount > 2
            case .ignoresLimitsThatAloneChange:
                next.rate.control == live.rate.control && next.rate.buffer != live.rate.buffer
                    && next.asked.maxAllowedFrameQP == live.asked.maxAllowedFrameQP
            case .ignoresBoundsAfterTwoUpdates:
                updateCount > 2 && next.asked.maxAllowedFrameQP != live.asked.maxAllowedFrameQP
            case .ignoresQualityUpdates: next.rate.control.setting == .quality
            case .ignoresSmallestQuantizersFromTheThird:
                updateCount > 2 && next.asked.minAllowedFrameQP != live.asked.minAllowedFrameQP
            default: false
            }
        live = next
        return isIgnored ? .fromNextPicture : try honest.update(next)
    }

    // MARK: - Output

    private func pass(_ output: borrowing EncoderOutput, to emit: EncoderOutput.Handler) throws(EncoderError) {
        switch output {
        case .coded(var picture):
            if lie == .tellsOneQuantizer { picture.averageQP = 30 }
            if lie == .tellsBPicturesAsP, picture.pictureType == .b { picture.pictureType = .p }
            var units = picture.nalUnits.map { changed(Array($0)) }
            if lie == .damagesEvery150thPicture, pictureCount % 150 == 149,
                let unit = units.lastIndex(where: { $0.count > 60 && $0[0] & 31 == 1 })
            {
                units[unit][units[unit].count / 2] ^= 0x10
            }
            if lie == .fillsUpWithoutARate { units.append([12] + [UInt8](repeating: 0xFF, count: 20) + [0x80]) }
            try withTransientUnits(units) { (buffers) throws(EncoderError) in
                picture.nalUnits = buffers
                try emit(.coded(picture))
            }
        case .dropped(let id, let reason): try emit(.dropped(id: id, reason: reason))
        }
    }

    /// An SPS of H.264 with another level in place of the one that the library chose.
    private func changed(_ unit: [UInt8]) -> [UInt8] {
        let written: Int? =
            switch lie {
            case .writesTheLowestLevel where level == nil: 10
            case .ignoresTheRatesOfLevels: level
            default: nil
            }
        guard let written, unit[0] & 31 == 7 else { return unit }
        var unit = unit
        unit[3] = UInt8(written)
        return unit
    }

    private func changed(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        guard picture.kind == .memory, picture.format.planeCount == 3 else { return picture }
        if lie == .swapsChroma { return try swapped(picture) }
        return lie == .damagesLargePictures && picture.height > 256 ? try cut(picture) : picture
    }

    /// A picture with Cb and Cr exchanged, in the same memory.
    private func swapped(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        let planes = [0, 2, 1].map { plane in
            PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(
                    start: picture.unsafeAddress(plane: plane),
                    count: picture.withPlane(plane) { bytes, _ in bytes.count }),
                bytesPerRow: picture.bytesPerRow(plane: plane))
        }
        return try PixelBuffer(wrapping: planes, format: picture.format, width: picture.width, height: picture.height) {
            withExtendedLifetime(picture) {}
        }
    }

    /// A copy with nothing below row 256.
    private func cut(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        var copy = try MutablePixelBuffer(format: picture.format, width: picture.width, height: picture.height)
        for plane in 0..<3 {
            let rows = plane == 0 ? 256 : 128
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            copy.withMutablePlane(plane) { target, targetStride in
                picture.withPlane(plane) { bytes, stride in
                    for row in 0..<rows {
                        let line = target[(row * targetStride)...].prefix(rowBytes)
                        UnsafeMutableRawBufferPointer(rebasing: line).copyBytes(
                            from: bytes[(row * stride)...].prefix(rowBytes))
                    }
                }
            }
        }
        return PixelBuffer(copy)
    }
}
