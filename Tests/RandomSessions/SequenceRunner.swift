// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import Synchronization

/// Does to a real session what a sequence says, and tells a model of it.
final class SequenceRunner: Sendable {
    private struct Notes {
        var model: SessionModel
        /// Whether operations ran at the same time, so that nobody knows in which order they took effect.
        var isLoose = false
        /// Whether two readers shared what came out, which the log may have in another order.
        var isOutputShared = false
        var complaints: [String] = []
        var frames: [Operation.Frame] = []
        var taken: Set<Int> = []
        var isReading = false
        var wasRead = false
    }

    private let sequence: OperationSequence
    private let subject: Subject
    private let notes: Mutex<Notes>
    private let output = EventLog()

    init(_ sequence: OperationSequence, _ subject: Subject) {
        self.sequence = sequence
        self.subject = subject
        notes = Mutex(Notes(model: SessionModel(sequence.pretence, isPretended: subject.isPretended)))
    }

    /// Lets the session live; what was wrong with it, if anything.
    func run() async -> [String] {
        do throws(EncoderError) {
            let (reading, pending) = try await live()
            return await judge(reading, pending)
        } catch {
            return ["no session: \(error)"]
        }
    }

    /// Everything that is done to the session, which nobody holds when this returns.
    ///
    /// - Returns: Who reads it, and the frames it still waits for.
    private func live() async throws(EncoderError) -> (Reading, pending: Int) {
        let pretence = sequence.pretence
        let session = try CompressionSession(
            subject.configuration(pretence), encoder: subject.backend(pretence), logger: Self.silent)
        let reading = Reading(session.encodedFrames, output)
        for operation in sequence.operations { await perform(operation, session, reading) }
        switch pretence.ending {
        case .finished: await perform(.finish, session, reading)
        case .invalidated: await perform(.invalidate, session, reading)
        case .released: return (reading, 0)
        }
        return (reading, session.pendingFrameCount)
    }

    private static let silent = Logger(label: "RandomSessions") { _ in SwiftLogNoOpLogHandler() }

    private func judge(_ reading: Reading, _ pending: Int) async -> [String] {
        let end = await reading.end()
        let final = notes.withLock { $0 }
        var judge = Judge(
            model: final.model, isLoose: final.isLoose, frames: final.frames, taken: final.taken, subject: subject,
            isOutputShared: final.isOutputShared, complaints: final.complaints)
        if pending != 0, !final.isLoose { judge.complain("\(pending) frames pending after the end") }
        return await judge.judge(output.frames, end: end)
    }

    // MARK: - Operations

    private func perform(_ operation: Operation, _ session: CompressionSession, _ reading: Reading) async {
        await makeRoom(reading)
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
        case .encode(let frame): await give(frame, operation, session)
        case .encodeImmediately(let frame): await give(frame, operation, session)
        default: await control(operation, session)
        }
    }

    /// Lets somebody read before a session that nobody reads is full, where a caller would wait for ever.
    private func makeRoom(_ reading: Reading) async {
        let isNeeded = notes.withLock { $0.taken.count - output.count > 10 }
        if isNeeded, await reading.startIfNobodyEverRead() {
            notes.withLock { $0.model.note(readerIsThere: true) }
        }
    }

    private func give(_ frame: Operation.Frame, _ operation: Operation, _ session: CompressionSession) async {
        let token = notes.withLock { notes in
            notes.frames.append(frame)
            return notes.frames.count - 1
        }
        guard token < Pictures.count else { return }
        let unread = notes.withLock { $0.taken.count } - output.count
        let size = Operation.Size.allCases.first { $0.sides.width == session.pixelBufferPool.width } ?? .usual
        let picture = Pictures.picture(token, frame, size, isDeep: sequence.pretence.isDeep)
        let time = MediaTime(value: Int64(frame.time), timescale: Operation.Frame.timescale)
        let options = FrameOptions(forceKeyFrame: frame.force, token: token)
        let result: SessionModel.Result
        do throws(EncoderError) {
            if case .encodeImmediately = operation {
                result = try session.encodeImmediately(picture, at: time, options: options) ? .done : .full
            } else {
                try await session.encode(picture, at: time, options: options)
                result = .done
            }
        } catch {
            result = .failed(error.code)
        }
        let wasCancelled = Task.isCancelled
        notes.withLock { notes in
            if result == .done { notes.taken.insert(token) }
            if notes.isLoose || (wasCancelled && result == .failed(.cancelled)) { return }
            let limit = min(14, sequence.pretence.maxFrameDelayCount ?? .max)
            if !notes.model.encode(frame, token, result, mayBeFull: unread >= limit) {
                notes.complaints.append("\(operation), frame \(token): \(result)")
            }
        }
    }

    private func control(_ operation: Operation, _ session: CompressionSession) async {
        let result: SessionModel.Result
        do throws(EncoderError) {
            switch operation {
            case .update(let change):
                let kind = try await session.update { change.apply(to: &$0) }.kind
                // Whether a real encoder must start anew is its own affair.
                result = .update(!subject.isPretended && kind == .restarted ? .applied : kind)
            case .resize(let size):
                let kind = try await session.changePictures(width: size.sides.width, height: size.sides.height).kind
                result = .update(!subject.isPretended && kind == .restarted ? .applied : kind)
            case .prepare:
                try await session.prepare()
                result = .done
            case .complete(let time):
                try await session.complete(
                    through: time.map { MediaTime(value: Int64($0), timescale: Operation.Frame.timescale) })
                result = .done
            case .finish:
                try await session.finish()
                result = .done
            default:
                session.invalidate()
                result = .done
            }
        } catch {
            result = .failed(error.code)
        }
        let wasCancelled = Task.isCancelled
        notes.withLock { notes in
            guard !notes.isLoose else { return }
            // A cancelled caller does not learn what came of it; it happens all the same, in its turn.
            guard !(wasCancelled && result == .failed(.cancelled)) else {
                notes.isLoose = true
                return
            }
            if !notes.model.perform(operation, result) { notes.complaints.append("\(operation): \(result)") }
        }
    }
}

