// SPDX-License-Identifier: MIT

@testable import EncoderAPI

/// A ``SessionState`` with everyone around it reduced to numbers: callers, a reader or a handler, and a thread that
/// keeps some frames.
///
/// Each step is what the shell around the state would do under its lock, and is judged at once.
struct SessionStateWorld {
    typealias State = SessionState<Job, Int, Int>

    /// Jobs are numbered in the order of the calls, which is the order in which the thread must come to them.
    enum Job: Equatable {
        case frame(Int)
        case control(Int)
        case finish(Int)

        var number: Int {
            switch self {
            case .frame(let number), .control(let number), .finish(let number): number
            }
        }

        var isFrame: Bool { if case .frame = self { true } else { false } }
    }

    enum Step: CaseIterable {
        case encode
        case encodeLate
        /// A frame of a caller who does not wait.
        case drop
        case complete
        case awaitDelivery
        case finish
        case invalidate
        case thread
        /// A reader asks for a frame, or the handler returns from one.
        case read
        case leave
        case cancelCaller
        case cancelReader
    }

    private enum Thread: Equatable {
        /// It will ask for work.
        case awake
        case asleep
        case gone
    }

    /// What a waiting caller waits for.
    private enum Wait {
        /// To have its frame of this time taken.
        case room(Int64)
        case condition(State.Condition)
    }

    private var state: State
    private let keeps: Int
    /// Frames that the encoder takes in flight; 0 where all come out of the job that takes them.
    private let depth: Int
    private var thread = Thread.awake
    private var inside = 0
    private var time: Int64 = 0
    /// The largest time of a frame taken.
    private var takenTime: Int64 = 0
    private var calls = 0
    private var lastCall = 0
    private var callers: [Int: Wait] = [:]
    private var readers: Set<Int> = []
    private var isAttached = false
    /// Whether a handler takes the frames, and what it is about; nil while it waits to be asked.
    private let hasHandler: Bool
    private var handlerHasReturned: Bool?
    private var isInHandler = false
    private var readCount = 0
    private(set) var complaint: String?

    /// - Parameters:
    ///   - capacity: As for the state.
    ///   - mostHeld: As for the state.
    ///   - isPrompt: As for the state.
    ///   - keeps: Frames that the encoder keeps until it is flushed.
    ///   - depth: Frames that the encoder takes in flight.
    ///   - hasHandler: Whether a handler takes the frames.
    init(capacity: Int, mostHeld: Int?, isPrompt: Bool, keeps: Int, depth: Int, hasHandler: Bool) {
        state = State(capacity: capacity, mostHeld: mostHeld, isPrompt: isPrompt)
        self.keeps = keeps
        self.depth = depth
        self.hasHandler = hasHandler
        if hasHandler, !state.attachHandler(0) { complain("a handler of a new session was refused") }
    }

    /// Takes a step; false when it makes no sense now.
    mutating func take(_ step: Step) -> Bool {
        switch step {
        case .encode: guard encode(later: true, waits: true) else { return false }
        case .encodeLate: guard lastTime > 0, encode(later: false, waits: true) else { return false }
        case .drop: guard encode(later: true, waits: false) else { return false }
        case .complete: enqueue({ .control($0) }, finishing: false)
        case .awaitDelivery:
            guard callers.count < 2 else { return false }
            wait(for: .delivered(state.emitted))
        case .finish: enqueue({ .finish($0) }, finishing: true)
        case .invalidate:
            end(.invalidated(EncoderError(.invalidated, reason: "")))
            if hasHandler { wait(for: .handlerIdle) }
        case .thread:
            guard thread == .awake else { return false }
            runThread()
        case .read: guard hasHandler ? handle() : read() else { return false }
        case .leave:
            guard isAttached, readers.isEmpty else { return false }
            isAttached = false
            follow(state.releaseReader())
        case .cancelCaller:
            guard let id = callers.keys.min() else { return false }
            follow(state.cancelCaller(id: id))
            if callers[id] != nil { complain("a cancelled caller goes on waiting") }
        case .cancelReader:
            guard let id = readers.first else { return false }
            if let reader = state.cancelReader(id: id) { release(reader: reader) }
            if readers.contains(id) { complain("a cancelled reader goes on waiting") }
        }
        judge()
        return true
    }

