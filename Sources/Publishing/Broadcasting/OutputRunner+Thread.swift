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
            case .written: written += 1
            case .leftOut: leftOut += 1
            case .beginAnew: break
            }
        }
    }

    /// Bytes after which the thread takes no further packet from the queue of a file at once.
    private static let batchSize = 1 << 16
    /// Lots of written packets that wait at most for the thread that gives them.
    private static let largestSpent = 8

    func run() {
        var session = OutputSession(output, tracks: tracks, deadline: deadline)
        // What was taken from the queue behind a packet that another file begins with.
        var rest: ArraySlice<MediaPacket> = []
        while step(&session, &rest) {}
        let failure = session.abandon()
        let shots: [OneShot] = lock.withLock { state in
            state.statistics.lastError = state.statistics.lastError ?? failure.map(named)
            state.statistics.leftOutPackets += state.queue.disconnect() + state.packetsInHand
            state.packetsInHand = 0
            state.isOver = true
            state.statistics.byteCount += session.takeByteCount()
            post(state.queue.takeReports(atEnd: true), &state)
            state.spent = []
            return exchange(&state.waiting, with: []) + exchange(&state.waitingForEnd, with: [])
        }
        events.tell()
        for shot in shots { shot.fire() }
    }

    /// Does what the state asks for; false when there is nothing more.
    private func step(_ session: inout OutputSession, _ rest: inout ArraySlice<MediaPacket>) -> Bool {
        let current = lock.withLock { $0.lifecycle.state }
        switch current {
        case .idle, .failed, .ended: return false
        case .connecting: connect(&session)
        case .backingOff(let time, _):
            _ = lock.waitFor(until: time) { state in state.lifecycle.state == current ? nil : () }
            handle(.timePassed)
        case .publishing: publish(&session, &rest)
        }
        return true
    }

    private func connect(_ session: inout OutputSession) {
        do throws(PublishingError) {
            try session.open()
        } catch {
            return fail(error, &session)
        }
        if let path = session.takeNewPath() { events.post(.newFile(id, path: path)) }
        lock.withLock { $0.queue.connect() }
        handle(.opened)
    }

    private func publish(_ session: inout OutputSession, _ rest: inout ArraySlice<MediaPacket>) {
        var (unsent, count): (MediaPacket?, Count) = (nil, Count())
        do throws(PublishingError) {
            switch next(session, &rest) {
            case .over: return
            case .askForKeyFrame:
                let isAsked = wantKeyFrame()
                lock.withLock { $0.queue.askedForKeyFrame(isAsked) }
            case .drained:
                try session.finish()
                note(count, byteCount: session.takeByteCount())
                handle(.drained(missingEnd))
            case .packets(let packets, let first):
                for (index, packet) in packets.enumerated() where !deadline.isCancelled {
                    unsent = packet
                    let outcome = try session.write(
                        packet, formats: { lock.withLock { $0.formats } }, first: index == 0 ? first : [])
                    count.add(outcome)
                    unsent = nil
                    guard case .beginAnew = outcome else { continue }
                    rest = packets[(index + 1)...]
                    try session.finish()
                    note(count, byteCount: session.takeByteCount())
                    return handle(.beganAnew)
                }
                if !output.isLive { try settle(session) }
                note(count, byteCount: session.takeByteCount(), spent: packets)
            }
        } catch {
            note(count, byteCount: 0)
            fail(error, &session, unsent: unsent)
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
    private func settle(_ session: OutputSession) throws(PublishingError) {
        guard isDrained else { return }
        // Packets of a source that is no clock come in bursts: waiting for the next ones saves a wake and a write each.
        usleep(500)
        if isDrained { try session.settle() }
    }

    /// Whether nothing waits, and more may come.
    private var isDrained: Bool { lock.withLock { $0.queue.isEmpty && !$0.isFinishing } }

    private func note(_ count: Count, byteCount: Int, spent: [MediaPacket] = []) {
        lock.withLock { state in
            if !output.isLive, state.spent.count < Self.largestSpent { state.spent.append(spent) }
            state.statistics.byteCount += byteCount
            state.statistics.writtenPackets += count.written
            state.statistics.leftOutPackets += count.leftOut
            state.packetsInHand -= count.written + count.leftOut
        }
    }

    /// Waits for something to do.
    ///
    /// The packet that did not fit the file or connection before comes first, with what was taken behind it.
    private func next(_ session: OutputSession, _ rest: inout ArraySlice<MediaPacket>) -> Step {
        if let held = session.held { return .packets([held] + exchange(&rest, with: []), first: []) }
        let (step, free): (Step, [OneShot]) = lock.waitFor { state in
            guard !state.lifecycle.state.isFinal else { return (.over, []) }
            if state.queue.wantsKeyFrame { return (.askForKeyFrame, []) }
            let (packets, first) = state.queue.popSeveral(byteCount: Self.batchSize)
            guard !packets.isEmpty else { return state.isFinishing ? (.drained, []) : nil }
            state.packetsInHand = packets.count
            // A source that went on at the first byte of room would wait again at its next packet.
            let hasRoom = state.queue.byteCount <= output.largestQueue / 2
            return (.packets(packets, first: first), hasRoom ? exchange(&state.waiting, with: []) : [])
        }
        for shot in free { shot.fire() }
        return step
    }

    private func fail(_ error: PublishingError, _ session: inout OutputSession, unsent: MediaPacket? = nil) {
        _ = session.abandon()
        let error = named(lock.withLock { $0.refusals.judge(error) })
        let count = session.takeByteCount()
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
