// SPDX-License-Identifier: MIT

import DequeModule

/// The shell around ``SessionState``: its lock, its thread, and the tasks that wait.
///
/// The session, its reader and its thread each hold it; none of them holds another.
final class SessionCore: Sendable {
    typealias State = SessionState<Job, Writer, Reader>
    typealias Writer = UnsafeContinuation<Void, Never>
    /// Goes on with false where another reader waits already.
    typealias Reader = UnsafeContinuation<Bool, Never>
    // Unsafe continuations: the state machine gives each back exactly once, on every path.

    enum Job: Sendable {
        case frame(PixelBuffer, SubmittedFrame)
        /// Runs on the session's thread after the frames before it; `abandon` runs instead when the session ends first.
        case control(
            perform: @Sendable (EncodePipeline, EncodePipeline.Emit) -> Void,
            abandon: @Sendable (EncoderError) -> Void)
    }

    private struct Guarded {
        var state: State
        /// Pictures as they are taken.
        var pictures: PixelBufferPool
        var adjustments: [Adjustment]
        var settings: ResolvedSettings
        /// Answers whoever waits for the job that is being done.
        var abandonCurrent: (@Sendable (EncoderError) -> Void)?
        var isThreadStarted = false
        var hasWaitedUnread = false

        mutating func take(_ pictures: PixelBufferPool) {
            self.pictures = pictures
            state.capacity = pictures.source.pipelineCapacity
        }
    }

    private let guarded: SessionLock<Guarded>
    private let makePipeline: @Sendable () -> EncodePipeline

    /// Makes the core of a session that takes pictures as `inForce` has them.
    init(
        _ inForce: SettingsInForce, makePipeline: @escaping @Sendable () -> EncodePipeline
    ) throws(EncoderError) {
        let configuration = inForce.configuration
        let state = State(
            capacity: configuration.source.pipelineCapacity, mostHeld: configuration.maxFrameDelayCount,
            isPrompt: configuration.realTime || configuration.maxFrameDelayCount != nil)
        guarded = SessionLock(
            Guarded(
                state: state, pictures: try PixelBufferPool(configuration.source), adjustments: inForce.adjustments,
                settings: inForce.settings))
        self.makePipeline = makePipeline
    }

    /// Makes pictures as the session takes them.
    var pixelBufferPool: PixelBufferPool { guarded.withLock { $0.pictures } }
    var adjustments: [Adjustment] { guarded.withLock { $0.adjustments } }
    var settings: ResolvedSettings { guarded.withLock { $0.settings } }
    var pendingCount: Int { guarded.withLock { $0.state.pending } }

    /// Whether nobody ever asked for frames.
    var isUnread: Bool { guarded.withLock { !$0.state.isRead } }

    /// Whether a writer waits for the first time while nobody ever asked for frames; true once.
    func isFirstUnreadWait() -> Bool {
        guarded.withLock { guarded in
            defer { guarded.hasWaitedUnread = true }
            return !guarded.hasWaitedUnread && !guarded.state.isRead
        }
    }

    // MARK: - Writing

    /// Takes a frame if there is room; its number, counted from 1, or nil when the pipeline is full.
    func submit(_ picture: PixelBuffer, _ frame: SubmittedFrame) throws(EncoderError) -> Int? {
        let submission = guarded.withLock { guarded in
            if let error = guarded.pictures.source.mismatch(of: picture) { return State.Submission.refused(error) }
            return guarded.state.submit(.frame(picture, frame), at: frame.time)
        }
        switch submission {
        case .accepted(let number, let wakesThread):
            try wake(wakesThread)
            return number
        case .full: return nil
        case .refused(let error): throw error
        }
    }

