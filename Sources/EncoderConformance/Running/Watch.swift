// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import Synchronization

/// What was seen of the encoders that a scenario's sessions opened, at the seam between session and back end.
final class Watch: Sendable {
    /// What an open encoder said of itself.
    struct Opened: Sendable {
        let settings: ResolvedSettings
        let maximumDelay: Int
        let reorderDepth: Int
        let adjustments: [Adjustment]
    }

    /// A call whose duration is noted.
    enum Call: Sendable {
        /// `check(_:for:)`.
        case checking
        /// `makeEncoder(_:settings:logger:)`.
        case opening
        /// All calls of one encoder that take pictures or give frames, together.
        case encoding
        /// One call that takes a picture.
        case encodingOne
        /// `deinit` of an encoder.
        case closing
    }

    private struct Notes {
        var findings: Findings
        var opened: [Opened] = []
        var times: [Call: [Duration]] = [:]
        var hasStartCodes = false
    }

    private let notes: Mutex<Notes>
    /// Counts the calls that encoders returned from, and what came out of them.
    let progress = Progress()
    /// What a call that waits for nothing may take on a busy machine.
    let slack: Duration

    /// Watches a scenario whose calls may take `patience` seconds.
    init(scenario: String, patience: Double, limit: FindingLimit) {
        slack = .seconds(patience / 10)
        notes = Mutex(Notes(findings: Findings(scenario: scenario, limit: limit)))
    }

    /// The encoders opened so far, in order.
    var opened: [Opened] { notes.withLock { $0.opened } }

    /// What the encoders did that no encoder may do.
    var findings: [Finding] { notes.withLock { $0.findings.all } }

    /// How long each call of a kind took, in order.
    func times(_ call: Call) -> [Duration] { notes.withLock { $0.times[call] ?? [] } }

    /// Notes how long a call took.
    func note(_ call: Call, _ time: Duration) {
        progress.step()
        notes.withLock { $0.times[call, default: []].append(time) }
    }

    /// Notes an encoder that was opened.
    func note(_ encoder: Opened) { notes.withLock { $0.opened.append(encoder) } }

    /// Notes a breach of the contract.
    func note(_ expected: String, seen: String) { notes.withLock { $0.findings.note(expected, seen: seen) } }

    /// Says once that start codes were left in, which explains whatever else is found.
    func noteStartCode() {
        notes.withLock { notes in
            guard !notes.hasStartCodes else { return }
            notes.hasStartCodes = true
            notes.findings.note(
                "NAL units without start codes, which the session writes", seen: "these units begin with a start code")
        }
    }
}

/// Passes everything on between a session and a back end, and watches it.
struct WatchedBackend: EncoderBackend {
    let backend: any EncoderBackend
    let watch: Watch

    var identifier: String { backend.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try backend.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        let start = ContinuousClock.now
        try backend.check(settings, for: encoder)
        watch.note(.checking, ContinuousClock.now - start)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let start = ContinuousClock.now
        let open = try backend.makeEncoder(encoder, settings: settings, logger: logger)
        watch.note(.opening, ContinuousClock.now - start)
        watch.note(
            Watch.Opened(
                settings: settings, maximumDelay: open.maximumDelay, reorderDepth: open.reorderDepth,
                adjustments: open.adjustments))
        return WatchedEncoder(open, settings, watch: watch)
    }
}

/// Holds an open encoder to the contract of `FrameEncoder`.
private final class WatchedEncoder: FrameEncoder {
    /// The encoder that is watched; let go of in `deinit` alone.
    private var watched: (any FrameEncoder)?
    private let codec: VideoCodec
    private let watch: Watch
    /// What it said of its order when it was opened.
    private let reorderDepthAtOpening: Int
    /// Whether filler data may come: only a constant bit rate has it, and pictures that are inside when it ends.
    private var mayFill: Bool
    /// Whether there was a rate or a limit, for which a picture that was given under it may be left out.
    private var mayDrop: Bool
    /// What the calls that take pictures or give frames took.
    private var encodingTime = Duration.zero
    /// The ids given that did not come out.
    private var inside: Set<Int> = []
    private var isFirst = true

    init(_ encoder: any FrameEncoder, _ settings: ResolvedSettings, watch: Watch) {
        watched = encoder
        codec = settings.request.codec
        reorderDepthAtOpening = encoder.reorderDepth
        mayFill = settings.live.rate.control.setting == .constantBitRate
        mayDrop = settings.live.bindsRate
        self.watch = watch
    }

    deinit {
        watch.note(.encoding, encodingTime)
        let start = ContinuousClock.now
        watched = nil
        watch.note(.closing, ContinuousClock.now - start)
    }

    private var encoder: any FrameEncoder {
        guard let watched else { preconditionFailure("an encoder was called while it was closed") }
        return watched
    }