    // MARK: - Steps

    /// The largest time of a frame that was taken, or whose caller waits.
    private var lastTime: Int64 {
        callers.values.reduce(takenTime) { last, wait in
            if case .room(let time) = wait { max(last, time) } else { last }
        }
    }

    private mutating func encode(later: Bool, waits: Bool) -> Bool {
        guard callers.count < 2 else { return false }
        if later { time += 1 }
        let now = MediaTime(value: later ? time : lastTime, timescale: 30)
        calls += 1
        let (admission, wakes) = state.submit(.frame(calls), at: now)
        switch admission {
        case .taken(let frame):
            if !later { complain("a frame that is not later was taken") }
            takenTime = time
            wake(wakes)
            if waits, let number = frame.awaited { wait(for: .handled(number)) }
        case .outdated: complain("a frame was compared with how pictures are taken, which the state does not know")
        case .full:
            guard later else {
                complain("a frame that is not later was told to wait")
                return true
            }
            guard waits else { return true }
            let id = state.makeWaitID()
            callers[id] = .room(time)
            follow(state.enter(.frame(calls), at: now, id: id, id))
        case .refused(let error):
            if later, error.code == .outOfOrderTimestamp { complain("a later frame was called late") }
        }
        return true
    }

    private mutating func wait(for condition: State.Condition) {
        let id = state.makeWaitID()
        callers[id] = .condition(condition)
        if let caller = state.wait(id: id, for: condition, id) { release([(caller, nil)]) }
    }

    private mutating func enqueue(_ job: (Int) -> Job, finishing: Bool) {
        calls += 1
        switch state.enqueue(job(calls), finishing: finishing) {
        case .success(let released):
            if callers.values.contains(where: { if case .room = $0 { true } else { false } }), released.callers.isEmpty
            {
                complain("a job overtook a frame whose caller waits")
            }
            if thread == .asleep, !released.wakesThread { complain("the thread sleeps on while there is work") }
            follow(released)
        case .failure(let error): if error.code == .readerReleased { complain("a control job needs no reader") }
        }
    }

    private mutating func follow(_ released: State.Released) {
        if released.wakesThread { wake(true) }
        release(released.callers)
        if let reader = released.reader { release(reader: reader) }
    }

    private mutating func wake(_ wakes: Bool) {
        if thread == .asleep, !wakes { complain("the thread sleeps on while there is work") }
        if thread == .asleep { thread = .awake }
    }

    private mutating func runThread() {
        switch state.nextWork(load: load, isFrame: \.isFrame) {
        case .job(let job, let released):
            if job.number <= lastCall { complain("call \(job.number) takes effect after call \(lastCall)") }
            lastCall = job.number
            follow(released)
            if job.isFrame { inside += 1 }
            if depth > 0, inFlight > depth { complain("\(inFlight) frames in flight, expected at most \(depth)") }
            // As many may be inside as are held, and as may be in flight with the delay that is to be kept.
            let rest = keeps + min(depth, state.mostHeld.map { max($0 - keeps, 0) } ?? depth)
            while inside > (job.isFrame ? rest : 0) { deliver() }
            if case .finish = job { end(.finished) }
        case .resume(let released): follow(released)
        case .collect:
            if inFlight == 0 { complain("the thread waits for frames, but none is in flight") } else { deliver() }
        case .done: thread = .gone
        case nil: thread = .asleep
        }
    }

    private var inFlight: Int { max(inside - keeps, 0) }

    private var load: EncoderLoad { inFlight == 0 ? .idle : (inFlight < depth ? .busy : .full) }