    /// Suspends until the condition holds, the session ends, or the task is cancelled.
    func wait(for condition: State.Condition) async {
        let id = guarded.withLock { $0.state.makeWaitID() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (writer: Writer) in
                guarded.withLock { $0.state.wait(id: id, for: condition, writer) }?.resume()
            }
        } onCancel: {
            guarded.withLock { $0.state.cancelWriter(id: id) }?.resume()
        }
        guarded.withLock { $0.state.forget(id: id) }
    }

    /// Runs `body` on the session's thread after the frames given so far.
    ///
    /// A cancelled task, and the end of the session, end the wait for it and not `body`.
    ///
    /// - Parameters:
    ///   - finishing: Whether the session ends with it.
    ///   - pictures: What the frames given after it are taken as, unless `body` throws; nil for no change.
    ///   - body: What to do.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, `.cancelled`, or what ended the session.
    func perform<Value: Sendable>(
        finishing: Bool = false, taking pictures: PixelBufferPool? = nil,
        _ body: @escaping @Sendable (EncodePipeline, EncodePipeline.Emit) throws(EncoderError) -> Value
    ) async throws(EncoderError) -> Value {
        let reply = Reply<Value>()
        let job = Job.control(
            perform: { pipeline, emit in
                let result = Result { () throws(EncoderError) in try body(pipeline, emit) }
                self.publish(pipeline)
                if let failure = pipeline.failure {
                    self.fail(failure, pipeline)
                } else if finishing {
                    pipeline.close()
                    self.guarded.withLock { $0.abandonCurrent = nil }
                    self.end(nil)
                }
                if let pictures, case .failure = result {
                    self.stopTaking(pictures, for: pipeline.inForce.configuration.source)
                }
                reply.answer(result)
            }, abandon: { reply.answer(.failure($0)) })
        let enqueued = guarded.withLock { guarded in
            let enqueued = guarded.state.enqueue(job, finishing: finishing)
            if let pictures, case .success = enqueued { guarded.take(pictures) }
            return enqueued
        }
        switch enqueued {
        case .success(let wakesThread):
            // A thread that cannot be started ends the session, which abandons the job.
            try? wake(wakesThread)
        case .failure(let error): reply.answer(.failure(error))
        }
        return try await reply.valueUnlessCancelled
    }

    /// Takes pictures as before again, unless others are taken meanwhile.
    private func stopTaking(_ pictures: PixelBufferPool, for source: SourceFormat) {
        guard let before = try? PixelBufferPool(source) else { return }
        guarded.withLock { guarded in
            if guarded.pictures === pictures { guarded.take(before) }
        }
    }

    /// Ends the session: with an error for failures and invalidation, without after the last frame.
    ///
    /// Frames that wait for the encoder come out as dropped for that error, unless it `discardsFrames`.
    func end(_ error: EncoderError?, discardsFrames: Bool = false) {
        let (ended, abandonCurrent) = guarded.withLock { guarded in
            defer { guarded.abandonCurrent = nil }
            let ended = guarded.state.end(error) { job in
                guard let error, !discardsFrames, case .frame(_, let frame) = job else { return nil }
                return frame.dropped(.failed(error))
            }
            return (ended, guarded.abandonCurrent)
        }
        guarded.wake()
        resume(ended.released)
        let reason = error ?? EncoderError(.invalidState, reason: "the session was finished")
        abandonCurrent?(reason)
        for case .control(_, let abandon) in ended.abandoned { abandon(reason) }
    }

    private func resume(_ released: State.Released) {
        released.reader?.resume(returning: true)
        released.writers.forEach { $0.resume() }
    }

    // MARK: - Reading

    func attachReader() { guarded.withLock { $0.state.attachReader() } }

    func releaseReader() {
        guarded.withLock { $0.state.releaseReader() }.forEach { $0.resume() }
    }

    /// The next encoded frame; suspends until there is one.
    func nextFrame() async throws(EncoderError) -> EncodedFrame? {
        var waited: Int?
        while true {
            switch guarded.withLock({ $0.state.read(after: waited) }) {
            case .frame(let frame, let released):
                released.forEach { $0.resume() }
                return frame
            case .end(nil): return nil
            case .end(let error?): throw error
            case .occupied: throw Self.occupied
            case .wait(let id):
                if Task.isCancelled { throw EncoderError(.cancelled, reason: "the reading task was cancelled") }
                guard await waitForFrame(id) else {
                    guarded.withLock { $0.state.forget(id: id) }
                    throw Self.occupied
                }
                waited = id
            }
        }
    }

    private static let occupied = EncoderError(
        .invalidState, reason: "encodedFrames is being read by another task; it has one reader")

    /// Suspends until there may be a frame; false when another reader waits for it.
    private func waitForFrame(_ id: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (reader: Reader) in
                switch guarded.withLock({ $0.state.wait(id: id, reader) }) {
                case .suspended: break
                case .goesOn(let reader): reader.resume(returning: true)
                case .refused(let reader): reader.resume(returning: false)
                }
            }
        } onCancel: {
            guarded.withLock { $0.state.cancelReader(id: id) }?.resume(returning: true)
        }
    }

    // MARK: - The session's thread

    private func wake(_ isAsleep: Bool) throws(EncoderError) {
        let mustStart = guarded.withLock { guarded in
            defer { guarded.isThreadStarted = true }
            return !guarded.isThreadStarted
        }
        if mustStart {
            do throws(EncoderError) {
                try SessionThread.start { [self] in run() }
            } catch {
                end(error)
                throw error
            }
        } else if isAsleep {
            guarded.wake()
        }
    }

    private func run() {
        let pipeline = makePipeline()
        while true {
            switch nextWork(pipeline.load) {
            case .job(let job, let released):
                released.forEach { $0.resume() }
                perform(job, with: pipeline)
            case .resume(let reader, let released):
                resume(State.Released(reader: reader, writers: released))
            case .collect: attempt(pipeline) { () throws(EncoderError) in try pipeline.collect(emit: deliver) }
            case .done: return pipeline.close()
            }
        }
    }

    private func perform(_ job: Job, with pipeline: EncodePipeline) {
        switch job {
        case .frame(let picture, let frame):
            attempt(pipeline) { () throws(EncoderError) in try pipeline.encode(picture, of: frame, emit: deliver) }
        case .control(let perform, _):
            perform(pipeline, deliver)
            guarded.withLock { $0.abandonCurrent = nil }
        }
    }

    /// Lets the pipeline work; what it throws ends the session.
    private func attempt(_ pipeline: EncodePipeline, _ work: () throws(EncoderError) -> Void) {
        do throws(EncoderError) {
            try work()
        } catch {
            fail(error, pipeline)
        }
        if pipeline.hasNews { publish(pipeline) }
    }

    /// Ends the session for an error; all frames inside come out as dropped first.
    private func fail(_ error: EncoderError, _ pipeline: EncodePipeline) {
        do throws(EncoderError) {
            try pipeline.abandon(error, emit: deliver)
        } catch {
            // The session was ended meanwhile: its frames are not asked for.
            return
        }
        end(error)
    }

    /// What to do next; sleeps until there is something.
    private func nextWork(_ load: EncoderLoad) -> State.Work {
        guarded.waitFor { guarded in
            let work = guarded.state.nextWork(load: load) { job in
                if case .frame = job { true } else { false }
            }
            if case .job(.control(_, let abandon), _) = work { guarded.abandonCurrent = abandon }
            return work
        }
    }

    /// Gives what became of a frame to the reader.
    ///
    /// - Throws: ``EncoderError`` that ended the session meanwhile, so that the encoder stops.
    private func deliver(_ frame: EncodedFrame) throws(EncoderError) {
        resume(try guarded.withLock { $0.state.deliver(frame) }.get())
    }

    private func publish(_ pipeline: EncodePipeline) {
        pipeline.hasNews = false
        guarded.withLock { guarded in
            guarded.adjustments = pipeline.adjustments
            guarded.settings = pipeline.settings
            // Pictures of another size may be asked for already, which the encoder is not open for yet.
            if let pool = pipeline.run?.pixelBufferPool, pool.source == guarded.pictures.source {
                guarded.pictures = pool
            }
        }
    }
}

extension SourceFormat {
    /// Pictures that may wait between caller, encoder and reader: as many as 16 MiB hold, in bounds.
    fileprivate var pipelineCapacity: Int { min(max((16 << 20) / byteCount, 2), 16) }
}
