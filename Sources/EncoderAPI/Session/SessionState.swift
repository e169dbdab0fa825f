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
        /// The encoder to have dealt with the frame of this number, or as many frames to be out as it need not hold.
        case handled(Int)
    }

    private struct Waiting {
        let id: Int
        let condition: Condition
        let writer: Writer
    }

    /// Whether each frame is handed over as soon as it is encoded, whatever that costs.
    let isPrompt: Bool
    /// Frames that may wait for the encoder or, encoded, for the reader, before `encode` suspends.
    var capacity: Int
    /// Frames that the encoder may hold; nil for no limit.
    let mostHeld: Int?
    private(set) var phase = Phase.running
    private var jobs: Deque<Job> = []
    private var queuedFrames = 0
    private var outputs: Deque<EncodedFrame> = []
    private var waiting: [Waiting] = []
    /// Waits that were cancelled before they began.
    private var cancelled: Set<Int> = []
    private var reader: (id: Int, reader: Reader)?
    private var wasRead = false
    private var readers = 0
    private var isThreadIdle = false
    private var lastID = 0
    private(set) var lastTime: MediaTime?
    /// Frames taken.
    private(set) var submitted = 0
    /// Frames the encoder has dealt with: the call with them returned.
    private(set) var handled = 0
    /// Events of frames, encoded or dropped.
    private(set) var emitted = 0

    /// Makes the state of a session that takes frames.
    ///
    /// - Parameters:
    ///   - capacity: Frames that may wait for the encoder or, encoded, for the reader; 1 or more.
    ///   - mostHeld: Frames that the encoder may hold; nil for no limit.
    ///   - isPrompt: Whether each frame is handed over as soon as it is encoded.
    init(capacity: Int, mostHeld: Int? = nil, isPrompt: Bool = false) {
        self.capacity = capacity
        self.mostHeld = mostHeld
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

    /// Whether more frames are inside than may be and the encoder has yet to deal with the last.
    ///
    /// Once it has dealt with all, nothing more comes out before another goes in, so there is nothing to wait for.
    private var isBehind: Bool {
        guard let mostHeld else { return false }
        return submitted - emitted > mostHeld && handled < submitted
    }

    /// Frames given that are neither encoded nor dropped and still can be.
    var pending: Int {
        switch phase {
        case .running, .finishing: submitted - emitted
        case .finished, .failed: 0
        }
    }

    /// Whether a waiting reader is worth a switch of tasks, which costs some percent of what encoding a small picture does.
    ///
    /// While more frames are queued the caller is ahead of the encoder, and a few encoded ones may gather; as soon as the
    /// encoder is ahead, which it is with a live source, the reader gets each at once.
    private var isReaderDue: Bool {
        !outputs.isEmpty && (isPrompt || jobs.isEmpty || outputs.count >= capacity / 2)
    }

    /// Hands back the waiting reader if it is due.
    private mutating func dueReader() -> Reader? {
        guard isReaderDue else { return nil }
        return takeReader()
    }

    private mutating func takeReader() -> Reader? {
        defer { reader = nil }
        return reader?.reader
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
        if isFull || isBehind { return .full }
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

    /// A number for one wait, by which it can be cancelled.
    mutating func makeWaitID() -> Int {
        lastID += 1
        return lastID
    }

    /// Suspends a writer; hands it back at once when it need not wait (any more).
    mutating func wait(id: Int, for condition: Condition, _ writer: Writer) -> Writer? {
        if wasCancelled(id) || !mustWait(for: condition) { return writer }
        waiting.append(Waiting(id: id, condition: condition, writer: writer))
        return nil
    }

    /// Ends the wait of a cancelled writer, also of one that is yet to begin it.
    mutating func cancelWriter(id: Int) -> Writer? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            cancelled.insert(id)
            return nil
        }
        return waiting.remove(at: index).writer
    }

    /// Forgets a cancellation that came after its wait had ended.
    mutating func forget(id: Int) { _ = wasCancelled(id) }

    private mutating func wasCancelled(_ id: Int) -> Bool {
        // Nearly always none was: nothing is hashed then.
        !cancelled.isEmpty && cancelled.remove(id) != nil
    }

    private func mustWait(for condition: Condition) -> Bool {
        guard !isOver else { return false }
        switch condition {
        case .room: return isFull || isBehind
        case .handled(let number): return !isHandled(number)
        }
    }

    private func isHandled(_ number: Int) -> Bool {
        handled >= number || (mostHeld.map { emitted >= number - $0 } ?? false)
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
        case .room: isOver || (hasRoomAgain && !isBehind)
        case .handled(let number): isOver || isHandled(number)
        }
    }

    /// Whether so much room is free that a task switch serves several frames; with a delay to keep, any.
    ///
    /// Where the encoder may hold few frames a writer also waits while there is room, and nobody need read meanwhile.
    private var hasRoomAgain: Bool {
        mostHeld == nil ? queuedFrames + outputs.count <= capacity / 2 : !isFull
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
        /// Before it sleeps, writers go on, and the reader gets what gathered for it.
        case resume(Reader?, released: [Writer])
        /// The encoder has pictures in flight, and nothing else is to do, or it takes no more: to wait for the next.
        case collect
        /// Nothing more, ever.
        case done
    }

    /// What to do next, after the job before is done; nil to sleep.
    mutating func nextWork(load: EncoderLoad, isFrame: (Job) -> Bool) -> Work? {
        handled = submitted - queuedFrames
        if load != .full, let job = jobs.popFirst() {
            if isFrame(job) { queuedFrames -= 1 }
            return .job(job, released: releasedWriters())
        }
        let released = releasedWriters()
        let due = dueReader()
        if due != nil || !released.isEmpty { return .resume(due, released: released) }
        switch phase {
        case .running, .finishing:
            if load != .idle { return .collect }
            isThreadIdle = true
            return nil
        case .finished, .failed: return .done
        }
    }

    /// Who can go on after something came out.
    struct Released {
        var reader: Reader?
        var writers: [Writer]
    }

    /// Takes what became of a frame; fails when the session is over and nobody shall see it.
    mutating func deliver(_ frame: EncodedFrame) -> Result<Released, EncoderError> {
        switch phase {
        case .running, .finishing: break
        case .finished: return .failure(EncoderError(.invalidState, reason: "the session was finished"))
        case .failed(let error): return .failure(error)
        }
        emitted += 1
        outputs.append(frame)
        return .success(Released(reader: dueReader(), writers: releasedWriters()))
    }

    /// Ends the session.
    ///
    /// - Parameters:
    ///   - error: Why, on a failure; nil after the last frame.
    ///   - event: What becomes of a frame that waits for the encoder, which the reader gets; nil for other jobs, and for
    ///     all where frames shall not come out any more.
    /// - Returns: Everyone who waits, and the jobs that will not be done.
    mutating func end(
        _ error: EncoderError?, event: (Job) -> EncodedFrame? = { _ in nil }
    ) -> (released: Released, abandoned: Deque<Job>) {
        switch phase {
        case .finished, .failed: return (Released(reader: nil, writers: []), [])
        case .running, .finishing: phase = error.map(Phase.failed) ?? .finished
        }
        var abandoned: Deque<Job> = []
        swap(&abandoned, &jobs)
        queuedFrames = 0
        for frame in abandoned.lazy.compactMap(event) {
            emitted += 1
            outputs.append(frame)
        }
        return (Released(reader: takeReader(), writers: releasedWriters()), abandoned)
    }
}

