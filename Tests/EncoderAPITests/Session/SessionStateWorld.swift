// SPDX-License-Identifier: MIT

@testable import EncoderAPI

/// A ``SessionState`` with everyone around it reduced to numbers: writers, a reader, and a thread that keeps some frames.
///
/// Each step is what the shell around the state would do under its lock, and is judged at once.
struct SessionStateWorld {
    typealias State = SessionState<Job, Int, Int>

    enum Job: Equatable {
        case frame
        case control
        case finish
    }

    enum Step: CaseIterable {
        case encode
        case encodeLate
        case complete
        case finish
        case invalidate
        case thread
        case read
        case leave
        case cancelWriter
        case cancelReader
    }

    private enum Thread: Equatable {
        /// It will ask for work.
        case awake
        case asleep
        case gone
    }

    private var state: State
    private let keeps: Int
    /// Frames that the encoder takes in flight; 0 where all come out of the job that takes them.
    private let depth: Int
    private var thread = Thread.awake
    private var inside = 0
    private var time: Int64 = 0
    /// Writers that wait, and for what.
    private var writers: [Int: State.Condition] = [:]
    private var readers: Set<Int> = []
    private var isAttached = false
    private var readCount = 0
    private var wasFinished = false
    private(set) var complaint: String?

    /// - Parameters:
    ///   - capacity: As for the state.
    ///   - mostHeld: As for the state.
    ///   - isPrompt: As for the state.
    ///   - keeps: Frames that the encoder keeps until it is flushed.
    ///   - depth: Frames that the encoder takes in flight.
    init(capacity: Int, mostHeld: Int?, isPrompt: Bool, keeps: Int, depth: Int) {
        state = State(capacity: capacity, mostHeld: mostHeld, isPrompt: isPrompt)
        self.keeps = keeps
        self.depth = depth
    }

    /// Takes a step; false when it makes no sense now.
    mutating func take(_ step: Step) -> Bool {
        switch step {
        case .encode: return submit(later: true)
        case .encodeLate: return submit(later: false)
        case .complete: enqueue(.control, finishing: false)
        case .finish: enqueue(.finish, finishing: true)
        case .invalidate: end(EncoderError(.invalidated, reason: ""))
        case .thread:
            guard thread == .awake else { return false }
            runThread()
        case .read: return read()
        case .leave:
            guard isAttached, readers.isEmpty else { return false }
            isAttached = false
            release(state.releaseReader())
        case .cancelWriter:
            guard let id = writers.keys.min() else { return false }
            if let writer = state.cancelWriter(id: id) { release([writer]) }
            if writers[id] != nil { complain("a cancelled writer goes on waiting") }
        case .cancelReader:
            guard let id = readers.first else { return false }
            if let reader = state.cancelReader(id: id) { release(reader: reader) }
            if readers.contains(id) { complain("a cancelled reader goes on waiting") }
        }
        judge()
        return true
    }

    // MARK: - Steps

    private mutating func submit(later: Bool) -> Bool {
        // One writer at a time: a second one finds the same state.
        guard writers.isEmpty, later || time > 0 else { return false }
        let now = MediaTime(value: later ? time + 1 : time, timescale: 30)
        switch state.submit(.frame, at: now) {
        case .accepted(let number, let wakes):
            if !later { complain("a frame that is not later was taken") }
            time += 1
            wake(wakes)
            if state.mostHeld != nil { wait(for: .handled(number)) }
        case .full:
            if later { wait(for: .room) } else { complain("a frame that is not later was told to wait") }
        case .refused(let error):
            if later, error.code == .outOfOrderTimestamp { complain("a later frame was called late") }
        }
        judge()
        return true
    }

    private mutating func wait(for condition: State.Condition) {
        let id = state.makeWaitID()
        writers[id] = condition
        if let writer = state.wait(id: id, for: condition, id) { release([writer]) }
    }

    private mutating func enqueue(_ job: Job, finishing: Bool) {
        switch state.enqueue(job, finishing: finishing) {
        case .success(let wakes): wake(wakes)
        case .failure(let error): if error.code == .readerReleased { complain("a control job needs no reader") }
        }
    }

    private mutating func wake(_ wakes: Bool) {
        if thread == .asleep, !wakes { complain("the thread sleeps on while there is work") }
        if thread == .asleep { thread = .awake }
    }

    private mutating func runThread() {
        switch state.nextWork(load: load, isFrame: { $0 == .frame }) {
        case .job(let job, let released):
            release(released)
            if job == .frame { inside += 1 }
            if depth > 0, inFlight > depth { complain("\(inFlight) frames in flight, expected at most \(depth)") }
            // As many may be inside as are held, and as may be in flight with the delay that is to be kept.
            let rest = keeps + min(depth, state.mostHeld.map { max($0 - keeps, 0) } ?? depth)
            while inside > (job == .frame ? rest : 0) { deliver() }
            if job == .finish { end(nil) }
        case .resume(let reader, let released):
            release(released)
            if let reader { release(reader: reader) }
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
        case .success(let released):
            release(released.writers)
            if let reader = released.reader { release(reader: reader) }
        case .failure: inside = 0
        }
    }

    private mutating func end(_ error: EncoderError?) {
        let ended = state.end(error)
        if thread == .asleep { thread = .awake }
        release(ended.released.writers)
        if let reader = ended.released.reader { release(reader: reader) }
    }

    private mutating func read() -> Bool {
        guard readers.isEmpty else { return false }
        if !isAttached { state.attachReader() }
        isAttached = true
        switch state.read() {
        case .frame(_, let released):
            readCount += 1
            release(released)
        case .wait(let id):
            switch state.wait(id: id, id) {
            case .suspended: readers.insert(id)
            case .goesOn: complain("a reader was told to wait and then not to")
            case .refused: complain("the only reader was refused")
            }
        case .occupied: complain("the only reader was told of another")
        case .end: break
        }
        judge()
        return true
    }

    // MARK: - Judging

    private mutating func release(_ released: [Int]) {
        for id in released where writers.removeValue(forKey: id) == nil { complain("writer \(id) goes on twice") }
    }

    private mutating func release(reader id: Int) {
        if readers.remove(id) == nil { complain("reader \(id) goes on twice") }
    }

    private mutating func judge() {
        let isOver: Bool =
            switch state.phase {
            case .finished, .failed: true
            case .running, .finishing: false
            }
        if isOver, !writers.isEmpty || !readers.isEmpty { complain("somebody waits for a session that is over") }
        guard thread == .asleep else { return }
        if inFlight > 0, !isOver { complain("the thread sleeps while \(inFlight) frames are in flight") }
        let unread = state.emitted - readCount
        if !readers.isEmpty, unread > 0 { complain("the reader waits although \(unread) frames are there") }
        for condition in writers.values {
            switch condition {
            case .handled: complain("a writer waits for an encoder that has nothing to do")
            case .room:
                if unread == 0 || (state.mostHeld != nil && unread < state.capacity) {
                    complain("a writer waits for room with \(unread) of \(state.capacity) frames unread")
                }
            }
        }
        if !isOver, state.pending != inside { complain("\(state.pending) pending, \(inside) inside") }
    }

    private mutating func complain(_ text: String) { complaint = complaint ?? text }
}
