// SPDX-License-Identifier: MIT

import EKCoreFoundation
import EKCoreMedia
import EKVideoToolbox
import RandomSessions

/// Compares what came of calls with what holds in whatever order threads made them.
struct CallJudge {
    let sequence: CallSequence
    let calls: [CallJournal.Call]
    /// In the order in which they ended.
    let callbacks: [CallJournal.Callback]
    let device: CallJournal.Device
    /// Whether the encoder is the pretended one, whose bytes name the frames.
    let isPretended: Bool
    private(set) var complaints: [String] = []

    init(_ runner: CallRunner, isPretended: Bool) {
        sequence = runner.sequence
        (calls, callbacks) = (runner.journal.calls, runner.journal.callbacks)
        device = runner.journal.device
        self.isPretended = isPretended
        complaints = runner.complaints
    }

    mutating func complain(_ complaint: String) { complaints.append(complaint) }

    mutating func judge() {
        for call in calls { checkStatus(call) }
        for callback in callbacks { checkCallback(callback) }
        checkOnce()
        checkOrder()
        checkEnds()
        checkCompletions()
        checkCopiesOfSamples()
        checkCopies()
    }

    // MARK: - Statuses

    private var ends: [CallJournal.Call] { calls.filter { $0.call == .invalidate } }
    private var taken: [CallJournal.Call] { calls.filter { $0.frame != nil && $0.status == noErr } }

    /// Whether the encoder may have failed, so that a session is over before anybody ends it.
    private var mayFail: Bool {
        sequence.pretence.failingOpening != nil
            || calls.contains { if case .encode(let frame) = $0.call { frame.fate == .failing } else { false } }
    }

    private func time(_ call: CallJournal.Call) -> CMTime {
        guard case .encode(let frame) = call.call, let number = call.frame else { return .invalid }
        return CallRunner.time(number, frame)
    }

    private mutating func checkStatus(_ call: CallJournal.Call) {
        let isOver = ends.contains { $0.end < call.begin }
        let mayBeOver = ends.contains { $0.begin < call.end } || mayFail
        switch call.call {
        case .release, .invalidate: return
        case .set(let key, let index):
            let expected = key.values[index].status
            check(call, isOver ? [kVTInvalidSessionErr] : mayBeOver ? [expected, kVTInvalidSessionErr] : [expected])
        case .copy(let key):
            let expected = key.readStatus
            check(call, isOver ? [kVTInvalidSessionErr] : mayBeOver ? [expected, kVTInvalidSessionErr] : [expected])
        case .encode:
            // Another frame overtook this one; also one that waited for room until the session ended.
            let mayBeOvertaken = calls.contains {
                $0.frame != nil && $0.frame != call.frame && time($0) >= time(call) && $0.begin < call.end
                    && $0.status != kVTParameterErr
            }
            let isOvertaken = taken.contains {
                $0.frame != call.frame && time($0) >= time(call) && $0.end < call.begin
            }
            let statuses = (isOvertaken ? [] : [noErr]) + (mayBeOvertaken ? [kVTParameterErr] : [])
            checkWaiting(call, isOver, mayBeOver, statuses)
        case .prepare: checkWaiting(call, isOver, mayBeOver, [noErr])
        case .complete:
            if call.caller != nil, call.status == kVTParameterErr { return }
            // Before the first frame there is nothing that it would wait for.
            checkWaiting(call, isOver, mayBeOver, [noErr])
            if call.caller != nil, call.status == noErr { complain("CompleteFrames waited within a callback") }
        }
    }

    private mutating func checkWaiting(
        _ call: CallJournal.Call, _ isOver: Bool, _ mayBeOver: Bool, _ otherwise: [OSStatus]
    ) {
        if isOver { return check(call, [kVTInvalidSessionErr]) }
        let failures = mayFail ? [kVTVideoEncoderMalfunctionErr] : []
        check(call, otherwise + (mayBeOver ? [kVTInvalidSessionErr] : []) + failures)
    }

    private mutating func check(_ call: CallJournal.Call, _ expected: [OSStatus]) {
        if !expected.contains(call.status) { complain("\(call.call) answered \(call.status), expected \(expected)") }
    }

    // MARK: - Callbacks

    private mutating func checkCallback(_ callback: CallJournal.Callback) {
        guard let call = calls.first(where: { $0.frame == callback.frame }) else {
            return complain("a callback of frame \(callback.frame), whose call did not return")
        }
        if callback.overlaps { complain("the callback of frame \(callback.frame) began within another") }
        if call.status != noErr { complain("frame \(callback.frame) was refused with \(call.status), and told of") }
        if callback.begin < call.begin { complain("frame \(callback.frame) was told of before it was given") }
        guard case .encode(let frame) = call.call else { return }
        guard callback.status == noErr else {
            if !mayFail { complain("frame \(callback.frame) came with \(callback.status)") }
            if callback.sample != nil { complain("frame \(callback.frame) failed and has a sample") }
            return
        }
        guard let sample = callback.sample else {
            if !callback.isDropped || frame.fate != .skipped { complain("frame \(callback.frame) has no sample") }
            return
        }
        if callback.isDropped { complain("frame \(callback.frame) is dropped and has a sample") }
        let (time, duration) = (time(call), CallRunner.duration(callback.frame))
        if !sample.presentationTime.isIdentical(to: time) || !sample.duration.isIdentical(to: duration) {
            complain("frame \(callback.frame) came with \(sample.presentationTime) and \(sample.duration)")
        }
        if !sample.isWhole { complain("the lengths of frame \(callback.frame) do not fill its block") }
        if frame.force, !sample.isSync { complain("frame \(callback.frame) was forced to be a key frame and is none") }
        if isPretended, PretendedStream.token(ofSlice: sample.slice) != callback.frame {
            complain("frame \(callback.frame) came with another frame's bytes")
        }
    }

