// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

// What an output's thread does, one step after the other, as the state says.
extension OutputRunner {
    /// What the thread is to do next while it publishes.
    private enum Step {
        /// Write these; `first` is the broadcast's first packet of each track, where the first of them is one.
        case packets([MediaPacket], first: [MediaPacket])
        case askForKeyFrame
        case drained
        case over
    }

    /// What became of packets since it was counted last.
    private struct Count {
        var written = 0
        var leftOut = 0

        mutating func add(_ outcome: Muxer.Outcome) {
            switch outcome {
            case .written, .writtenWishingForKeyFrame: written += 1
            case .leftOut, .awaitsKeyFrame: leftOut += 1
            case .beginAnew: break
            }
        }
    }

    /// Bytes after which the thread takes no further packet from the queue of a file at once.
    private static let batchSize = 1 << 16
    /// Lots of written packets that wait at most for the thread that gives them.
    private static let largestSpent = 8

    func run() {
        while step() {}
        let failure = desk.session.abandon()
        let shots: [OneShot] = lock.withLock { state in
            state.statistics.lastError = state.statistics.lastError ?? failure.map(named)
            state.statistics.leftOutPackets += state.queue.disconnect() + state.packetsInHand
            state.packetsInHand = 0
            state.isOver = true
            state.statistics.byteCount += desk.session.takeByteCount()
            post(state.queue.takeReports(atEnd: true), &state)
            state.spent = []
            return exchange(&state.waiting, with: []) + exchange(&state.waitingForEnd, with: [])
        }
        events.tell()
        for shot in shots { shot.fire() }
    }

    /// Does what the state asks for; false when there is nothing more.
    private func step() -> Bool {
        let current = lock.withLock { $0.lifecycle.state }
        switch current {
        case .idle, .failed, .ended: return false
        case .connecting: connect()
        case .backingOff(let time, _):
            _ = lock.waitFor(until: time) { state in state.lifecycle.state == current ? nil : () }
            handle(.timePassed)
        case .publishing: publish(next(), on: .thread)
        }
        return true
    }

    private func connect() {
        do throws(PublishingError) {
            try desk.session.open()
        } catch {
            return fail(error)
        }
        if let path = desk.session.takeNewPath() { events.post(.newFile(id, path: path)) }
        lock.withLock { state in
            state.queue.connect()
            state.isOnDisk = desk.session.isOnDisk
        }
        handle(.opened)
    }

    private func publish(_ step: Step, on turn: Turn, moreFollows: Bool = false) {
        var (unsent, count): (Int?, Count) = (nil, Count())
        do throws(PublishingError) {
            switch step {
            case .over: return
            case .askForKeyFrame:
                let isAsked = wantKeyFrame()
                lock.withLock { $0.queue.askedForKeyFrame(isAsked) }
            case .drained:
                try desk.session.finish()
                note(count, byteCount: desk.session.takeByteCount())
                handle(.drained(missingEnd))
            case .packets(let packets, let first):
                for index in packets.indices where !deadline.isCancelled {
                    unsent = index
                    let outcome = try desk.session.write(
                        packets[index], formats: { formats(with: packets[index...]) }, first: index == 0 ? first : [])
                    count.add(outcome)
                    unsent = nil
                    switch outcome {
                    case .awaitsKeyFrame, .writtenWishingForKeyFrame: lock.withLock { $0.queue.wantKeyFrame() }
                    default: break
                    }
                    guard case .beginAnew = outcome else { continue }
                    desk.rest = packets[(index + 1)...]
                    try desk.session.finish()
                    note(count, byteCount: desk.session.takeByteCount())
                    return handle(.beganAnew)
                }
                if !output.isLive, !moreFollows { try settle(on: turn) }
                note(count, byteCount: desk.session.takeByteCount(), spent: turn == .thread ? packets : [])
            }
        } catch {
            note(count, byteCount: 0)
            var packet: MediaPacket?
            if case .packets(let packets, _) = step { packet = unsent.map { packets[$0] } }
            fail(error, unsent: packet)
        }
    }

    /// The formats of all tracks where packets are written: those of the next packet of each, which more of another
    /// format may have followed.
    private func formats(with packets: ArraySlice<MediaPacket>) -> TrackTable<TrackFormat> {
        lock.withLock { state in
            var formats = state.formats
            for next in [state.queue.nextFormats, TrackTable(packets.map { ($0.track, $0.format) })] {
                for track in next.tracks { formats[track] = next[track] }
            }
            return formats
        }
    }

    /// Why the end of what was given is not there, though the output is open; nil where it is.
    private var missingEnd: PublishingError? {
        let (isMissing, lastError) = lock.withLock { ($0.queue.isWithoutEnd, $0.statistics.lastError) }
        guard isMissing else { return nil }
        let reason = "it was ended before a key frame came with which it could begin"
        return lastError ?? named(PublishingError(.timedOut, reason: reason))
    }