extension Operation.Change {
    fileprivate func apply(to live: inout LiveSettings) {
        switch (self, live.quality) {
        case (.nothing, _): break
        case (.bitRate, let quality?): live.quality = quality == 0.5 ? 0.6 : 0.5
        case (.bitRate, nil): live.averageBitRate = live.averageBitRate == 200_000 ? 150_000 : 200_000
        case (.impossible, _): live.averageBitRate = 1
        }
    }
}

/// What came out of a session, for whoever reads.
final class EventLog: Sendable {
    private let events = Mutex<[EncodedFrame]>([])

    var frames: [EncodedFrame] { events.withLock { $0 } }
    var count: Int { events.withLock { $0.count } }

    func append(_ frame: EncodedFrame) { events.withLock { $0.append(frame) } }
}

/// The one who reads a session, now and then.
actor Reading {
    typealias End = EncoderError.Code?

    private let encodedFrames: EncodedFrames
    private let output: EventLog
    private var reader: Task<End, Never>?
    private var hasRead = false

    init(_ encodedFrames: EncodedFrames, _ output: EventLog) {
        self.encodedFrames = encodedFrames
        self.output = output
    }

    func start() {
        guard reader == nil else { return }
        hasRead = true
        // Made here, so that the session knows of its reader from now on.
        reader = Self.read(encodedFrames, output)
    }

    /// Starts unless somebody reads or once did; whether it started.
    func startIfNobodyEverRead() -> Bool {
        guard !hasRead else { return false }
        start()
        return true
    }

    /// Cancels the reader and waits until it let go; false when nobody reads.
    func stop() async -> Bool {
        guard let reader else { return false }
        self.reader = nil
        reader.cancel()
        _ = await reader.value
        return true
    }

    /// One more reader, which takes a frame at most.
    func another() async {
        guard reader != nil else { return }
        let task = Task { [encodedFrames, output] in
            var iterator = encodedFrames.makeAsyncIterator()
            if let frame = try? await iterator.next() { output.append(frame) }
        }
        await Task.yield()
        task.cancel()
        await task.value
    }

    /// Reads to the end: how that was.
    func end() async -> End {
        if let reader {
            let end = await reader.value
            // A reader that met another one may have been turned away.
            if end != .invalidState { return end }
        }
        return await Self.read(encodedFrames, output).value
    }

    private static func read(_ encodedFrames: EncodedFrames, _ output: EventLog) -> Task<End, Never> {
        let iterator = encodedFrames.makeAsyncIterator()
        return Task {
            var frames = iterator
            do throws(EncoderError) {
                while let frame = try await frames.next() { output.append(frame) }
                return nil
            } catch {
                return error.code
            }
        }
    }
}
