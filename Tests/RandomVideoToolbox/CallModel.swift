// SPDX-License-Identifier: MIT

import EKCoreFoundation
import EKVideoToolbox
import RandomSessions

/// What one thread's calls must come to with the pretended encoder, call by call.
struct CallModel {
    private let pretence: Pretence
    private let isRealTime: Bool
    /// Values that were set, by keys; those without a value are not there.
    private var asked: [SessionKey: String] = [:]
    /// Those that the session was told of last; nil before it opens.
    private var applied: [SessionKey: String]?
    private var coder: PretendedCoder?
    private var lastTime: Int?
    private var isInvalid = false
    private var owesKey = false
    private var lastForced = -1
    /// Callbacks in their order: a frame, and whether it is a sync sample; nil for one that was dropped.
    private(set) var told: [(frame: Int, isSync: Bool?)] = []
    /// Callbacks that are owed when calls that wait return.
    private(set) var settled = 0
    private(set) var openings = 0
    private(set) var updates = 0

    init(_ sequence: CallSequence) { (pretence, isRealTime) = (sequence.pretence, sequence.isRealTime) }

    /// Invalidates the session, or lets go of it: in real time what was taken comes out before.
    mutating func end() {
        if !isInvalid, isRealTime { drain(closing: true) }
        isInvalid = true
    }

    /// The status that a call must answer; nil for one that answers nothing.
    mutating func perform(_ call: CallJournal.Call) -> OSStatus? {
        if isInvalid {
            if case .invalidate = call.call { return nil }
            return call.call == .release ? nil : kVTInvalidSessionErr
        }
        switch call.call {
        case .encode(let frame): return encode(frame, call.frame ?? -1)
        case .set(let key, let index):
            let value = key.values[index]
            if value.status == noErr { asked[key] = SessionKey.text(value.object) }
            return value.status
        case .copy(let key): return key.readStatus
        case .prepare:
            apply()
            return noErr
        case .complete:
            if applied != nil, coder?.tokens.isEmpty == false { drain(closing: false) }
            settled = told.count
            return noErr
        case .invalidate:
            end()
            return nil
        case .release: return nil
        }
    }

    private mutating func encode(_ frame: SessionCall.Frame, _ number: Int) -> OSStatus {
        apply()
        let time = frame.isLate ? -(number + 1) : 20 * number
        if let lastTime, time <= lastTime { return kVTParameterErr }
        lastTime = time
        open()
        let isForced = frame.force || owesKey
        owesKey = false
        if isForced { lastForced = number }
        tell(coder?.take(number, frame.fate, force: isForced) ?? [])
        return noErr
    }

    /// Brings what was set to the session: one change.
    private mutating func apply() {
        guard let before = applied else {
            applied = asked
            return open()
        }
        guard before != asked else { return }
        applied = asked
        let isLive = SessionKey.allCases.allSatisfy { key in key.isLive || before[key] == asked[key] || key == .duration
        }
        let changes = SessionKey.allCases.contains { key in before[key] != asked[key] && key != .duration }
        guard changes else { return }
        guard isLive, coder != nil else { return reopen() }
        updates += 1
        if !pretence.updatesLive { reopen() }
    }

    private mutating func reopen() {
        drain(closing: true)
        open()
    }

    private mutating func open() {
        guard coder == nil else { return }
        openings += 1
        coder = PretendedCoder(pretence)
    }

    private mutating func drain(closing: Bool) {
        guard var drained = coder else { return }
        coder = nil
        tell(drained.drain())
        if pretence.outlivesDraining, !closing { coder = drained }
    }

    private mutating func tell(_ output: [(picture: PretendedCoder.Picture, isB: Bool)]) {
        for (picture, _) in output {
            guard picture.fate == .skipped else {
                told.append((picture.token, picture.isKey))
                continue
            }
            told.append((picture.token, nil))
            owesKey = owesKey || (picture.isForced && picture.token >= lastForced)
        }
    }
}

extension CallJudge {
    /// Compares with the model what one thread's calls came to.
    mutating func judgePredicted() {
        var model = CallModel(sequence)
        for call in calls {
            let expected = model.perform(call)
            if let expected, call.status != expected {
                complain("\(call.call) answered \(call.status), expected \(expected)")
            }
            // What was told when the call returned.
            if case .complete = call.call {
                let count = callbacks.count { $0.end < call.end }
                if call.status == noErr, count < model.settled, call.call == .complete(upToLast: false) {
                    complain("\(count) callbacks when CompleteFrames returned, expected \(model.settled)")
                }
            }
        }
        model.end()
        let told = callbacks.map { ($0.frame, $0.sample?.isSync) }
        let expected = model.told.prefix(told.count).map { ($0.frame, $0.isSync) }
        if !told.elementsEqual(expected, by: ==) { complain("told: \(told), expected: \(model.told)") }
        let isWhole = sequence.isCompleted && !calls.contains { $0.call == .invalidate }
        if isWhole || sequence.isRealTime, told.count != model.told.count {
            complain("told: \(told), expected: \(model.told)")
        }
        guard isWhole else { return }
        if device.openings != model.openings {
            complain("\(device.openings) encoders were opened, expected \(model.openings)")
        }
        if device.updates != model.updates {
            complain("an open encoder was changed \(device.updates) times, expected \(model.updates)")
        }
    }
}
