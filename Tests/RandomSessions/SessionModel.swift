// SPDX-License-Identifier: MIT

import EncoderAPI

/// What a session must do, without threads, queues and bytes: the reference that a real one is compared with.
///
/// Operations are told to it with what came of them. What depends on timing is taken from that; everything else is
/// predicted, so that a different answer is a complaint.
struct SessionModel {
    /// What an operation came to.
    enum Result: Hashable {
        case done
        case full
        case update(UpdateOutcome.Kind)
        case failed(EncoderError.Code)
    }

    /// What becomes of a frame that was taken.
    enum Event: Hashable {
        case encoded(token: Int, isSync: Bool)
        case dropped(token: Int, reason: Drop)
    }

    enum Drop: Hashable {
        case rateControl
        case failed(EncoderError.Code)
    }

    private enum Phase {
        case running
        /// Every call fails with one of these; more than one where it was a race.
        case over(Set<EncoderError.Code>)
    }

    let pretence: Pretence
    /// Whether it is known when the encoder starts anew; one that is not predicted is taken to go on each time.
    let isPredicted: Bool
    /// What is predicted to come out, in this order; without frames that no encoder may see.
    private(set) var events: [Event] = []
    /// Frames with illegal samples, whose drops may come at any time.
    private(set) var refused: Set<Int> = []
    /// Frames taken that have no event yet.
    private(set) var inside: [Int: Operation.Frame] = [:]
    /// Events that had come out when an operation last waited for the session's thread.
    private(set) var settled = 0
    /// The error of an encoder that gave up, which operations may meet a little later.
    private(set) var doom: EncoderError.Code?
    /// Whether the error shows only when the session asks for the pictures under way.
    private var isDoomUnderWay = false
    private var collected = 0
    private(set) var terminal: EncoderError.Code?
    private(set) var isFinished = false
    private var phase = Phase.running
    private var size = Operation.Size.usual
    private var color = Operation.Color.usual
    /// What the streams of the frames that were taken must signal.
    private(set) var colors: [Int: Operation.Color] = [:]
    /// The live settings asked for last, and what takes an average's place in them.
    private var live: LiveSettings
    private let coarseMode: RateControl
    /// Limits in force when a frame was taken, and how often they had changed by then.
    struct Limits {
        var limits: [DataRateLimit]
        var changes = 0
    }
    private(set) var limits: [Int: Limits] = [:]
    private var limitsInForce: Limits
    private var drops = DropModel()
    private let isPretended: Bool
    private var coder: PretendedCoder?
    private var openings = 0
    private var owesKey = false
    private var lastSync: Int?
    private var lastForced = -1
    private var lastTime: Int?
    private var times: [Int] = []
    private var isReaderGone = false
    /// Whether the encoder has shown parameter sets.
    private var hasFormat = false

    init(_ pretence: Pretence, _ subject: Subject) {
        self.pretence = pretence
        isPredicted = subject.isPredicted(pretence)
        isPretended = subject.isPretended
        live = subject.configuration(pretence).live
        coarseMode = subject.coarseMode(pretence)
        limitsInForce = Limits(limits: live.dataRateLimits)
    }

    /// Whether twelve frames or more, so many as show it, came at two in a second or fewer: a source that rests.
    var mayRest: Bool {
        times.indices.dropFirst(12).contains { 2 * (times[$0] - times[0]) >= $0 * Int(Operation.Frame.timescale) }
    }

    mutating func note(readerIsThere isThere: Bool) { isReaderGone = !isThere }

    // MARK: - Frames

    /// Whether `result` is one that giving a frame may have; takes the frame if it was taken.
    mutating func encode(_ frame: Operation.Frame, _ token: Int, _ result: Result, mayBeFull: Bool) -> Bool {
        if [.wrongSize, .wrongFormat, .wrongColor].contains(frame.picture) {
            return result == .failed(.invalidPixelBuffer)
        }
        if case .over(let codes) = phase { return codes.contains { result == .failed($0) } }
        if let doom, result == .failed(doom) {
            end(doom)
            return true
        }
        if isReaderGone { return result == .failed(.readerReleased) }
        if let lastTime, frame.time <= lastTime { return result == .failed(.outOfOrderTimestamp) }
        if result == .full {
            owesKey = owesKey || frame.force
            return mayBeFull
        }
        guard result == .done else { return false }
        lastTime = frame.time
        times.append(frame.time)
        inside[token] = frame
        colors[token] = color
        limits[token] = limitsInForce
        // A picture that no encoder may see is refused as long as the loss does not show.
        if doom == nil || (isDoomUnderWay && frame.picture == .illegalSample && pretence.isDeep) {
            process(frame, token)
        }
        return true
    }

