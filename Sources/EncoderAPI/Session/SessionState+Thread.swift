// SPDX-License-Identifier: MIT

import DequeModule

/// The session's thread: what it does next, and what it tells.
extension SessionState {
    /// What the thread does next.
    enum Work {
        /// The next job, and who can go on.
        case job(Job, Released)
        /// Before it sleeps, callers go on, and the reader gets what gathered for it.
        case resume(Released)
        /// The encoder has pictures in flight, and nothing else is to do, or it takes no more: to wait for the next.
        case collect
        /// Nothing more, ever.
        case done
    }

    /// What to do next, after the job before is done; nil to sleep.
    mutating func nextWork(load: EncoderLoad, isFrame: (Job) -> Bool) -> Work? {
        handled = submitted - queuedFrames
        // A delivery that somebody waits for must not wait for the next frame's encoding.
        if isDeliveryAwaited, let reader = dueReader() { return .resume(Released(reader: reader)) }
        if load != .full, let job = jobs.popFirst() {
            if isFrame(job) { queuedFrames -= 1 }
            return .job(job, release())
        }
        var released = release()
        released.reader = dueReader()
        if released.reader != nil || !released.callers.isEmpty { return .resume(released) }
        guard !hasEnded else { return .done }
        if load != .idle { return .collect }
        isThreadIdle = true
        return nil
    }

    /// Takes what became of a frame; fails when the session is over and nobody shall see it.
    mutating func deliver(_ frame: EncodedFrame) -> Result<Released, EncoderError> {
        if hasEnded, let error = refusal() { return .failure(error) }
        emitted += 1
        outputs.append(frame)
        let due = dueReader()
        var released = release()
        released.reader = due
        return .success(released)
    }

    /// Ends the session.
    ///
    /// - Parameters:
    ///   - phase: How: finished, failed or invalidated.
    ///   - event: What becomes of a frame that waits for the encoder, which the reader gets; nil for other jobs, and
    ///     for all where frames shall not come out any more.
    /// - Returns: Everyone who waits, the jobs that will not be done, and what a handler does not get any more with the
    ///   handler.
    mutating func end(
        _ phase: Phase, event: (Job) -> EncodedFrame? = { _ in nil }
    ) -> (released: Released, abandoned: Deque<Job>, discarded: (Deque<EncodedFrame>, Reader?)) {
        var discarded: (Deque<EncodedFrame>, Reader?) = ([], nil)
        guard !hasEnded else { return (Released(), [], discarded) }
        self.phase = phase
        var abandoned: Deque<Job> = []
        swap(&abandoned, &jobs)
        queuedFrames = 0
        for frame in abandoned.lazy.compactMap(event) {
            emitted += 1
            outputs.append(frame)
        }
        if case .invalidated = phase, hasHandler {
            // Handlers get nothing any more; readers may still take what was encoded.
            swap(&discarded.0, &outputs)
            discarded.1 = takeReader()
        }
        let reader = takeReader()
        var released = release()
        released.reader = reader
        return (released, abandoned, discarded)
    }
}
