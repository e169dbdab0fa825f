// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaIO

/// One output of a broadcast: its queue, which any thread fills, and its thread, which empties it.
///
/// All calls of libraries are made on the thread, but for those of ``writeHere(moreFollows:)``. The lock is held for
/// moments only.
final class OutputRunner: Sendable {
    /// Who may use ``desk``.
    enum Turn: Sendable {
        /// Nobody does.
        case free
        /// The output's thread.
        case thread
        /// A thread that gives packets.
        case giver
    }

    /// What is open, and what waits for it outside the queue.
    final class Desk: @unchecked Sendable {
        // Unchecked: only who has the turn looks at it.

        var session: OutputSession
        /// What was taken from the queue behind a packet that another file begins with.
        var rest: ArraySlice<MediaPacket> = []

        init(_ session: OutputSession) { self.session = session }
    }

    struct State {
        var lifecycle: PublishLifecycle
        var queue: OutputQueue
        var formats: TrackTable<TrackFormat>
        var statistics: OutputStatistics
        var refusals = RefusalMemory()
        var isFinishing = false
        /// Who writes; the output's thread gives its turn up only while it sleeps for want of something to do.
        var turn = Turn.thread
        /// Whether a thread that gives packets waits for its turn, before which the output's thread takes no packets.
        var isTurnWanted = false
        /// Whether what is open is a file on disk, which threads that give packets may write themselves.
        var isOnDisk = false
        /// Packets taken from the queue that are neither written nor given back.
        var packetsInHand = 0
        /// Packets of a file or folder that were written, for the thread that gives packets to let go of: where memory
        /// is freed by the thread that allocated it, the threads do not wait for each other's part of the heap.
        var spent: [[MediaPacket]] = []
        /// Those who wait for room in the queue.
        var waiting: [OneShot] = []
        var isOver = false
        /// Those who wait for the thread's end.
        var waitingForEnd: [OneShot] = []

        /// Whether nothing that was given waits to be written or is missing, and nobody waits for a file or connection
        /// to be completed, or to be opened in a time that is over now.
        func isComplete(whenGivenUpFor code: PublishingError.Code) -> Bool {
            let isOpening = lifecycle.state == .connecting && code == .timedOut
            return queue.isEmpty && packetsInHand == 0 && !queue.isWithoutEnd
                && !(isFinishing && (lifecycle.state.isPublishing || isOpening))
        }
    }

    let id: OutputID
    let output: Output
    let tracks: [TrackID]
    let deadline: Deadline
    let lock: SessionLock<State>
    let desk: Desk
    let events: EventStream
    let wantKeyFrame: @Sendable () -> Bool

    /// Starts the output's thread.
    ///
    /// - Parameters:
    ///   - output: Checked before.
    ///   - id: Tells it from others.
    ///   - tracks: All of the broadcast.
    ///   - formats: Of the tracks that are known.
    ///   - isJoining: Whether packets have come already.
    ///   - events: Where what happens is told, beginning with the state of connecting.
    ///   - wantKeyFrame: Asks for a key frame to begin with; false where it is too early to ask again.
    /// - Throws: ``PublishingError`` when the system gives no thread.
    init(
        _ output: Output, id: OutputID, tracks: [TrackID], formats: TrackTable<TrackFormat>,
        isJoining: Bool, events: EventStream, wantKeyFrame: @escaping @Sendable () -> Bool
    ) throws(PublishingError) {
        self.id = id
        self.output = output
        let tracks = tracks.filter(output.takes)
        let deadline = Deadline()
        (self.tracks, self.deadline) = (tracks, deadline)
        desk = Desk(OutputSession(output, tracks: tracks, deadline: deadline))
        self.events = events
        self.wantKeyFrame = wantKeyFrame
        var lifecycle = PublishLifecycle(policy: output.isLive ? output.retries : .never)
        // Before the thread runs, so that an end which comes at once is one of an output that was to open.
        lifecycle.handle(.start, at: .now)
        lock = SessionLock(
            State(
                lifecycle: lifecycle,
                queue: OutputQueue(output, tracks: tracks, isJoining: isJoining), formats: formats,
                statistics: OutputStatistics(name: output.name)))
        do throws(EncoderError) {
            // Posted before the thread can post what follows.
            events.post(.state(id, name: output.name, .connecting))
            try SessionThread.start { self.run() }
        } catch {
            let failure = PublishingError(
                .outOfMemory, reason: error.reason, output: output.name, status: error.status)
            events.post(.state(id, name: output.name, .failed(failure)))
            throw failure
        }
    }
}