    private mutating func process(_ frame: Operation.Frame, _ token: Int) {
        if frame.picture == .illegalSample, pretence.isDeep {
            inside[token] = nil
            refused.insert(token)
            owesKey = owesKey || frame.force
            return
        }
        guard open() else { return doom = PretendedBackend.openingFailure.code }
        let isDue =
            pretence.keyFrameInterval > 0 && lastSync.map { frame.time - $0 >= pretence.keyFrameInterval } ?? true
        let forces = frame.force || owesKey || (pretence.keyFrameInterval > 0 && isDue)
        if forces || coder?.isFirst == true { noteSync(frame.time) }
        if forces { lastForced = token }
        owesKey = false
        if frame.fate == .failing { return doom = PretendedBackend.encodingFailure.code }
        deliver(coder?.take(token, frame.fate, force: forces) ?? [])
    }

    private mutating func deliver(_ output: [(picture: PretendedCoder.Picture, isB: Bool)]) {
        for (picture, _) in output where doom == nil {
            if pretence.depth > 0, collected == pretence.losingOutput {
                doom = pretence.losesLate ? .timedOut : PretendedBackend.deviceLoss.code
                isDoomUnderWay = true
                return
            }
            collected += 1
            guard let frame = inside.removeValue(forKey: picture.token) else { continue }
            hasFormat = hasFormat || picture.fate != .skipped
            switch picture.fate {
            case .skipped:
                events.append(.dropped(token: picture.token, reason: .rateControl))
                // One that is lost after another was forced is made up for by that.
                owesKey = owesKey || (picture.isForced && picture.token >= lastForced)
            case .tooLarge:
                events.append(.dropped(token: picture.token, reason: .failed(.nalUnitTooLarge)))
                owesKey = owesKey || picture.token >= lastForced
            case .coded, .failing:
                guard leaves(picture, at: frame.time) else {
                    events.append(.dropped(token: picture.token, reason: .rateControl))
                    continue
                }
                events.append(.encoded(token: picture.token, isSync: picture.isKey))
                if picture.isKey { noteSync(frame.time) }
            }
        }
    }

    /// Whether limits have room for a picture that came out.
    private mutating func leaves(_ picture: PretendedCoder.Picture, at time: Int) -> Bool {
        guard pretence.limits == .dropped, let given = limits[picture.token] else { return true }
        let verdict = drops.verdict(on: picture, at: time, under: given)
        if verdict == .drops { owesKey = true }
        return verdict == .leaves
    }

    private mutating func noteSync(_ time: Int) { lastSync = max(lastSync ?? time, time) }

    private mutating func open() -> Bool {
        guard coder == nil else { return true }
        openings += 1
        guard openings - 1 != pretence.failingOpening else { return false }
        coder = PretendedCoder(pretence)
        return true
    }

    /// Whether draining went well; without an encoder there is nothing to drain.
    private mutating func drain(closing: Bool = true) -> Bool {
        guard var drained = coder else { return true }
        coder = nil
        guard !pretence.failsToDrain else { return false }
        deliver(drained.drain())
        if pretence.outlivesDraining, !closing { coder = drained }
        return doom == nil
    }

    // MARK: - The rest

    /// Whether `result` is one that an operation other than giving a frame may have.
    mutating func perform(_ operation: Operation, _ result: Result) -> Bool {
        // Refused before the session is asked.
        if [.resize(.impossible), .recolor(.impossible)].contains(operation) {
            return result == .failed(.invalidValue)
        }
        if case .over(let codes) = phase {
            return operation == .invalidate ? result == .done : codes.contains { result == .failed($0) }
        }
        if operation == .invalidate {
            // An encoder that has just given up may have ended the session before.
            end(.invalidated)
            if let doom { phase = .over([.invalidated, doom]) }
            return result == .done
        }
        // Needs nothing of the session's thread.
        if operation == .update(.impossible) { return refuse(result) }
        if operation == .requestKeyFrame { return request(result) }
        if let doom {
            // What asks for no picture that is under way may still go well.
            if isDoomUnderWay, result != .failed(doom) { return operation != .finish }
            end(doom)
            return result == .failed(doom)
        }
        let expected = expected(operation)
        // A handler is called a little later, and gets nothing after an invalidation.
        let isDelivered = pretence.depth == 0 && pretence.delivery == .read
        if isDelivered || operation == .complete(through: nil) { settled = events.count }
        // The first that asks for them learns that they are lost.
        if let doom, isDoomUnderWay, result == .failed(doom) {
            end(doom)
            return true
        }
        guard result == expected else { return false }
        if case .update(let change) = operation { note(change) }
        return true
    }

