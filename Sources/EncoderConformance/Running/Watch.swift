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
        let adjustments: [Adjustment]
    }

    private struct Notes {
        var findings: Findings
        var opened: [Opened] = []
        var hasStartCodes = false
    }

    private let notes: Mutex<Notes>
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
        try backend.check(settings, for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let open = try backend.makeEncoder(encoder, settings: settings, logger: logger)
        watch.note(Watch.Opened(settings: settings, maximumDelay: open.maximumDelay, adjustments: open.adjustments))
        return WatchedEncoder(open, settings, watch: watch)
    }
}

/// Holds an open encoder to the contract of `FrameEncoder`.
private final class WatchedEncoder: FrameEncoder {
    private let encoder: any FrameEncoder
    private let codec: VideoCodec
    private let watch: Watch
    /// The ids given that did not come out.
    private var inside: Set<Int> = []
    private var isFirst = true

    init(_ encoder: any FrameEncoder, _ settings: ResolvedSettings, watch: Watch) {
        self.encoder = encoder
        codec = settings.request.codec
        self.watch = watch
    }

    var reorderDepth: Int { encoder.reorderDepth }
    var maximumDelay: Int { encoder.maximumDelay }
    var adjustments: [Adjustment] { encoder.adjustments }
    var parameterSets: [[UInt8]]? { get throws(EncoderError) { try encoder.parameterSets } }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        inside.insert(picture.id)
        try encoder.encode(picture) { (output) throws(EncoderError) in try pass(output, to: emit) }
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
        try encoder.collect(until: start) { (output) throws(EncoderError) in try pass(output, to: emit) }
        let taken = ContinuousClock.now - start
        if taken > watch.slack {
            watch.note("collect to return when its deadline has passed", seen: "\(taken) later")
        }
        guard inside.count == before else { return }
        try encoder.collect(until: deadline) { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        try encoder.flush { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect { try encoder.update(live) }

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
        case .dropped(let dropped, _): id = dropped
        }
        guard inside.remove(id) != nil else {
            watch.note("each picture to come out once", seen: "picture \(id), which is not inside")
            return
        }
        try emit(output)
    }

    private func check(_ picture: CodedPicture) {
        if picture.nalUnits.contains(where: \.isEmpty) { watch.note("NAL units with bytes", seen: "an empty one") }
        if picture.nalUnits.contains(where: \.hasStartCode) {
            watch.noteStartCode()
            return
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

extension UnsafeRawBufferPointer {
    /// Whether the bytes begin with 00 00 01 or 00 00 00 01.
    fileprivate var hasStartCode: Bool {
        let zeros = prefix(4).prefix { $0 == 0 }.count
        return zeros >= 2 && count > zeros && self[zeros] == 1
    }
}