// MARK: - For any thread

extension OutputRunner {
    /// Takes notice of the first packet of each track and their formats, before any is given.
    func begin(with first: [MediaPacket], formats: TrackTable<TrackFormat>) {
        lock.withLock { state in
            state.queue.begin(with: first)
            state.formats = formats
        }
    }

    /// Takes packets; returns at once, and leaves it to the caller to tell what was posted.
    ///
    /// - Parameters:
    ///   - packets: The packets.
    ///   - formats: Those of all tracks with these packets; nil where none has changed.
    ///   - wakes: Whether the output's thread is told; false where ``writeHere(moreFollows:)`` follows.
    func push(_ packets: [MediaPacket], formats: TrackTable<TrackFormat>?, wakes: Bool) {
        // Let go of behind the lock.
        let spent = lock.withLock { state in
            let spent = exchange(&state.spent, with: [])
            guard !state.lifecycle.state.isFinal, !state.isFinishing else { return spent }
            for packet in packets where tracks.contains(packet.track) {
                state.statistics.givenPackets += 1
                state.queue.push(packet)
            }
            if let formats { state.formats = formats }
            post(state.queue.takeReports(), &state)
            return spent
        }
        if wakes { lock.wake() }
        withExtendedLifetime(spent) {}
    }

    /// Whether the output is not over, and writes the file or folder that another one would.
    func isWriting(where other: Output) -> Bool {
        guard let mine = output.path, let theirs = other.path, FilePlace.isSame(mine, theirs) else { return false }
        return !lock.withLock { $0.lifecycle.state.isFinal }
    }

    /// What to wait for before more is given, until half of the queue is empty; nil where there is room.
    func room() -> OneShot? {
        guard !output.isLive else { return nil }
        return lock.withLock { state in
            guard state.queue.byteCount > output.largestQueue, !state.isFinishing, !state.lifecycle.state.isFinal else {
                return nil
            }
            let shot = OneShot()
            state.waiting.append(shot)
            return shot
        }
    }

    /// Lets what waits be written, and then ends, by a time at the latest; nobody waits for room any more.
    func finish(until time: ContinuousClock.Instant) {
        deadline.limit(to: time)
        let waiting = lock.withLock { state in
            state.isFinishing = true
            return exchange(&state.waiting, with: [])
        }
        handle(.finish)
        for shot in waiting { shot.fire() }
    }

    /// Ends at once; what waits is left out, for a reason that is told where something waits.
    func cancel(_ code: PublishingError.Code, reason: String) {
        // Told first: what a library that is interrupted fails with is not why the output is over.
        handle(.cancel(PublishingError(code, reason: reason, output: output.name)))
        deadline.cancel()
    }

    /// What to wait for until the thread has ended; nil where it has.
    func ending() -> OneShot? {
        lock.withLock { state in
            guard !state.isOver else { return nil }
            let shot = OneShot()
            state.waitingForEnd.append(shot)
            return shot
        }
    }

    var statistics: OutputStatistics {
        lock.withLock { state in
            var statistics = state.statistics
            statistics.state = state.lifecycle.state
            statistics.givenPackets -= state.queue.passedOver
            (statistics.queueAge, statistics.queueBytes) = (state.queue.age, state.queue.byteCount)
            statistics.openings = state.lifecycle.openings
            return statistics
        }
    }

    /// Takes notice of an event, tells of a new state, and lets those go on that need not wait any more.
    func handle(_ event: PublishLifecycle.Event) {
        let waiting: [OneShot] = lock.withLock { state in
            let old = state.lifecycle.state
            // Whoever looks sees the error and what it led to, or neither.
            if case .failed(let error, _) = event, !old.isFinal { state.statistics.lastError = error }
            var event = event
            if case .cancel(let error?) = event, state.isComplete(whenGivenUpFor: error.code) { event = .cancel(nil) }
            state.lifecycle.handle(event, at: .now)
            let new = state.lifecycle.state
            if new != old, case .failed(let error) = new { state.statistics.lastError = error }
            if new != old { events.post(.state(id, name: output.name, new)) }
            return new.isFinal ? exchange(&state.waiting, with: []) : []
        }
        lock.wake()
        for shot in waiting { shot.fire() }
        events.tell()
    }

    /// Counts what was left out, and posts it; called with the lock held.
    func post(_ reports: [DropReport], _ state: inout State) {
        for report in reports {
            state.statistics.droppedPackets += report.packetCount
            events.post(.dropped(id, name: output.name, report))
        }
    }
}
