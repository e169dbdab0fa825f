// SPDX-License-Identifier: MIT

import DequeModule
package import EncoderAPI
import Glibc
package import Logging
import Synchronization

/// Puts a ``PretendedCoder`` behind a session: a picture's first samples say which it is and what becomes of it.
package final class PretendedBackend: ImmediateBackend {
    package let identifier: String
    private let pretence: Pretence
    private let encoder: EncoderDescription
    private let observe: @Sendable (DeviceEvent) -> Void
    private let openings = Atomic(0)
    /// Pictures that came out on their own time, of all encoders.
    private let collected = Counter()

    /// A number that several encoders share.
    final class Counter: Sendable {
        private let number = Atomic(0)

        /// The number before, and one more from now on.
        func next() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }

        var value: Int { number.load(ordering: .relaxed) }
    }

    /// What an encoder is told, on the session's thread.
    package enum DeviceEvent: Sendable {
        case opened(ResolvedSettings)
        case updated(LiveParameters)
        case given(PixelBuffer)
    }

    /// Makes a device with one encoder.
    ///
    /// - Parameters:
    ///   - pretence: What the encoder is like.
    ///   - identifier: The back end's, and the start of the encoder's.
    ///   - settings: What the encoder takes besides what all sequences ask for.
    ///   - observe: Told of each call that an encoder gets.
    package init(
        _ pretence: Pretence, identifier: String = "pretended", settings: Set<Setting> = [],
        observe: @escaping @Sendable (DeviceEvent) -> Void = { _ in }
    ) {
        (self.pretence, self.identifier, self.observe) = (pretence, identifier, observe)
        var encoder = Self.encoder(identifier, settings.union(pretence.limits == .never ? [] : [.dataRateLimits]))
        encoder.capabilities.takesQuantizers = pretence.limits == .coarser
        self.encoder = encoder
    }

    package func listEncoders() -> [EncoderDescription] { [encoder] }

    package func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let number = openings.wrappingAdd(1, ordering: .relaxed).oldValue
        if number == pretence.failingOpening { throw Self.openingFailure }
        observe(.opened(settings))
        return PretendedEncoder(pretence, settings, collected: collected, observe: observe)
    }

    package func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) {}

    static let openingFailure = EncoderError(.backendFailure, reason: "the pretended encoder does not open", status: 1)
    static let encodingFailure = EncoderError(.backendFailure, reason: "the pretended encoder gave up", status: 2)
    static let deviceLoss = EncoderError(.backendFailure, reason: "the pretended device is gone", status: 4)
    static let drainingFailure = EncoderError(.backendFailure, reason: "the pretended encoder keeps all", status: 3)

    private static func encoder(_ identifier: String, _ settings: Set<Setting>) -> EncoderDescription {
        EncoderDescription(
            id: EncoderID(rawValue: "\(identifier).h264"), displayName: identifier, libraryVersion: "1", codec: .h264,
            capabilities: EncoderCapabilities(
                profiles: [.h264High, .h264High10], bitDepths: [8, 10], directPixelFormats: [.i420, .i010],
                codedWidths: 16...4096, codedHeights: 16...4096,
                settings: settings.union([
                    .averageBitRate, .quality, .maxKeyFrameIntervalDuration, .allowFrameReordering,
                    .maxFrameDelayCount, .expectedFrameRate, .forceKeyFrame, .color,
                ]), quantizers: 0...PretendedSizes.coarsest))
    }
}

private final class PretendedEncoder: FrameEncoder {
    private let pretence: Pretence
    private let collected: PretendedBackend.Counter
    private let observe: @Sendable (PretendedBackend.DeviceEvent) -> Void
    private var coder: PretendedCoder
    /// By the pictures' numbers: their ids, the parameter sets they are coded for, and their quantizers.
    private var inside: [Int: (id: Int, sets: [[UInt8]], quantizer: Int)] = [:]
    private var settings: ResolvedSettings
    private var sets: [[UInt8]]
    /// What comes out on its own time.
    private var underWay: Deque<(picture: PretendedCoder.Picture, isB: Bool)> = []
    /// Calls of ``collect(until:emit:)``.
    private var calls = 0