    /// Hands on what a file keeps back, before the last packet that was given counts as written.
    private func settle(on turn: Turn) throws(PublishingError) {
        guard isDrained else { return }
        if turn == .thread {
            // Packets that come one by one in bursts: waiting for the next ones saves a wake and a write each.
            usleep(500)
            guard isDrained else { return }
        }
        try desk.session.settle()
    }

    /// Whether nothing waits, and more may come.
    private var isDrained: Bool { lock.withLock { $0.queue.isEmpty && !$0.isFinishing } }

    private func note(_ count: Count, byteCount: Int, spent: [MediaPacket] = []) {
        lock.withLock { state in
            if !output.isLive, !spent.isEmpty, state.spent.count < Self.largestSpent { state.spent.append(spent) }
            state.statistics.byteCount += byteCount
            state.statistics.writtenPackets += count.written
            state.statistics.leftOutPackets += count.leftOut
            state.packetsInHand -= count.written + count.leftOut
        }
    }

    /// Waits for something to do.
    ///
    /// The packet that did not fit the file or connection before comes first, with what was taken behind it.
    private func next() -> Step {
        if let held = desk.session.held { return .packets([held] + exchange(&desk.rest, with: []), first: []) }
        let (step, free): (Step, [OneShot]) = lock.waitFor { state in
            guard state.turn != .giver else { return nil }
            state.turn = .free
            if state.isTurnWanted, state.lifecycle.state.isPublishing {
                lock.wakeAll()
                return nil
            }
            guard let found = next(&state, byteCount: Self.batchSize) else { return nil }
            state.turn = .thread
            return found
        }
        for shot in free { shot.fire() }
        return step
    }

    /// What there is to do, and who can go on with giving packets then; nil where nothing is.
    private func next(_ state: inout State, byteCount: Int) -> (step: Step, free: [OneShot])? {
        // A file or connection that a thread which gives packets has written may have ended.
        guard state.lifecycle.state.isPublishing else { return (.over, []) }
        if state.queue.wantsKeyFrame { return (.askForKeyFrame, []) }
        let (packets, first) = state.queue.popSeveral(byteCount: byteCount)
        guard !packets.isEmpty else { return state.isFinishing ? (.drained, []) : nil }
        state.packetsInHand = packets.count
        // A source that went on at the first byte of room would wait again at its next packet.
        let hasRoom = state.queue.byteCount <= output.largestQueue / 2
        return (.packets(packets, first: first), hasRoom ? exchange(&state.waiting, with: []) : [])
    }

    private func fail(_ error: PublishingError, unsent: MediaPacket? = nil) {
        _ = desk.session.abandon()
        let error = named(lock.withLock { $0.refusals.judge(error) })
        let count = desk.session.takeByteCount()
        lock.withLock { state in
            state.statistics.byteCount += count
            if let unsent, output.isLive {
                state.queue.putBack(unsent)
                state.packetsInHand -= 1
            }
            state.statistics.leftOutPackets += state.queue.disconnect()
            post(state.queue.takeReports(), &state)
        }
        handle(.failed(error, random: Double.random(in: 0...1)))
    }

    private func named(_ error: PublishingError) -> PublishingError {
        PublishingError(error.code, reason: error.reason, output: output.name, status: error.status)
    }
}

// MARK: - On a thread that gives packets

extension OutputRunner {
    /// Writes what waits on the calling thread, where a file on disk is open; else wakes the output's thread for it.
    ///
    /// What one thread has read and another writes goes from one processor's cache to the other's, and each wakes the
    /// other: for a copy of a file that costs more than both working at once wins.
    ///
    /// - Parameter moreFollows: Whether the calling thread is back at once: the file may lack the last bytes as long.
    func writeHere(moreFollows: Bool) {
        let isMine: Bool = lock.waitFor { state in
            // The output's thread, which may have more to write for as long as packets come, makes way for this.
            state.isTurnWanted = state.isOnDisk && isForGivers(state)
            guard state.isTurnWanted else { return false }
            guard state.turn == .free else { return nil }
            (state.turn, state.isTurnWanted) = (.giver, false)
            return true
        }
        guard isMine else { return lock.wakeAll() }
        while let (step, free) = lock.withLock({ isForGivers($0) ? next(&$0, byteCount: .max) : nil }) {
            for shot in free { shot.fire() }
            publish(step, on: .giver, moreFollows: moreFollows)
        }
        let isWaitedFor = lock.withLock { state in
            state.turn = .free
            // What another thread may have given since was told to the output's thread, which left it here.
            return state.isTurnWanted || !isForGivers(state) || !state.queue.isEmpty
        }
        if isWaitedFor { lock.wakeAll() }
    }

    /// Whether there is nothing to do but to write packets.
    private func isForGivers(_ state: State) -> Bool {
        state.lifecycle.state.isPublishing && !state.isFinishing && !state.queue.wantsKeyFrame
    }
}
