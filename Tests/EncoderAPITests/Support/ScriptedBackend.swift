// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import Synchronization
import TestSupport

/// An encoder that does what a test wrote down, call by call.
///
/// Pictures are numbered by their ids, from 0 on. The first coded picture of an encoder, and each that was forced, is
/// an IDR picture.
struct ScriptedBackend: ImmediateBackend {
    /// One thing an encoder does in a call.
    enum Step: Sendable {
        case coded(Int, isReference: Bool = true)
        /// A coded picture of these NAL units.
        case units(Int, [[UInt8]])
        case dropped(Int, EncodedFrame.DropReason)
        case throwsError
        case runs(@Sendable () -> Void)
    }

    /// What tests ask about afterwards.
    struct Log: Sendable {
        var given: [Int] = []
        var forced: [Int] = []
        var coded: [Int] = []
        var opened = 0
        var closed = 0
    }

    static let failure = EncoderError(.backendFailure, reason: "as written", status: 3)
    /// The failure as what a session ended with.
    static let end = EncoderError(.backendFailure, reason: "as written", status: 3, endsSession: true)

    let identifier = "scripted"
    var reorderDepths = [0]
    /// What its encoders say of the pictures they hold.
    var maximumDelay = 0
    /// Runs before an encoder opens.
    var opening: @Sendable () -> Void = {}
    /// Whether an encoder does not open, by how many were opened before.
    var failsToOpen: @Sendable (Int) -> Bool = { _ in false }
    /// Whether it lists that it takes quantizers.
    var takesQuantizers = false
    /// Bytes of a picture's slice.
    var sliceBytes: @Sendable (Int) -> Int = { _ in 20 }
    /// What an update says; nil throws.
    var updatesLive: Bool? = true
    /// What the call with a picture does.
    var encoding: @Sendable (Int) -> [Step] = { [.coded($0)] }
    /// What draining does, by what is inside.
    var draining: @Sendable ([Int]) -> [Step] = { $0.map { .coded($0) } }
    let log = LogBox()

    /// A log behind a lock.
    final class LogBox: Sendable {
        private let log = Mutex(Log())
        func note(_ change: (inout Log) -> Void) { log.withLock { change(&$0) } }
        var value: Log { log.withLock { $0 } }
    }

    func listEncoders() -> [EncoderDescription] {
        FakeBackend(directPixelFormats: [.i420, .i010], takesQuantizers: takesQuantizers).listEncoders()
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        opening()
        var number = 0
        log.note {
            number = $0.opened
            $0.opened += 1
        }
        if failsToOpen(number) { throw Self.failure }
        return ScriptedEncoder(self, reorderDepth: reorderDepths[min(number, reorderDepths.count - 1)])
    }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) {}
}

private final class ScriptedEncoder: FrameEncoder {
    private let script: ScriptedBackend
    private var inside: [Int] = []
    private var mustBeIDR: Set<Int> = []
    private var isFirst = true

    let reorderDepth: Int
    var maximumDelay: Int { script.maximumDelay }

    init(_ script: ScriptedBackend, reorderDepth: Int) {
        self.script = script
        self.reorderDepth = reorderDepth
    }

    deinit { script.log.note { $0.closed += 1 } }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        inside.append(picture.id)
        if picture.options.forceKeyFrame { mustBeIDR.insert(picture.id) }
        script.log.note {
            $0.given.append(picture.id)
            if picture.options.forceKeyFrame { $0.forced.append(picture.id) }
        }
        for step in script.encoding(picture.id) { try perform(step, emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        for step in script.draining(inside) { try perform(step, emit) }
        return .ended
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        guard let answer = script.updatesLive else { throw ScriptedBackend.failure }
        return answer ? .fromNextPicture : .withAnotherEncoder
    }

    private func perform(
        _ step: ScriptedBackend.Step, _ emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        switch step {
        case .throwsError: throw ScriptedBackend.failure
        case .runs(let body): body()
        case .dropped(let id, let reason):
            inside.removeAll { $0 == id }
            try emit(.dropped(id: id, reason: reason))
        case .units(let id, let units):
            inside.removeAll { $0 == id }
            try withTransientUnits(units) { (units) throws(EncoderError) in
                try emit(.coded(CodedPicture(id: id, pictureType: .p, isReference: true, nalUnits: units)))
            }
        case .coded(let id, let isReference):
            inside.removeAll { $0 == id }
            script.log.note { $0.coded.append(id) }
            try write(id, isReference: isReference, emit)
        }
    }

    private func write(
        _ id: Int, isReference: Bool, _ emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        let isIDR = isFirst || mustBeIDR.contains(id)
        isFirst = false
        let header: UInt8 = isIDR ? 0x65 : (isReference ? 0x41 : 0x01)
        let slice = [header] + [UInt8](repeating: 0xA5, count: script.sliceBytes(id) - 1)
        try withTransientUnits((isIDR ? [FakeStream.sps, FakeStream.pps] : []) + [slice]) {
            (units) throws(EncoderError) in
            try emit(
                .coded(
                    CodedPicture(
                        id: id, pictureType: isIDR ? .i : (isReference ? .p : .b), isReference: isReference,
                        nalUnits: units)))
        }
    }
}
