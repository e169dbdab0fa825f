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
    case ignoresBoundsAfterTwoUpdates
    case writesTheLowestLevel
    case damagesEvery150thPicture
    case tellsOneQuantizer
    case tellsDeeperOrder
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

    /// The scenario that must find it.
    var scenario: String {
        switch self {
        case .forcesNothingAfterAnotherSize: "late-key-frames"
        case .forgetsColorAfterAnotherSize, .turnsEntropyModeAfterAnotherSize: "late-headers"
        case .ignoresUpdatesFromTheThird: "late-bit-rates"
        case .ignoresLimitsThatAloneChange: "late-limits"
        case .ignoresBoundsAfterTwoUpdates: "late-quantizers"
        case .writesTheLowestLevel: "automatic-level"
        case .damagesEvery150thPicture: "late-pictures"
        case .tellsOneQuantizer: "average-quantizers"
        case .tellsDeeperOrder: "reorder-depth"
        case .keepsPictures, .keepsTheLastPicture: "held-pictures"
        case .leaksThreads, .leaksMemory, .leaksOpenFiles, .leaksThreadsWhenGivenUp: "leaks"
        case .swapsChroma: "fine-formats"
        case .tellsBPicturesAsP: "reordering"
        case .closesSlowly, .checksSlowly: "call-times"
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
        case .leaksThreads: Leak.thread()
        case .leaksMemory: Leak.memory()
        case .leaksOpenFiles: Leak.file()
        default: break
        }
        return LateLyingEncoder(
            try honest.makeEncoder(encoder, settings: told, logger: logger), told, lie, hasAnotherSize: hasAnotherSize)
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
    private let hasLevel: Bool
    private let hasAnotherSize: Bool
    private var live: LiveParameters
    private var updateCount = 0
    private var pictureCount = 0
    private var kept: [PixelBuffer] = []
    private var isFlushed = false

    init(_ honest: any FrameEncoder, _ settings: ResolvedSettings, _ lie: LateLie, hasAnotherSize: Bool) {
        self.honest = honest
        self.lie = lie
        self.hasAnotherSize = hasAnotherSize
        hasLevel = settings.plan.level != nil
        live = settings.live
    }

    deinit {
        if lie == .closesSlowly { usleep(1_500_000) }
        if lie == .leaksThreadsWhenGivenUp, !isFlushed { Leak.thread() }
    }

    var reorderDepth: Int { honest.reorderDepth + (lie == .tellsDeeperOrder && honest.reorderDepth > 0 ? 2 : 0) }
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
        default: break
        }
        let pixels = lie == .swapsChroma ? try swapped(picture.pixelBuffer) : picture.pixelBuffer
        let told = SourcePicture(id: picture.id, pixelBuffer: pixels, ticks: picture.ticks, options: options)
        try honest.encode(told) { (output) throws(EncoderError) in try pass(output, to: emit) }
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
            try withTransientUnits(units) { (buffers) throws(EncoderError) in
                picture.nalUnits = buffers
                try emit(.coded(picture))
            }
        case .dropped(let id, let reason): try emit(.dropped(id: id, reason: reason))
        }
    }

    /// An SPS of H.264 with level 1.0 in place of the one that the library chose.
    private func changed(_ unit: [UInt8]) -> [UInt8] {
        guard lie == .writesTheLowestLevel, !hasLevel, unit[0] & 31 == 7 else { return unit }
        var unit = unit
        unit[3] = 10
        return unit
    }

    /// A picture of three planes with Cb and Cr exchanged, in the same memory.
    private func swapped(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        guard picture.kind == .memory, picture.format.planeCount == 3 else { return picture }
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
}
