// SPDX-License-Identifier: MIT

import DequeModule

/// What a session's callers, thread and reader may do next: a pure state machine.
///
/// `Writer` and `Reader` are whatever resumes a suspended caller; the machine hands them back exactly once.
struct SessionState<Job, Writer, Reader> {
    /// Where a session is in its life.
    enum Phase {
        case running
        /// The last frame is in; what is inside still comes out.
        case finishing
        case finished
        case failed(EncoderError)
    }

    /// What suspended `encode` calls wait for.
    enum Condition {
        /// Room for one more frame.
        case room
        /// So many frames to be out.
        case emitted(Int)
    }

    private struct Waiting {
        let id: Int
        let condition: Condition
        let writer: Writer
    }

    /// Whether each frame is handed over as soon as it is encoded, whatever that costs.
    let isPrompt: Bool
    /// Frames that may wait for the encoder or, encoded, for the reader, before `encode` suspends.
    let capacity: Int
    private(set) var phase = Phase.running
    private var jobs: Deque<Job> = []
    private var queuedFrames = 0
    private var outputs: Deque<EncodedFrame> = []
    private var waiting: [Waiting] = []
    private var cancelledWriters: Set<Int> = []
    private var reader: Reader?
    private var wasRead = false
    private var readers = 0
    private var wasReaderCancelled = false
    private var isThreadIdle = false
    private(set) var lastTime: MediaTime?
    private(set) var submitted = 0
    private(set) var emitted = 0

    init(capacity: Int, isPrompt: Bool = false) {
        self.capacity = capacity
        self.isPrompt = isPrompt
    }

    /// Whether a reader ever asked for frames.
    var isRead: Bool { wasRead }

    /// The error that ended the session, if one did.
    var failure: EncoderError? {
        if case .failed(let error) = phase { return error }
        return nil
    }

    private var wasReaderReleased: Bool { wasRead && readers == 0 }

    private var isFull: Bool { queuedFrames + outputs.count >= capacity }

    /// Whether a waiting reader is worth a switch of tasks, which costs as much as encoding a small picture does in part.
    ///
    /// While more frames are queued the caller is ahead of the encoder, and a few encoded ones may gather; as soon as the
    /// encoder is ahead, which it is with a live source, the reader gets each at once.
    private var isReaderDue: Bool {
        !outputs.isEmpty && (isPrompt || jobs.isEmpty || outputs.count >= capacity / 2)
    }

    /// Hands back the waiting reader if it is due.
    private mutating func dueReader() -> Reader? {
        guard isReaderDue else { return nil }
        defer { reader = nil }
        return reader
    }
}

// MARK: - Writing

extension SessionState {
    /// What a frame meets.
    enum Submission {
        /// It is in; the thread must be woken if it sleeps. The number counts frames from 1.
        case accepted(number: Int, wakesThread: Bool)
        case full
        case refused(EncoderError)
    }

    /// Takes a frame if there is room.
    mutating func submit(_ job: Job, at time: MediaTime) -> Submission {
        if let error = refusal() { return .refused(error) }
        if let lastTime, time <= lastTime {
            return .refused(
                EncoderError(
                    .outOfOrderTimestamp,
                    reason:
                        "presentation time \(time) after \(lastTime), expected a larger one; the frame was not taken"
                ))
        }
        if isFull { return .full }
        lastTime = time
        submitted += 1
        queuedFrames += 1
        return .accepted(number: submitted, wakesThread: append(job))
    }

    /// Queues something other than a frame behind the frames given so far; true when the thread must be woken.
    mutating func enqueue(_ job: Job, finishing: Bool) -> Result<Bool, EncoderError> {
        if let error = refusal(ignoringReader: true) { return .failure(error) }
        if finishing { phase = .finishing }
        return .success(append(job))
    }

    private mutating func append(_ job: Job) -> Bool {
        jobs.append(job)
        defer { isThreadIdle = false }
        return isThreadIdle
    }

    private func refusal(ignoringReader: Bool = false) -> EncoderError? {
        switch phase {
        case .running:
            guard wasReaderReleased, !ignoringReader else { return nil }
            return EncoderError(
                .readerReleased, reason: "the reader of encodedFrames was released; nobody can take what is encoded")
        case .finishing, .finished: return EncoderError(.invalidState, reason: "the session was finished")
        case .failed(let error): return error
        }
    }

    /// Suspends a writer; hands it back at once when it need not wait (any more).
    mutating func wait(id: Int, for condition: Condition, _ writer: Writer) -> Writer? {
        if cancelledWriters.remove(id) != nil || !mustWait(for: condition) { return writer }
        waiting.append(Waiting(id: id, condition: condition, writer: writer))
        return nil
    }