    /// Takes over a change that was made.
    private mutating func note(_ change: Operation.Change) {
        change.apply(to: &live, coarse: coarseMode)
        guard live.dataRateLimits != limitsInForce.limits else { return }
        limitsInForce = Limits(limits: live.dataRateLimits, changes: limitsInForce.changes + 1)
    }

    private mutating func request(_ result: Result) -> Bool {
        if let doom, result == .failed(doom) {
            end(doom)
            return true
        }
        owesKey = true
        return result == .done
    }

    /// Whether `result` is one of a change that cannot be, with an encoder that may have given up.
    private mutating func refuse(_ result: Result) -> Bool {
        if let doom, result == .failed(doom) {
            end(doom)
            return true
        }
        return result == .failed(.invalidValue)
    }

    /// Whether `result` is one that an update may have that does not wait for its turn; takes the change.
    mutating func updateLater(_ change: Operation.Change, _ result: Result) -> Bool {
        if case .over(let codes) = phase { return codes.contains { result == .failed($0) } }
        if change == .impossible { return refuse(result) }
        if let doom {
            if result == .failed(doom) { end(doom) }
            return result == .done || result == .failed(doom)
        }
        // What ends the session shows a little later.
        let (phase, terminal) = (phase, terminal)
        _ = expected(.update(change))
        (self.phase, self.terminal) = (phase, terminal)
        if result == .done { note(change) }
        return result == .done
    }

    private mutating func expected(_ operation: Operation) -> Result {
        switch operation {
        case .prepare: return open() ? .done : .failed(PretendedBackend.openingFailure.code)
        case .update(.nothing): return .update(.unchanged)
        case .update(.interval), .update(.constantBitRate), .update(.mode), .update(.hint): return .update(.applied)
        case .update(.limit) where !isPretended, .update(.scarceLimit) where !isPretended: return .update(.applied)
        case .update(.bitRate), .update(.limit), .update(.scarceLimit):
            // Once pictures came out, an encoder that is closed is opened for the update, as one that cannot follow.
            guard coder == nil ? hasFormat : !pretence.updatesLive else {
                guard coder != nil, pretence.updatesWithKeyFrame else { return .update(.applied) }
                owesKey = true
                return .update(isPredicted ? .restarted : .applied)
            }
            guard drain() else { return fail(doom ?? PretendedBackend.drainingFailure.code) }
            return open() ? .update(isPredicted ? .restarted : .applied) : .failed(PretendedBackend.openingFailure.code)
        case .resize(let size): return expected(size, color)
        case .recolor(let color): return expected(size, color)
        case .complete(let time):
            guard inside.values.contains(where: { $0.time <= time ?? .max }) else { return .done }
            return drain(closing: false) ? .done : fail(doom ?? PretendedBackend.drainingFailure.code)
        case .finish:
            guard drain() else { return fail(doom ?? PretendedBackend.drainingFailure.code) }
            isFinished = true
            phase = .over([.invalidState])
            return .done
        default: return .done
        }
    }

    /// What becomes of a change to other pictures.
    private mutating func expected(_ size: Operation.Size, _ color: Operation.Color) -> Result {
        guard (size, color) != (self.size, self.color) else { return .update(.unchanged) }
        let isRunning = coder != nil || hasFormat
        guard drain() else { return fail(doom ?? PretendedBackend.drainingFailure.code) }
        // Where nothing was opened yet, nothing has to be.
        guard !isRunning || open() else { return .failed(PretendedBackend.openingFailure.code) }
        (self.size, self.color) = (size, color)
        return .update(isRunning && isPredicted ? .restarted : .applied)
    }

    private mutating func fail(_ code: EncoderError.Code) -> Result {
        doom = code
        end(code)
        return .failed(code)
    }

    private mutating func end(_ code: EncoderError.Code) {
        terminal = code
        phase = .over([code])
    }
}

extension UpdateOutcome {
    /// The outcome without what it says of the format.
    enum Kind: Hashable {
        case applied
        case restarted
        case unchanged
    }

    var kind: Kind {
        switch self {
        case .applied: .applied
        case .restarted: .restarted
        case .unchanged: .unchanged
        }
    }
}