    private mutating func checkOnce() {
        let told = callbacks.map(\.frame)
        if Set(told).count != told.count { complain("a frame was told of twice: \(told)") }
        for call in taken where !told.contains(call.frame ?? -1) {
            // Where somebody ends the session no callback is owed: in real time for frames of that moment alone.
            let isOwed = isOwed(call)
            if isOwed { complain("frame \(call.frame ?? -1) was taken and never told of") }
        }
    }

    private func isOwed(_ call: CallJournal.Call) -> Bool {
        // A session that somebody let go of in a callback loses what is inside.
        let endsInCallback = calls.contains { $0.caller != nil && ($0.call == .invalidate || $0.call == .release) }
        // A callback that makes calls holds the session, and may let go of it after all threads did.
        let release = calls.filter { $0.caller == nil && $0.call == .release }.map(\.begin).max() ?? .max
        let mayEndInCallback = callbacks.contains { sequence.inCallbacks[$0.frame] != nil && $0.end > release }
        if endsInCallback || mayEndInCallback { return false }
        let wasOpenLong = !ends.contains { $0.begin < call.end }
        if sequence.isRealTime { return wasOpenLong && !mayFail }
        return ends.isEmpty && sequence.isCompleted && sequence.lastCompletionFollows(call, calls)
    }

    private mutating func checkOrder() {
        let samples = callbacks.compactMap(\.sample)
        if let first = samples.first, !first.isSync { complain("the stream does not start with a sync sample") }
        let decoded = samples.map(\.decodeTime).filter(\.isValid)
        for (one, next) in zip(decoded, decoded.dropFirst()) where next <= one {
            complain("decode time \(next) after \(one)")
        }
        guard !sequence.pretence.reorders, isPretended else { return }
        for (one, next) in zip(samples, samples.dropFirst()) where next.presentationTime <= one.presentationTime {
            complain("\(next.presentationTime) came after \(one.presentationTime)")
        }
    }

    // MARK: - Ends

    private mutating func checkEnds() {
        for end in ends {
            for callback in callbacks where callback.begin > end.end {
                complain("the callback of frame \(callback.frame) began after Invalidate returned")
            }
            // A callback that runs while another thread invalidates returns first.
            for callback in callbacks where end.caller == nil && callback.begin < end.end && callback.end > end.end {
                complain("the callback of frame \(callback.frame) ran when Invalidate returned")
            }
        }
    }

    private mutating func checkCompletions() {
        for completion in calls {
            guard case .complete(let upToLast) = completion.call, completion.status == noErr else { continue }
            for call in taken where call.end < completion.begin && !upToLast {
                let told = callbacks.first { $0.frame == call.frame }
                if told.map({ $0.end > completion.end }) ?? true {
                    complain("CompleteFrames returned before the callback of frame \(call.frame ?? -1)")
                }
            }
        }
    }

    /// A buffer's samples are read where they are.
    private mutating func checkCopiesOfSamples() {
        if !device.given.isSubset(of: device.made) { complain("samples were copied on their way to the encoder") }
    }

    /// A key that one thread alone sets has the value set last, or the one in force where a frame has yet to take it.
    private mutating func checkCopies() {
        for copy in calls {
            guard case .copy(let key) = copy.call, copy.status == noErr, key != .readOnly else { continue }
            var texts: Set<String?> = [nil, "0"]
            for call in calls where call.begin < copy.end {
                if case .set(let other, let place) = call.call, other == key, call.status == noErr {
                    texts.insert(SessionKey.text(key.values[place].object))
                }
            }
            // Without a wish a session tells what the encoder uses.
            if key.isFixed { continue }
            if !texts.contains(copy.text) {
                complain("\(key) is \(copy.text ?? "nothing"), expected \(texts)")
            }
        }
    }
}

extension CallSequence {
    /// Whether the call that waits for all frames came after a frame was taken.
    func lastCompletionFollows(_ call: CallJournal.Call, _ calls: [CallJournal.Call]) -> Bool {
        calls.contains { completion in
            completion.call == .complete(upToLast: false) && completion.status == noErr && completion.begin > call.end
        }
    }
}

extension CMTime {
    /// Whether all parts are equal, bit for bit.
    func isIdentical(to other: CMTime) -> Bool {
        value == other.value && timescale == other.timescale && flags == other.flags && epoch == other.epoch
    }
}
