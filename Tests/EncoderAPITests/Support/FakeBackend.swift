// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Logging
import Synchronization
import TestSupport

/// An encoder of a few lines whose behaviour a test chooses; its streams have real parameter sets and made-up slices.
struct FakeBackend: ImmediateBackend {
    /// Frames that go in before the first comes out.
    var delay = 0
    /// Codes each second frame after the one that follows it, unless reordering is forbidden.
    var reorders = false
    var sliceBytes = 20
    /// Bytes of the first slice; as the others unless set.
    var firstSliceBytes: Int?
    /// What draining waits for.
    var drainGate: Gate?
    var failsToOpen = false
    /// Opening any encoder but the first fails.
    var failsToReopen = false
    /// So does opening the second one, once.
    var failsToReopenOnce = false
    /// Asking an encoder for its parameter sets fails.
    var failsToTellSets = false
    /// Encoding this frame of an encoder fails.
    var failsAtFrame: Int?
    /// This frame is dropped.
    var dropsFrame: Int?
    var updatesLive = true
    /// Live changes that it makes take effect with a key frame.
    var updatesAtKeyFrames = false
    /// Whether samples above the bit depth do harm.
    var needsLegalSamples = true
    /// What an encoder of the fake says of its parameter sets before its first picture.
    var parameterSets: @Sendable (ResolvedSettings) -> [[UInt8]]? = { _ in nil }
    /// What the fake's check refuses.
    var refusal: @Sendable (ResolvedSettings) -> EncoderError? = { _ in nil }
    var forcesKeyFrames = true
    var directPixelFormats: Set<PixelFormat> = [.i420]
    var codedWidths = 16...4096
    /// Whether it has the settings that it leaves out otherwise.
    var hasAllSettings = false
    var hasNativeOptions = false
    /// Whether it codes a picture with the quantizer that the session asks for, 26 without: six steps halve its bytes.
    var takesQuantizers = false
    /// Bytes of a slice at a quantizer of 26, in place of ``sliceBytes``.
    var bytesOfPicture: (@Sendable (_ id: Int, _ isKey: Bool) -> Int)?
    let log = FakeLog()

    let identifier = "fake"

    func listEncoders() -> [EncoderDescription] { [encoder] }

    var encoder: EncoderDescription {
        EncoderDescription(
            id: "fake.h264", displayName: identifier, libraryVersion: "1", codec: .h264, capabilities: capabilities)
    }

    private var capabilities: EncoderCapabilities {
        var capabilities = EncoderCapabilities(
            profiles: [.h264Baseline, .h264High], bitDepths: [8, 10], directPixelFormats: directPixelFormats,
            codedWidths: codedWidths, codedHeights: 16...4096,
            settings: [
                .averageBitRate, .constantBitRate, .variableBitRate, .vbvMaxBitRate, .vbvBufferDuration,
                .vbvInitialDelayPercentage, .dataRateLimits, .maxKeyFrameInterval, .maxKeyFrameIntervalDuration,
                .allowFrameReordering, .profileLevel, .maxFrameDelayCount, .expectedFrameRate, .h264EntropyMode,
                .quality, .allowOpenGOP, .bitRateCeiling, .constantQuantizer, .preset,
            ], quantizers: 0...51)
        capabilities.presets = ["fast", "slow"]
        capabilities.needsLegalSamples = needsLegalSamples
        capabilities.leastBufferShare = 0.2
        capabilities.takesQuantizers = takesQuantizers
        if hasAllSettings {
            capabilities.settings.formUnion([
                .sourceFrameCount, .threadCount, .pixelAspectRatio, .color, .constantRateFactor, .minAllowedFrameQP,
                .maxAllowedFrameQP, .realTime, .forceKeyFrame,
            ])
        }
        if hasNativeOptions { capabilities.settings.insert(.nativeOptions) }
        if forcesKeyFrames { capabilities.settings.insert(.forceKeyFrame) }
        return capabilities
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let (opened, failed) = (log.snapshot.opened.count, log.snapshot.failedToOpen)
        if failsToOpen || failsToReopen && opened > 0 || failsToReopenOnce && opened == 1 && failed == 0 {
            log.note { $0.failedToOpen += 1 }
            throw EncoderError(.backendFailure, reason: "the fake does not open", status: 7)
        }
        log.note { $0.opened.append(settings) }
        return FakeEncoder(self, settings)
    }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        if let error = refusal(settings) { throw error }
    }
}