    init(
        _ pretence: Pretence, _ settings: ResolvedSettings, collected: PretendedBackend.Counter,
        observe: @escaping @Sendable (PretendedBackend.DeviceEvent) -> Void
    ) {
        self.observe = observe
        self.pretence = pretence
        self.settings = settings
        sets = pretence.isPaced ? PretendedStream.sets(for: settings) : PretendedStream.sets(settings.request.color)
        self.collected = collected
        coder = PretendedCoder(pretence)
    }

    var parameterSets: [[UInt8]]? { pretence.isPaced ? sets : nil }
    var reorderDepth: Int { pretence.reorders ? 1 : 0 }
    var maximumDelay: Int { pretence.delay + reorderDepth }
    var depth: Int { max(pretence.depth, 1) }
    var inFlight: Int { underWay.count }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        observe(.given(picture.pixelBuffer))
        let (token, fate) = Pictures.marks(of: picture.pixelBuffer)
        if fate == .failing { throw PretendedBackend.encodingFailure }
        inside[token] = (picture.id, sets, picture.quantizer ?? PretendedSizes.usual)
        try giveOut(coder.take(token, fate, force: picture.options.forceKeyFrame), emit)
    }

    /// Short where nothing will come, so that a busy machine changes nothing about the rest.
    var patience: Duration { isLate ? .milliseconds(2) : .seconds(10) }

    private var isLate: Bool { pretence.losesLate && collected.value == pretence.losingOutput }

    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {
        if isLate {
            while ContinuousClock.now < deadline { sched_yield() }
            return
        }
        calls += 1
        // Now and then none is ready yet, or more than one.
        for _ in 0..<min(calls % 3, underWay.count) where !isLate {
            guard collected.next() != pretence.losingOutput else { throw PretendedBackend.deviceLoss }
            try write(underWay.removeFirst(), emit)
        }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        if pretence.failsToDrain { throw PretendedBackend.drainingFailure }
        try giveOut(coder.drain(), emit)
        return pretence.outlivesDraining ? .goesOn : .ended
    }

    func update(_ live: LiveParameters) -> LiveParameters.Effect {
        observe(.updated(live))
        guard pretence.updatesLive else { return .withAnotherEncoder }
        guard pretence.updatesWithKeyFrame else { return .fromNextPicture }
        settings.live = live
        if pretence.isPaced { sets = PretendedStream.sets(for: settings) }
        return .atNextKeyFrame
    }

    private func giveOut(
        _ output: [(picture: PretendedCoder.Picture, isB: Bool)], _ emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        guard pretence.depth == 0 else { return underWay.append(contentsOf: output) }
        for one in output { try write(one, emit) }
    }

    private func write(
        _ output: (picture: PretendedCoder.Picture, isB: Bool), _ emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        let (picture, isB) = output
        guard let (id, sets, quantizer) = inside.removeValue(forKey: picture.token) else { return }
        if picture.fate == .skipped { return try emit(.dropped(id: id, reason: .rateControl)) }
        let hasSize = pretence.limits != .never
        var bytes = PretendedStream.slice(
            picture.token, isKey: picture.isKey, isB: isB,
            byteCount: hasSize ? PretendedSizes.slice(picture.token, isKey: picture.isKey, at: quantizer) : 3)
        if picture.fate == .tooLarge { bytes += PretendedStream.filling }
        try (picture.isKey ? sets : []).withBuffers(and: bytes) { (units) throws(EncoderError) in
            try emit(
                .coded(
                    CodedPicture(
                        id: id, pictureType: picture.isKey ? .i : (isB ? .b : .p), isReference: !isB,
                        averageQP: hasSize ? Double(quantizer) : nil, nalUnits: units)))
        }
    }
}

extension [[UInt8]] {
    /// Runs `body` with the arrays, and one more behind them, in memory.
    fileprivate func withBuffers(
        and last: [UInt8], _ body: ([UnsafeRawBufferPointer]) throws(EncoderError) -> Void
    ) throws(EncoderError) {
        let units = self + [last]
        let result = units.flatMap { $0 }.withUnsafeBytes { bytes in
            var buffers: [UnsafeRawBufferPointer] = []
            var offset = 0
            for unit in units {
                buffers.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + unit.count]))
                offset += unit.count
            }
            return Result { () throws(EncoderError) in try body(buffers) }
        }
        try result.get()
    }
}