    var reorderDepth: Int { encoder.reorderDepth }
    var maximumDelay: Int { encoder.maximumDelay }
    var adjustments: [Adjustment] { encoder.adjustments }
    var parameterSets: [[UInt8]]? { get throws(EncoderError) { try encoder.parameterSets } }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        inside.insert(picture.id)
        let samples = picture.pixelBuffer.checksum
        let start = ContinuousClock.now
        defer {
            let time = ContinuousClock.now - start
            encodingTime += time
            watch.note(.encodingOne, time)
        }
        try encoder.encode(picture) { (output) throws(EncoderError) in try pass(output, to: emit) }
        if picture.pixelBuffer.checksum != samples {
            watch.note("the caller's picture as it was given", seen: "other samples in picture \(picture.id)")
        }
        let depth = encoder.reorderDepth
        if depth != reorderDepthAtOpening {
            watch.note("a reorderDepth of \(reorderDepthAtOpening), as when it was opened", seen: "\(depth)")
        }
        let held = inside.count - encoder.inFlight
        if held > encoder.maximumDelay {
            watch.note("at most \(encoder.maximumDelay) pictures held, the encoder's maximumDelay", seen: "\(held)")
        }
    }

    var depth: Int { encoder.depth }
    var patience: Duration { encoder.patience }
    var pixelBufferPool: PixelBufferPool? { get throws(EncoderError) { try encoder.pixelBufferPool } }

    func reads(_ picture: PixelBuffer) -> Bool { encoder.reads(picture) }

    var inFlight: Int { encoder.inFlight }

    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {
        let before = inside.count
        let start = ContinuousClock.now
        defer { encodingTime += ContinuousClock.now - start }
        try encoder.collect(until: start) { (output) throws(EncoderError) in try pass(output, to: emit) }
        let taken = ContinuousClock.now - start
        if taken > watch.slack {
            watch.note("collect to return when its deadline has passed", seen: "\(taken) later")
        }
        guard inside.count == before else { return }
        try encoder.collect(until: deadline) { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        let start = ContinuousClock.now
        defer { encodingTime += ContinuousClock.now - start }
        return try encoder.flush { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        let effect = try encoder.update(live)
        if effect != .withAnotherEncoder {
            mayFill = mayFill || live.rate.control.setting == .constantBitRate
            mayDrop = mayDrop || live.bindsRate
        }
        return effect
    }

    // MARK: - Output

    /// Passes on what the session can take: an id that is not inside would end it.
    private func pass(
        _ output: borrowing EncoderOutput, to emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        let id: Int
        switch output {
        case .coded(let picture):
            id = picture.id
            check(picture)
        case .dropped(let dropped, let reason):
            id = dropped
            check(reason, of: dropped)
        }
        watch.progress.step()
        guard inside.remove(id) != nil else {
            watch.note("each picture to come out once", seen: "picture \(id), which is not inside")
            return
        }
        try emit(output)
    }

    /// Only a rate or a limit is a reason to leave a picture out.
    private func check(_ reason: EncodedFrame.DropReason, of id: Int) {
        guard case .rateControl = reason, !mayDrop else { return }
        watch.note("no picture left out for its bits where neither a rate nor a limit was set", seen: "picture \(id)")
    }

    private func check(_ picture: CodedPicture) {
        if picture.nalUnits.contains(where: \.isEmpty) { watch.note("NAL units with bytes", seen: "an empty one") }
        if picture.nalUnits.contains(where: \.hasStartCode) {
            watch.noteStartCode()
            return
        }
        if !mayFill, picture.nalUnits.contains(where: { StreamUnit(Array($0)[...], codec: codec).kind == .filler }) {
            watch.note("filler data with a constant bit rate alone", seen: "some in picture \(picture.id)")
        }
        if isFirst { checkParameterSets(picture) }
        isFirst = false
    }

    /// The sets told before the first picture are those it comes with.
    private func checkParameterSets(_ picture: CodedPicture) {
        guard let told = try? encoder.parameterSets else { return }
        let written = picture.nalUnits.map { Array($0) }.filter { StreamUnit($0[...], codec: codec).isParameterSet }
        if told != written {
            watch.note(
                "the first picture to come with the \(told.count) parameterSets that the encoder told",
                seen: "\(written.count), not the same")
        }
    }
}

extension PixelBuffer {
    /// Changes with the samples; 0 for pictures that are large or not in memory.
    fileprivate var checksum: UInt64 {
        guard kind == .memory, width * height <= 1 << 15 else { return 0 }
        // Four sums at a time, of which none waits for another.
        var sums = SIMD4<UInt64>(1, 2, 3, 4)
        for plane in 0..<format.planeCount {
            withPlane(plane) { bytes, _ in
                let whole = bytes.count / 32 * 32
                for offset in stride(from: 0, to: whole, by: 32) {
                    let words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
                    sums = (sums &<< 5 | sums &>> 59) ^ words
                }
                for byte in bytes[whole...] { sums[0] = sums[0] &* 31 &+ UInt64(byte) }
            }
        }
        return (sums &* SIMD4(3, 5, 7, 11)).wrappedSum()
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes begin with 00 00 01 or 00 00 00 01.
    fileprivate var hasStartCode: Bool {
        let zeros = prefix(4).prefix { $0 == 0 }.count
        return zeros >= 2 && count > zeros && self[zeros] == 1
    }
}

extension LiveParameters {
    /// Whether a rate or a limit bounds the bits of pictures.
    fileprivate var bindsRate: Bool { rate.control.bitsPerSecond != nil || !asked.dataRateLimits.isEmpty }
}