    /// Ends the wait of a cancelled writer, also of one that is yet to begin it.
    mutating func cancelWriter(id: Int) -> Writer? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            cancelledWriters.insert(id)
            return nil
        }
        return waiting.remove(at: index).writer
    }

    /// Forgets a cancellation that came after its wait had ended.
    mutating func forgetWriter(id: Int) { cancelledWriters.remove(id) }

    private func mustWait(for condition: Condition) -> Bool {
        guard !isOver else { return false }
        switch condition {
        case .room: return isFull
        case .emitted(let count): return emitted < count
        }
    }

    /// Writers that can go on.
    ///
    /// Those that want room wait until half of it is free, so that one switch of tasks serves several frames.
    private mutating func releasedWriters() -> [Writer] {
        // Asked several times per frame: nothing is built or moved before somebody can go on.
        guard waiting.contains(where: { goesOn($0) }) else { return [] }
        let released = waiting.filter { goesOn($0) }
        waiting = waiting.filter { !goesOn($0) }
        return released.map(\.writer)
    }

    private func goesOn(_ entry: Waiting) -> Bool {
        switch entry.condition {
        case .room: isOver || queuedFrames + outputs.count <= capacity / 2
        case .emitted(let count): isOver || emitted >= count
        }
    }

    /// Whether frames are refused from now on.
    private var isOver: Bool {
        if case .running = phase { return wasReaderReleased }
        return true
    }
}

// MARK: - The session's thread

extension SessionState {
    /// What the thread does next.
    enum Work {
        /// The next job, and the writers that can go on.
        case job(Job, released: [Writer])
        /// Before it sleeps, the reader gets what gathered for it.
        case resume(Reader)
        /// Nothing more, ever.
        case done
    }

    /// What to do next; nil to sleep.
    mutating func nextWork(isFrame: (Job) -> Bool) -> Work? {
        if let job = jobs.popFirst() {
            if isFrame(job) { queuedFrames -= 1 }
            return .job(job, released: releasedWriters())
        }
        if let reader = dueReader() { return .resume(reader) }
        switch phase {
        case .running, .finishing:
            isThreadIdle = true
            return nil
        case .finished, .failed: return .done
        }
    }

    /// Takes an encoded frame; hands back the reader if it waits, and the writers that can go on.
    mutating func deliver(_ frame: EncodedFrame) -> (reader: Reader?, released: [Writer]) {
        emitted += 1
        outputs.append(frame)
        return (dueReader(), releasedWriters())
    }

    /// Ends the session; hands back everyone who waits and, on a failure, the jobs that will not be done.
    mutating func end(_ error: EncoderError?) -> (reader: Reader?, released: [Writer], abandoned: Deque<Job>) {
        switch phase {
        case .finished, .failed: return (nil, [], [])
        case .running, .finishing: phase = error.map(Phase.failed) ?? .finished
        }
        var abandoned: Deque<Job> = []
        swap(&abandoned, &jobs)
        queuedFrames = 0
        defer { reader = nil }
        return (reader, releasedWriters(), abandoned)
    }
}

// MARK: - Reading

extension SessionState {
    /// What a reader finds.
    enum Delivery {
        case frame(EncodedFrame, released: [Writer])
        case wait
        case end(EncoderError?)
    }

    /// Takes the next encoded frame, if one is there.
    mutating func read() -> Delivery {
        if let frame = outputs.popFirst() { return .frame(frame, released: releasedWriters()) }
        switch phase {
        case .running, .finishing: return .wait
        case .finished: return .end(nil)
        case .failed(let error): return .end(error)
        }
    }

    /// Notes that somebody reads (again).
    mutating func attachReader() {
        wasRead = true
        readers += 1
    }

    /// Suspends the reader; hands it back at once when there is something to read or it was cancelled.
    mutating func wait(_ reader: Reader) -> Reader? {
        defer { wasReaderCancelled = false }
        guard outputs.isEmpty, !wasReaderCancelled else { return reader }
        switch phase {
        case .running, .finishing: self.reader = reader
        case .finished, .failed: return reader
        }
        return nil
    }

    /// Whether a reader waits: a second one must not.
    var isReaderWaiting: Bool { reader != nil }

    /// Ends the wait of a cancelled reader, also of one that is yet to begin it.
    mutating func cancelReader() -> Reader? {
        wasReaderCancelled = reader == nil
        defer { reader = nil }
        return reader
    }

    /// Notes that one reader less is there; after the last, hands back the writers that waited for room.
    mutating func releaseReader() -> [Writer] {
        readers -= 1
        return releasedWriters()
    }
}
