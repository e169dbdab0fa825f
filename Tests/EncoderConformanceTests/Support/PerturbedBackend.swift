// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Logging
import Synchronization
import TestSupport

/// A back end that does what another one does, but for one ``Perturbation``.
struct PerturbedBackend: ImmediateBackend {
    let honest: any ImmediateBackend
    let perturbation: Perturbation
    private let calls = Perturbation.Counter()
    private let opened = Mutex<ResolvedSettings?>.Box()

    init(_ honest: any ImmediateBackend, _ perturbation: Perturbation) {
        (self.honest, self.perturbation) = (honest, perturbation)
    }

    /// Calls that were changed so far.
    var changes: Int { calls.changes }

    var identifier: String { honest.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try honest.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        switch perturbation.kind {
        case .slowCheck where isDue():
            calls.noteChange()
            perturbation.stall()
        case .refusedCheck where isDue():
            calls.noteChange()
            throw EncoderError(.unsupported, reason: "refused for no reason")
        case .acceptedCheck where isDue():
            do throws(EncoderError) {
                try honest.check(settings, for: encoder)
            } catch {
                calls.noteChange()
            }
            return
        default: break
        }
        try honest.check(settings, for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let first = opened.first(settings)
        var told = settings
        if let changed = perturbation.changed(settings, first: first), isDue() {
            calls.noteChange()
            told = changed
        }
        if perturbation.isOfOpening, isDue() {
            calls.noteChange()
            switch perturbation.kind {
            case .slowOpening: perturbation.stall()
            case .leakedThread: Leak.thread()
            case .leakedMemory: Leak.memory()
            default: break
            }
        }
        return PerturbedEncoder(
            try honest.makeEncoder(encoder, settings: told, logger: logger), settings, first, perturbation,
            perturbation.isPerEncoder ? Perturbation.Counter() : calls, of: calls)
    }

    private func isDue() -> Bool { calls.isDue(after: perturbation.honestCalls) }
}

extension Perturbation {
    fileprivate var isOfOpening: Bool { [.slowOpening, .leakedThread, .leakedMemory].contains(kind) }
}

extension Mutex where Value == ResolvedSettings? {
    /// Keeps the settings of the first encoder.
    final class Box: Sendable {
        private let settings = Mutex<ResolvedSettings?>(nil)

        func first(_ new: ResolvedSettings) -> ResolvedSettings {
            settings.withLock { settings in
                let first = settings ?? new
                settings = first
                return first
            }
        }
    }
}

/// The open encoder of a ``PerturbedBackend``.
private final class PerturbedEncoder: FrameEncoder {
    private let honest: any FrameEncoder
    private var settings: ResolvedSettings
    private let first: ResolvedSettings
    private let perturbation: Perturbation
    /// Counts the calls that may be changed.
    private let counter: Perturbation.Counter
    /// Counts those that were, for the back end.
    private let changes: Perturbation.Counter
    private var last: PixelBuffer?
    private var kept: [PixelBuffer] = []
    private var shift: Int64 = 0
    private var isFlushing = false

    init(
        _ honest: any FrameEncoder, _ settings: ResolvedSettings, _ first: ResolvedSettings,
        _ perturbation: Perturbation, _ counter: Perturbation.Counter, of changes: Perturbation.Counter
    ) {
        (self.honest, self.settings, self.first, self.perturbation) = (honest, settings, first, perturbation)
        (self.counter, self.changes) = (counter, changes)
    }

    deinit {
        if perturbation.kind == .slowClosing, changes.isDue(after: perturbation.honestCalls) {
            changes.noteChange()
            perturbation.stall()
        }
    }

    /// Whether this call of the kind is to be changed, which it then is.
    private func takes(_ kind: Perturbation.Kind) -> Bool {
        guard perturbation.kind == kind, counter.isDue(after: perturbation.honestCalls) else { return false }
        changes.noteChange()
        return true
    }

    // MARK: - What is told

