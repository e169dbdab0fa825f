// SPDX-License-Identifier: MIT

import DequeModule

/// What became of a frame that was offered to a session.
enum FrameAdmission: Sendable {
    /// It is in.
    case taken(TakenFrame)
    /// There is no room for it.
    case full
    /// Pictures are taken otherwise than its caller knows.
    case outdated
    case refused(EncoderError)
}

/// A frame that a session took.
struct TakenFrame: Sendable {
    /// The frame's number, counted from 1, where its caller then waits for ``SessionState/Condition/handled(_:)``,
    /// because the frames inside are limited; nil where there is nothing to wait for.
    let awaited: Int?
}

/// What a session's callers, thread and reader may do next: a pure state machine.
///
/// `Caller` and `Reader` are whatever lets one who waits go on; the machine hands them back exactly once.
struct SessionState<Job, Caller, Reader> {
    /// Where a session is in its life.
    enum Phase {
        case running
        /// The last frame is in; what is inside still comes out.
        case finishing
        case finished
        case failed(EncoderError)
        /// Nothing is asked of it any more; callers are told with this error.
        case invalidated(EncoderError)
    }

    /// What callers wait for, other than to have their frame taken.
    enum Condition {
        /// The encoder to have dealt with frame N, the number here, or frame N - ``mostHeld`` to be out; where there is
        /// a handler, it has also returned from what is out up to that frame.
        case handled(Int)
        /// So many events to be with the reader, or the handler to have returned from them.
        case delivered(Int)
        /// The handler to run no more.
        case handlerIdle
    }

    /// One who waits for a condition.
    struct Waiting {
        let id: Int
        let condition: Condition
        let caller: Caller
    }

    /// A frame whose caller waits until it is taken.
    struct Entrant {
        let id: Int
        let job: Job
        let time: MediaTime
        let caller: Caller
    }

    /// Who can go on after a step, and whether the thread must be woken for it.
    struct Released {
        var reader: Reader?
        /// With what became of the frame, for those who wait to have one taken.
        var callers: [(caller: Caller, admission: FrameAdmission?)] = []
        var wakesThread = false
    }

    /// Whether each frame is handed over as soon as it is encoded, whatever that costs.
    var isPrompt: Bool
    let noteTaken: @Sendable (Job) -> Void
    /// Frames that may wait for the encoder or, encoded, for the reader, before callers wait.
    var capacity: Int
    /// Frames that the encoder may hold; nil for no limit.
    var mostHeld: Int?
    var phase = Phase.running
    var jobs: Deque<Job> = []
    var queuedFrames = 0
    var outputs: Deque<EncodedFrame> = []
    /// Frames whose callers wait, in the order of the calls.
    var entrants: Deque<Entrant> = []
    var waiting: [Waiting] = []
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
    var reader: (id: Int, reader: Reader)?
    /// Whether somebody ever asked for frames.
    var wasRead = false
    var readers = 0
    /// Whether a handler takes the events, in place of readers.
    var hasHandler = false
    /// Whether the handler has an event that it has not returned from.
    var isHandling = false
    var isThreadIdle = false
    private var lastID = 0
    /// Presentation time of the last frame taken.
    var lastTime: MediaTime?
    /// Frames taken.
    var submitted = 0
    /// Frames the encoder has dealt with: the call with them returned.
    var handled = 0
    /// Events of frames, encoded or dropped.
    var emitted = 0
    /// Events that a reader took, or that the handler returned from.
    var delivered = 0
    /// Why deliveries are waited for no more, although the session had ended before; nil while they are.
    private(set) var abandonment: EncoderError?

    /// Makes the state of a session that takes frames.
    ///
    /// - Parameters:
    ///   - capacity: Frames that may wait for the encoder or, encoded, for the reader; 1 or more.
    ///   - mostHeld: Frames that the encoder may hold; nil for no limit.
    ///   - isPrompt: Whether each frame is handed over as soon as it is encoded.
    ///   - noteTaken: Called with each frame as it is taken.
    init(
        capacity: Int, mostHeld: Int? = nil, isPrompt: Bool = false,
        noteTaken: @escaping @Sendable (Job) -> Void = { _ in }
    ) {
        self.noteTaken = noteTaken
        self.capacity = capacity
        self.mostHeld = mostHeld
        self.isPrompt = isPrompt
    }

    /// Frames given that are neither encoded nor dropped and still can be.
    var pending: Int {
        switch phase {
        case .running, .finishing: submitted - emitted
        case .finished, .failed, .invalidated: 0
        }
    }

    /// Whether nothing comes out any more.
    var hasEnded: Bool {
        switch phase {
        case .running, .finishing: false
        case .finished, .failed, .invalidated: true
        }
    }

