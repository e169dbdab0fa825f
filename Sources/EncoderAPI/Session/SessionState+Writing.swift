// SPDX-License-Identifier: MIT

import DequeModule

/// Frames and other jobs on their way in: they take effect in the order of the calls.
extension SessionState {
    /// Takes a frame if there is room and nobody waits for it.
    ///
    /// - Parameters:
    ///   - job: The frame.
    ///   - time: Its presentation time.
    ///   - limit: How many frames may wait if those are more than usual.
    /// - Returns: What became of it, and whether the thread must be woken.
    mutating func submit(
        _ job: Job, at time: MediaTime, limit: Int = 0
    ) -> (admission: FrameAdmission, wakesThread: Bool) {
        if let error = (takesFrames ? nil : refusal()) ?? lateness(of: time) { return (.refused(error), false) }
        guard entrants.isEmpty, !isFull(within: limit), !isBehind else { return (.full, false) }
        let wakesThread = take(job, at: time)
        return (.taken(lastTaken), wakesThread)
    }

    /// Takes a frame, or lets its caller wait until there is room for it, behind those that wait already.
    ///
    /// Taken `always`, it is taken at once, after those.
    mutating func enter(
        _ job: Job, at time: MediaTime, id: Int, _ caller: Caller, always: Bool = false
    ) -> Released {
        if let error = wasCancelled(id) ? Self.cancellation : refusal() ?? lateness(of: time) {
            return Released(callers: [(caller, .refused(error))])
        }
        entrants.append(Entrant(id: id, job: job, time: time, caller: caller))
        if always { return admitAll() }
        var released = Released()
        if entrants.count == 1, !isFull(), !isBehind, let entrant = entrants.popFirst() { admit(entrant, &released) }
        return released
    }

    /// Queues something other than a frame behind the frames given so far.
    ///
    /// Frames whose callers still wait are taken before it, room or not, so that all take effect in the order of the
    /// calls.
    mutating func enqueue(_ job: Job, finishing: Bool = false) -> Result<Released, EncoderError> {
        if let error = refusal(ignoringReader: true) { return .failure(error) }
        var released = admitAll()
        if append(job) { released.wakesThread = true }
        if finishing { phase = .finishing }
        return .success(released)
    }

    /// Whether frames are taken where there is room.
    private var takesFrames: Bool { if case .running = phase { !wasReaderReleased } else { false } }

    /// Why a frame, or another job, is not taken now; nil where it is.
    func refusal(ignoringReader: Bool = false) -> EncoderError? {
        switch phase {
        case .running: ignoringReader ? nil : loss
        case .finishing, .finished:
            EncoderError(.invalidState, reason: "the session was finished", endsSession: true)
        case .failed, .invalidated: loss
        }
    }

    /// Why nobody takes what is encoded, or nothing is any more; nil where neither is so.
    var loss: EncoderError? {
        switch phase {
        case .failed(let error), .invalidated(let error): return error
        case .running, .finishing, .finished:
            return wasReaderReleased ? Self.readerRelease : nil
        }
    }

    static var readerRelease: EncoderError {
        EncoderError(
            .readerReleased, reason: "the reader of encodedFrames was released; nobody can take what is encoded")
    }

    /// Takes the frames of all callers that wait, room or not.
    mutating func admitAll() -> Released {
        var released = Released()
        while let entrant = entrants.popFirst() { admit(entrant, &released) }
        return released
    }

    /// Takes the frames of callers that wait, as far as there is room.
    mutating func admit(_ released: inout Released) {
        // Asked several times per frame, so the error is made where there is one.
        if !takesFrames, let error = refusal() {
            while let entrant = entrants.popFirst() { released.callers.append((entrant.caller, .refused(error))) }
        }
        guard hasRoomAgain else { return }
        while !isFull(), !isBehind, let entrant = entrants.popFirst() { admit(entrant, &released) }
    }

    private mutating func admit(_ entrant: Entrant, _ released: inout Released) {
        if take(entrant.job, at: entrant.time) { released.wakesThread = true }
        released.callers.append((entrant.caller, .taken(lastTaken)))
    }

    /// Whether callers who wait for room go on: when half of it is free, so that one switch of tasks serves several
    /// frames; as soon as there is any where the session is prompt.
    private var hasRoomAgain: Bool {
        isPrompt ? !isFull() : queuedFrames + outputs.count + (isHandling ? 1 : 0) <= capacity / 2
    }

    private func lateness(of time: MediaTime) -> EncoderError? {
        guard let last = entrants.last?.time ?? lastTime, time <= last else { return nil }
        return EncoderError(
            .outOfOrderTimestamp,
            reason: "presentation time \(time) after \(last), expected a larger one; the frame was not taken")
    }

    private mutating func take(_ job: Job, at time: MediaTime) -> Bool {
        noteTaken(job)
        lastTime = time
        submitted += 1
        queuedFrames += 1
        return append(job)
    }

    private mutating func append(_ job: Job) -> Bool {
        jobs.append(job)
        defer { isThreadIdle = false }
        return isThreadIdle
    }
}