/// What tests ask about a fake afterwards.
final class FakeLog: Sendable {
    struct Entries: Sendable {
        var opened: [ResolvedSettings] = []
        /// Parameters that encoders went on with.
        var updates: [LiveParameters] = []
        /// Pictures that were given before each of them.
        var updatePositions: [Int] = []
        var closed = 0
        var failedToOpen = 0
        var pictures: [SourcePicture] = []
    }

    private let entries = Mutex(Entries())

    func note(_ change: (inout Entries) -> Void) { entries.withLock { change(&$0) } }

    var snapshot: Entries { entries.withLock { $0 } }
}

private final class FakeEncoder: FrameEncoder {
    private let backend: FakeBackend
    private var held: [SourcePicture] = []
    private var count = 0
    private var hasCoded = false

    private var sets: [[UInt8]]?
    private var settings: ResolvedSettings
    private let opened: LiveParameters

    init(_ backend: FakeBackend, _ settings: ResolvedSettings) {
        self.backend = backend
        self.settings = settings
        opened = settings.live
        sets = backend.parameterSets(settings)
    }

    var parameterSets: [[UInt8]]? {
        get throws(EncoderError) {
            if backend.failsToTellSets { throw EncoderError(.backendFailure, reason: "the fake tells no sets") }
            return sets
        }
    }

    deinit { backend.log.note { $0.closed += 1 } }

    private var reorders: Bool { backend.reorders && settings.request.allowFrameReordering != false }
    var reorderDepth: Int { reorders ? 1 : 0 }
    var maximumDelay: Int { backend.delay + reorderDepth }
    var adjustments: [Adjustment] {
        let average = if case .averageBitRate(let average) = settings.live.rate.control { average } else { 0 }
        let preset = Adjustment(.preset, requested: "none", used: "fake", reason: "there is no other")
        guard average % 1000 != 0 else { return [preset] }
        return [
            preset,
            Adjustment(
                .averageBitRate, requested: "\(average)", used: "\(average / 1000 * 1000) bit/s", reason: "it counts so"
            ),
        ]
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        if count == backend.failsAtFrame { throw EncoderError(.backendFailure, reason: "the fake failed") }
        backend.log.note { $0.pictures.append(picture) }
        count += 1
        held.append(picture)
        while held.count > backend.delay + reorderDepth { try output(emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        backend.drainGate?.wait()
        while !held.isEmpty { try output(emit) }
        return .ended
    }

    func update(_ live: LiveParameters) -> LiveParameters.Effect {
        guard backend.updatesLive || live.leavingIntervals(of: opened) == opened else { return .withAnotherEncoder }
        settings.live = live
        backend.log.note { log in
            log.updates.append(live)
            log.updatePositions.append(log.pictures.count)
        }
        sets = backend.parameterSets(settings)
        return backend.updatesAtKeyFrames ? .atNextKeyFrame : .fromNextPicture
    }

    private func output(
        _ emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        // Frames 1, 3, 5… are coded after the frame that follows them, if there is one and it is no key frame.
        let swaps =
            reorders && hasCoded && held.count > 1 && held[0].id % 2 == 1 && held[1].id == held[0].id + 1
            && !held[1].options.forceKeyFrame
        let picture = held.remove(at: swaps ? 1 : 0)
        if picture.id == backend.dropsFrame { return try emit(.dropped(id: picture.id, reason: .rateControl)) }
        let isKey = !hasCoded || picture.options.forceKeyFrame
        hasCoded = true
        let isB = reorders && picture.id % 2 == 1 && !isKey
        var units = isKey ? [FakeStream.sps, FakeStream.pps] : []
        let header: UInt8 = isKey ? 0x65 : (isB ? 0x01 : 0x41)
        units.append([header] + [UInt8](repeating: UInt8(picture.id & 0x7F | 1), count: sliceBytes(picture, isKey) - 1))
        try withTransientUnits(units) { (buffers) throws(EncoderError) in
            try emit(
                .coded(
                    CodedPicture(
                        id: picture.id, pictureType: isKey ? .i : (isB ? .b : .p), isReference: !isB,
                        averageQP: backend.takesQuantizers ? Double(picture.quantizer ?? 26) : nil,
                        nalUnits: buffers)))
        }
    }

    private func sliceBytes(_ picture: SourcePicture, _ isKey: Bool) -> Int {
        if let bytes = backend.bytesOfPicture?(picture.id, isKey) {
            return max(Int(Double(bytes) * exp2(Double(26 - (picture.quantizer ?? 26)) / 6)), 2)
        }
        return picture.id == 0 ? backend.firstSliceBytes ?? backend.sliceBytes : backend.sliceBytes
    }
}