// MARK: - Reading

extension SessionState {
    /// What a reader finds.
    enum Delivery {
        case frame(EncodedFrame, released: [Writer])
        /// Nothing yet: to be waited for with this number.
        case wait(id: Int)
        /// Another reader waits already.
        case occupied
        case end(EncoderError?)
    }

    /// Takes the next frame, if one is there; `id` is that of the wait before, if there was one.
    mutating func read(after id: Int? = nil) -> Delivery {
        if let id { forget(id: id) }
        if reader != nil { return .occupied }
        if let frame = outputs.popFirst() { return .frame(frame, released: releasedWriters()) }
        switch phase {
        case .running, .finishing: return .wait(id: makeWaitID())
        case .finished: return .end(nil)
        case .failed(let error): return .end(error)
        }
    }

    /// Notes that somebody reads (again).
    mutating func attachReader() {
        wasRead = true
        readers += 1
    }

    /// What becomes of a reader that wants to wait.
    enum ReaderWait {
        case suspended
        /// There is something to read, or it was cancelled.
        case goesOn(Reader)
        /// Another reader waits already.
        case refused(Reader)
    }

    /// Suspends the reader if it must wait and is the only one.
    mutating func wait(id: Int, _ newcomer: Reader) -> ReaderWait {
        if wasCancelled(id) || !outputs.isEmpty { return .goesOn(newcomer) }
        switch phase {
        case .running, .finishing: break
        case .finished, .failed: return .goesOn(newcomer)
        }
        if reader != nil { return .refused(newcomer) }
        reader = (id, newcomer)
        return .suspended
    }

    /// Ends the wait of a cancelled reader, also of one that is yet to begin it.
    mutating func cancelReader(id: Int) -> Reader? {
        guard reader?.id == id else {
            cancelled.insert(id)
            return nil
        }
        return takeReader()
    }

    /// Notes that one reader less is there; after the last, hands back the writers that waited for room.
    mutating func releaseReader() -> [Writer] {
        readers -= 1
        return releasedWriters()
    }
}
