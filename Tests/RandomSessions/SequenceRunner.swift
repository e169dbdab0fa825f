// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Logging
import Synchronization

/// Does to a real session what a sequence says, and tells a model of it.
final class SequenceRunner: Sendable {
    struct Notes {
        var model: SessionModel
        /// Whether operations ran at the same time, so that nobody knows in which order they took effect.
        var isLoose = false
        /// Whether two readers shared what came out, which the log may have in another order.
        var isOutputShared = false
        var complaints: [String] = []
        var frames: [Operation.Frame] = []
        var taken: Set<Int> = []
        /// Calls that were told that parameter sets may change, or not told what became of them.
        var toldChanges = 0
        var isReading = false
        var wasRead = false
    }

    let sequence: OperationSequence
    let subject: Subject
    let notes: Mutex<Notes>
    let output = EventLog()

    init(_ sequence: OperationSequence, _ subject: Subject) {
        self.sequence = sequence
        self.subject = subject
        var notes = Notes(model: SessionModel(sequence.pretence, subject))
        notes.isLoose = sequence.pretence.isPaced && subject.isPretended
        self.notes = Mutex(notes)
    }

    /// Lets the session live; what was wrong with it, if anything.
    func run() async -> [String] {
        do throws(EncoderError) {
            return await judge(try await live())
        } catch {
            return ["no session: \(error)"]
        }
    }

    /// Everything that is done to the session, which nobody holds when this returns.
    ///
    /// - Returns: What there is to judge it by.
    private func live() async throws(EncoderError) -> Life {
        let pretence = sequence.pretence
        let session = try CompressionSession(
            subject.configuration(pretence), encoder: subject.backend(pretence), logger: Self.silent)
        let reading = Reading(session.encodedFrames, output)
        try handle(session)
        for operation in sequence.operations { await perform(operation, session, reading) }
        switch pretence.ending {
        case .finished: await perform(.finish, session, reading)
        case .invalidated: await perform(.invalidate, session, reading)
        case .released: break
        }
        let verdict = Self.verdict(of: session)
        if verdict != nil { await waitForFrames(session) }
        let followsPace = session.statistics.restarts[.frameRate] != nil
        if pretence.ending == .released {
            // Frames under way may still show the rate of a source that rests and wakes.
            let mayFollowPace = followsPace || notes.withLock { $0.model.mayRest }
            return Life(reading: reading, verdict: verdict ?? .invalidated, pending: 0, followsPace: mayFollowPace)
        }
        return Life(
            reading: reading, verdict: verdict, pending: session.pendingFrameCount, followsPace: followsPace)
    }

    /// What is known of a session that nobody holds any more.
    private struct Life {
        /// Who reads it.
        let reading: Reading
        /// What calls are told in the end; nil where they are taken.
        let verdict: EncoderError.Code?
        /// The frames it still waits for.
        let pending: Int
        /// Whether another encoder may have been opened for the frame rate that the times show.
        let followsPace: Bool
    }

    /// Waits until everything is out of a session that is over, or about to be, and with the handler if there is one.
    private func waitForFrames(_ session: CompressionSession) async {
        // A finish that was cancelled goes on as long as somebody holds the session.
        while session.pendingFrameCount > 0 { await Task.yield() }
        guard sequence.pretence.delivery != .read else { return }
        // Throws what ended the session, once the handler has what it lost.
        try? await session.finish(until: .delivered)
    }

    /// Has a handler take what comes out, where the sequence says so.
    private func handle(_ session: CompressionSession) throws(EncoderError) {
        switch sequence.pretence.delivery {
        case .read: return
        case .handled: try session.deliver { [output] in output.append($0) }
        case .queued:
            let queue = DispatchQueue(label: "RandomSessions")
            try session.deliver(on: DeliveryQueue { queue.async(execute: $0) }) { [output] in output.append($0) }
        }
    }

    /// The error that a session has for whoever calls it; nil while it runs.
    private static func verdict(of session: CompressionSession) -> EncoderError.Code? {
        do throws(EncoderError) {
            try session.requestKeyFrame()
            return nil
        } catch {
            return error.code
        }
    }

    private static let silent = Logger(label: "RandomSessions") { _ in SwiftLogNoOpLogHandler() }

    private func judge(_ life: Life) async -> [String] {
        let verdict = life.verdict
        // A reader is told of failures alone, and a handler of nothing.
        var end = verdict == .invalidated ? verdict : nil
        if sequence.pretence.delivery == .read {
            end = await life.reading.end() ?? end
        } else if verdict != .invalidState {
            end = verdict
        }
        let final = notes.withLock { $0 }
        var judge = Judge(
            model: final.model, isLoose: final.isLoose, frames: final.frames, taken: final.taken, subject: subject,
            isOutputShared: final.isOutputShared, isCutShort: sequence.mayLeaveHandlerWithout,
            followsPace: life.followsPace, toldChanges: final.toldChanges, complaints: final.complaints)
        if life.pending != 0, !final.isLoose { judge.complain("\(life.pending) frames pending after the end") }
        return await judge.judge(output.frames, end: end)
    }

    // MARK: - Operations

    private func perform(_ operation: Operation, _ session: CompressionSession, _ reading: Reading) async {
        if sequence.pretence.delivery == .read { await makeRoom(reading) }
        switch operation {
        case .read, .stopReading, .readTwice:
            if sequence.pretence.delivery == .read { await read(operation, reading) }
        case .together(let operations):
            notes.withLock { notes in
                notes.isLoose = true
                // Somebody else may begin to read before the one who stops has noted what he took last.
                if operations.contains(.stopReading) { notes.isOutputShared = true }
            }
            await withTaskGroup { group in
                for operation in operations { group.addTask { await self.perform(operation, session, reading) } }
            }
        case .cancelled(let operation, let after):
            let task = Task { await self.perform(operation, session, reading) }
            for _ in 0..<after { await Task.yield() }
            task.cancel()
            await task.value
        case .synchronously(let operation): await performSynchronously(operation, session)
        case .answered(let operation): await performAnswered(operation, session)
        case .encode(let frame):
            await give(frame, operation, session) { (picture, time, options) throws(EncoderError) in
                try await session.encode(picture, at: time, options: options)
                return true
            }
        case .encodeImmediately(let frame):
            await give(frame, operation, session) { (picture, time, options) throws(EncoderError) in
                try session.encodeImmediately(picture, at: time, options: options)
            }
        default: await control(operation, session)
        }
    }

    private func read(_ operation: Operation, _ reading: Reading) async {
        switch operation {
        case .read:
            await reading.start()
            notes.withLock { $0.model.note(readerIsThere: true) }
        case .stopReading:
            guard await reading.stop() else { return }
            notes.withLock { $0.model.note(readerIsThere: false) }
        case .readTwice:
            // Whoever comes second is turned away, which may be the first one at its next frame.
            notes.withLock { notes in
                notes.isLoose = true
                notes.isOutputShared = true
            }
            await reading.another()
        default: break
        }
    }

    /// Lets somebody read before a session that nobody reads is full, where a caller would wait for ever.
    private func makeRoom(_ reading: Reading) async {
        let isNeeded = notes.withLock { $0.taken.count - output.count > 10 }
        if isNeeded, await reading.startIfNobodyEverRead() {
            notes.withLock { $0.model.note(readerIsThere: true) }
        }
    }
}