    private mutating func deliver() {
        inside -= 1
        let event = EncodedFrame(outcome: .dropped(.rateControl), presentationTime: .zero, decodeTime: .zero)
        switch state.deliver(event) {
        case .success(let released): follow(released)
        case .failure: inside = 0
        }
    }

    private mutating func end(_ phase: State.Phase) {
        let ended = state.end(phase)
        if thread == .asleep { thread = .awake }
        follow(ended.released)
    }

    private mutating func read() -> Bool {
        guard readers.isEmpty else { return false }
        if !isAttached { state.attachReader() }
        isAttached = true
        switch state.read() {
        case .frame(_, let released):
            readCount += 1
            follow(released)
        case .wait(let id):
            switch state.wait(id: id, id) {
            case .suspended: readers.insert(id)
            case .goesOn: complain("a reader was told to wait and then not to")
            case .refused: complain("the only reader was refused")
            }
        case .occupied: complain("the only reader was told of another")
        case .end: break
        }
        return true
    }

    private mutating func handle() -> Bool {
        guard let hasReturned = handlerHasReturned else { return false }
        if hasReturned { readCount += 1 }
        let event = state.nextEvent(for: 0, hasReturned: hasReturned)
        let released = state.release()
        isInHandler = event != nil
        handlerHasReturned = event == nil ? nil : true
        if isInHandler, case .invalidated = state.phase { complain("the handler is called after invalidate") }
        follow(released)
        return true
    }

    // MARK: - Judging

    private mutating func release(_ released: [(caller: Int, admission: FrameAdmission?)]) {
        for (id, admission) in released {
            guard let wait = callers.removeValue(forKey: id) else {
                complain("caller \(id) goes on twice")
                continue
            }
            switch (wait, admission) {
            case (.room(let time), .taken(let frame)):
                takenTime = max(takenTime, time)
                if let number = frame.awaited { self.wait(for: .handled(number)) }
            case (.room, .refused(let error)) where error.code == .cancelled || state.refusal() != nil: break
            case (.condition, nil): break
            default: complain("caller \(id) was told \(String(describing: admission))")
            }
        }
    }

    private mutating func release(reader id: Int) {
        if hasHandler {
            if handlerHasReturned != nil { complain("the handler is called twice at once") }
            handlerHasReturned = false
        } else if readers.remove(id) == nil {
            complain("reader \(id) goes on twice")
        }
    }

    private mutating func judge() {
        let isOver = state.hasEnded
        if isOver, !readers.isEmpty { complain("a reader waits for a session that is over") }
        let unread = state.emitted - readCount
        for case .condition(let condition) in callers.values {
            switch condition {
            case .handled: if isOver { complain("a caller waits for a session that is over") }
            case .delivered(let count): if readCount >= count { complain("a caller waits for what was delivered") }
            case .handlerIdle: if !isInHandler { complain("a caller waits for a handler that does not run") }
            }
        }
        let waitForRoom = callers.values.contains { if case .room = $0 { true } else { false } }
        if isOver, waitForRoom { complain("a caller waits for a session that is over") }
        guard thread == .asleep else { return }
        if inFlight > 0, !isOver { complain("the thread sleeps while \(inFlight) frames are in flight") }
        if unread > 0, !readers.isEmpty { complain("the reader waits although \(unread) frames are there") }
        if unread > 0, hasHandler, handlerHasReturned == nil, !isOver {
            complain("the handler is not called although \(unread) frames are there")
        }
        for case .condition(.handled) in callers.values where !hasHandler || unread == 0 {
            complain("a caller waits for an encoder that has nothing to do")
        }
        if waitForRoom, unread == 0 || (state.isPrompt && unread < state.capacity) {
            complain("a caller waits for room with \(unread) of \(state.capacity) frames unread")
        }
        if !isOver, state.pending != inside { complain("\(state.pending) pending, \(inside) inside") }
    }

    private mutating func complain(_ text: String) { complaint = complaint ?? text }
}
