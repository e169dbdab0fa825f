// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

// What an output's thread does, one step after the other, as the state says.
extension OutputRunner {
    /// What the thread is to do next while it publishes.
    private enum Step {
        case packet(MediaPacket, formats: [TrackID: TrackFormat], first: [MediaPacket])
        case drained
        case over
    }

    func run() {
        var session = OutputSession(output, tracks: tracks, deadline: deadline)
        while step(&session) {}
        session.abandon()
        let shots: [OneShot] = lock.withLock { state in
            state.queue.disconnect()
            state.isOver = true
            state.statistics.byteCount += session.takeByteCount()
            post(state.queue.takeReports(atEnd: true), &state)
            return exchange(&state.waiting, with: []) + exchange(&state.waitingForEnd, with: [])
        }
        events.tell()
        for shot in shots { shot.fire() }
    }

    /// Does what the state asks for; false when there is nothing more.
    private func step(_ session: inout OutputSession) -> Bool {
        switch lock.withLock({ $0.lifecycle.state }) {
        case .idle, .failed, .ended: return false
        case .connecting: connect(&session)
        case .backingOff(let time):
            _ = lock.waitFor(until: time) { state in state.lifecycle.state == .backingOff(until: time) ? nil : () }
            handle(.timePassed)
        case .publishing: publish(&session)
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
        let isLate = lock.withLock { state in
            state.queue.connect()
            return state.statistics.givenPackets > 0
        }
        handle(.opened)
        if output.isLive, isLate { wantKeyFrame() }
    }

    private func publish(_ session: inout OutputSession) {
        var unsent: MediaPacket?
        do throws(PublishingError) {
            switch session.held.map({ held(packet: $0) }) ?? next() {
            case .over: return
            case .drained:
                try session.finish()
                countBytes(&session)
                handle(.drained)
            case .packet(let packet, let formats, let first):
                unsent = packet
                let outcome = try session.write(packet, formats: formats, first: first)
                if !output.isLive { try settle(session) }
                note(outcome, byteCount: session.takeByteCount())
                unsent = nil
                if case .beginAnew = outcome {
                    try session.finish()
                    countBytes(&session)
                    handle(.beganAnew)
                }
            }
        } catch {
            fail(error, &session, unsent: unsent)
        }
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

    private func note(_ outcome: Muxer.Outcome, byteCount: Int) {
        lock.withLock { state in
            state.statistics.byteCount += byteCount
            switch outcome {
            case .written: state.statistics.writtenPackets += 1
            case .leftOut: state.statistics.leftOutPackets += 1
            case .beginAnew: break
            }
        }
    }

    /// Counts what was written since the last packet, as the last fragment is at a file's end.
    private func countBytes(_ session: inout OutputSession) {
        let count = session.takeByteCount()
        lock.withLock { $0.statistics.byteCount += count }
    }

    /// The packet that did not fit the file or connection before.
    private func held(packet: MediaPacket) -> Step {
        lock.withLock { .packet(packet, formats: $0.formats, first: []) }
    }

    /// Waits for something to do.
    private func next() -> Step {
        let (step, free): (Step, [OneShot]) = lock.waitFor { state in
            guard !state.lifecycle.state.isFinal else { return (.over, []) }
            guard let (packet, first) = state.queue.pop() else { return state.isFinishing ? (.drained, []) : nil }
            let hasRoom = state.queue.byteCount <= output.largestQueue
            return (
                .packet(packet, formats: state.formats, first: first),
                hasRoom ? exchange(&state.waiting, with: []) : []
            )
        }
        for shot in free { shot.fire() }
        return step
    }

    private func fail(_ error: PublishingError, _ session: inout OutputSession, unsent: MediaPacket? = nil) {
        session.abandon()
        let error = lock.withLock { $0.refusals.judge(error) }
        let named = PublishingError(error.code, reason: error.reason, output: output.name, status: error.status)
        let count = session.takeByteCount()
        lock.withLock { state in
            state.statistics.byteCount += count
            if let unsent { state.queue.putBack(unsent) }
            state.queue.disconnect()
            post(state.queue.takeReports(), &state)
        }
        handle(.failed(named, random: Double.random(in: 0...1)))
    }
}