    var wasReaderReleased: Bool { wasRead && readers == 0 && !hasHandler }

    /// Whether there is no room for a frame, where so many may wait if those are more than usual.
    func isFull(within limit: Int = 0) -> Bool {
        queuedFrames + outputs.count + (isHandling ? 1 : 0) >= max(limit, capacity)
    }

    /// The frame that was taken last, for its caller.
    var lastTaken: TakenFrame { TakenFrame(awaited: mostHeld.flatMap { submitted > $0 ? submitted : nil }) }

    /// Whether more frames are inside than ``mostHeld`` and the encoder has yet to deal with the last one taken.
    ///
    /// An encoder that has dealt with all frames and still holds more gives none out before it gets another one, so
    /// waiting for it would not end.
    var isBehind: Bool {
        guard let mostHeld else { return false }
        return submitted - emitted > mostHeld && handled < submitted
    }

    // MARK: - Waits

    /// A number for one wait, by which it can be cancelled.
    mutating func makeWaitID() -> Int {
        lastID += 1
        return lastID
    }

    /// Lets a caller wait; hands it back at once when it need not (any more).
    mutating func wait(id: Int, for condition: Condition, _ caller: Caller) -> Caller? {
        if wasCancelled(id) || goesOn(condition) { return caller }
        waiting.append(Waiting(id: id, condition: condition, caller: caller))
        return nil
    }

    /// Ends the wait of a cancelled caller, also of one that is yet to begin it.
    mutating func cancelCaller(id: Int) -> Released {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            return Released(callers: [(waiting.remove(at: index).caller, nil)])
        }
        if let index = entrants.firstIndex(where: { $0.id == id }) {
            return Released(callers: [(entrants.remove(at: index).caller, .refused(Self.cancellation))])
        }
        cancelled.insert(id)
        return Released()
    }

    static var cancellation: EncoderError {
        EncoderError(.cancelled, reason: "the encoding task was cancelled; the frame was not taken")
    }

    /// Forgets a cancellation that came after its wait had ended.
    mutating func forget(id: Int) { _ = wasCancelled(id) }

    mutating func wasCancelled(_ id: Int) -> Bool {
        // Nearly always none was: nothing is hashed then.
        !cancelled.isEmpty && cancelled.remove(id) != nil
    }

    /// Whether one who waits for a condition waits no more.
    private func goesOn(_ condition: Condition) -> Bool {
        switch condition {
        case .handled(let number):
            if refusal() != nil { return true }
            let due = mostHeld.map { number - $0 } ?? number
            // A handler has had what is out by then; a reader comes for it when it likes.
            guard hasHandler else { return handled >= number || emitted >= due }
            return delivered >= (handled >= number ? min(due, emitted) : due)
        case .delivered(let count):
            if case .invalidated = phase { return true }
            if abandonment != nil { return true }
            return delivered >= count || wasReaderReleased
        case .handlerIdle: return !isHandling
        }
    }

    /// Ends the waits for the delivery of what a session that is over has encoded.
    ///
    /// - Parameters:
    ///   - error: What those who wait are told.
    ///   - sparingReader: Whether nothing changes while somebody reads, or a handler takes the events.
    /// - Returns: Everyone who waited, and what a handler does not get any more; a reader may still take it.
    mutating func abandonDeliveries(
        _ error: EncoderError, sparingReader: Bool
    ) -> (released: Released, discarded: Deque<EncodedFrame>) {
        var discarded: Deque<EncodedFrame> = []
        guard hasEnded, !sparingReader || readers == 0 && !hasHandler else { return (Released(), discarded) }
        if hasHandler { swap(&discarded, &outputs) }
        abandonment = abandonment ?? error
        return (release(), discarded)
    }

    /// Takes the frames that there is room for now, and hands back everybody who need not wait any more.
    mutating func release() -> Released {
        var released = Released()
        // Asked several times per frame: nothing is built or moved before somebody can go on.
        if !entrants.isEmpty { admit(&released) }
        guard !waiting.isEmpty, waiting.contains(where: { goesOn($0.condition) }) else { return released }
        for one in waiting where goesOn(one.condition) { released.callers.append((one.caller, nil)) }
        waiting = waiting.filter { !goesOn($0.condition) }
        return released
    }
}

extension SessionState {
    /// Lets the encoder hold as many frames as a configuration says, and hands frames over as promptly as it needs.
    mutating func hold(as configuration: SessionConfiguration) {
        mostHeld = configuration.maxFrameDelayCount
        isPrompt = configuration.realTime || configuration.maxFrameDelayCount != nil
    }
}