    var reorderDepth: Int { honest.reorderDepth + (takes(.reorderDepth) ? 1 : 0) }
    var maximumDelay: Int { honest.maximumDelay - (honest.maximumDelay > 0 && takes(.maximumDelay) ? 1 : 0) }
    var adjustments: [Adjustment] {
        let adjustments = honest.adjustments
        return !adjustments.isEmpty && takes(.adjustments) ? [] : adjustments
    }
    var parameterSets: [[UInt8]]? {
        get throws(EncoderError) {
            guard var sets = try honest.parameterSets, takes(.parameterSets) else { return try honest.parameterSets }
            sets[0][sets[0].count - 1] ^= 0x40
            return sets
        }
    }
    var depth: Int { honest.depth }
    var patience: Duration { honest.patience }
    var inFlight: Int { honest.inFlight }

    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {
        try honest.collect(until: deadline, emit: emit)
    }

    // MARK: - What goes in

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        var (options, pixels, ticks) = (picture.options, picture.pixelBuffer, picture.ticks)
        if options.forceKeyFrame, takes(.forcedKeyFrame) { options.forceKeyFrame = false }
        if let last, last.width == pixels.width, last.height == pixels.height, last.format == pixels.format,
            takes(.staleSamples)
        {
            pixels = last
        }
        last = perturbation.kind == .staleSamples ? picture.pixelBuffer : nil
        // A shift that stays the same would be another first tick, which an encoder may have.
        if takes(.stretchedTicks) {
            shift += 1_000_000
            ticks += shift
        }
        if takes(.keptPicture) { kept.append(picture.pixelBuffer) }
        if takes(.lostPicture) { return }
        let given = SourcePicture(id: picture.id, pixelBuffer: pixels, ticks: ticks, options: options)
        try honest.encode(given) { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        isFlushing = true
        let outcome = try honest.flush { (output) throws(EncoderError) in try pass(output, to: emit) }
        isFlushing = false
        guard outcome != .goesOn, takes(.flushOutcome) else { return outcome }
        return .goesOn
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        if takes(.ignoredUpdate) { return .fromNextPicture }
        var next = settings
        next.live = live
        if let changed = perturbation.changed(next, first: first),
            counter.isDue(after: perturbation.honestCalls)
        {
            changes.noteChange()
            return try honest.update(changed.live)
        }
        let effect = try honest.update(live)
        if effect == .withAnotherEncoder, takes(.falseEffect) { return .fromNextPicture }
        return effect
    }

    // MARK: - What comes out

    private func pass(_ output: borrowing EncoderOutput, to emit: EncoderOutput.Handler) throws(EncoderError) {
        switch output {
        case .coded(let picture): try pass(picture, to: emit)
        case .dropped(let id, let reason): try emit(.dropped(id: id, reason: reason))
        }
    }

    private func pass(_ coded: CodedPicture, to emit: EncoderOutput.Handler) throws(EncoderError) {
        var picture = coded
        var units = coded.nalUnits.map { Array($0) }
        if takes(.pictureID) { picture.id += 1 }
        if takes(.pictureType) { picture.pictureType = coded.pictureType == .p ? .b : .p }
        if takes(.isReference) { picture.isReference.toggle() }
        if takes(.isRecoveryPoint) { picture.isRecoveryPoint.toggle() }
        if takes(.averageQP) { picture.averageQP = 12 }
        if takes(.cutUnit), let unit = units.indices.last { units[unit].removeLast(units[unit].count / 2) }
        if takes(.flippedBit), let unit = units.indices.last { units[unit][units[unit].count * 2 / 3] ^= 0x08 }
        if !units.isEmpty, takes(.missingUnit) { units.removeFirst() }
        if takes(.repeatedUnit), let unit = units.last { units.append(unit) }
        if takes(.addedUnit) { units.append([UInt8](repeating: 0xFF, count: 5)) }
        if takes(.lostFrame) { return }
        if takes(.droppedFrame) { return try emit(.dropped(id: coded.id, reason: .rateControl)) }
        if isFlushing, takes(.lostAtFlush) { return }
        let times = takes(.repeatedFrame) ? 2 : 1
        try withTransientUnits(units) { (buffers) throws(EncoderError) in
            picture.nalUnits = buffers
            for _ in 0..<times { try emit(.coded(picture)) }
        }
    }
}
