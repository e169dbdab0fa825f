// SPDX-License-Identifier: MIT

/// Commands on their way to the session's thread.
extension SessionCore {
    /// Has a command done after the frames given so far; `answer` gets what came of it.
    func order<Value>(_ command: SessionCommand<Value>, answer: @escaping SessionCommand<Value>.Answer) {
        let job = command.job(on: self, answer: answer)
        var replaced: PixelBufferPool?
        let ordered = guarded.withLock { guarded in
            let ordered = guarded.enqueue(job, isLast: command.isLast)
            if case .success = ordered, let pool = command.pool { replaced = guarded.take(from: pool) }
            return ordered
        }
        withExtendedLifetime(replaced) { proceed(ordered, answer) }
    }

    private func proceed<Value>(
        _ ordered: Result<(State.Released, Bool), EncoderError>, _ answer: SessionCommand<Value>.Answer
    ) {
        switch ordered {
        case .success((let released, let mustStart)):
            // A thread that cannot be started ends the session, which abandons the job.
            try? resume(released, startingThread: mustStart)
        case .failure(let error): answer(.failure(error))
        }
    }

    /// Has a command done while the caller's task waits.
    ///
    /// A cancelled task, and the end of the session, end the wait for it and not the command.
    ///
    /// - Returns: What the command returns.
    /// - Throws: What the command throws, `.cancelled`, or what ended the session.
    func perform<Value>(_ command: SessionCommand<Value>) async throws(EncoderError) -> Value {
        let reply = Reply<Value>()
        order(command) { reply.answer($0) }
        return try await reply.valueUnlessCancelled
    }

    /// Runs `call`, which answers once, while the calling thread sleeps.
    ///
    /// - Returns: What `call` answers.
    /// - Throws: What `call` answers; `.invalidState` on a thread that the call would wait for.
    func blocking<Value>(
        _ call: (_ answer: @escaping SessionCommand<Value>.Answer) -> Void
    ) throws(EncoderError) -> Value {
        guard !isOwnThread else {
            throw EncoderError(
                .invalidState,
                reason: "called by the session's handler, by a whenDone or on its thread, which the call would wait for"
            )
        }
        let reply = Reply<Value>()
        call { reply.answer($0) }
        return try reply.answerBlocking().get()
    }

    /// Takes pictures as before again, unless others are taken meanwhile: from the open encoder's pool, where it has
    /// one.
    func stopTaking(from pool: PixelBufferPool, for pipeline: borrowing EncodePipeline) {
        guard
            let before = pipeline.run?.pixelBufferPool ?? (try? PixelBufferPool(pipeline.inForce.configuration.source))
        else { return }
        _ = guarded.withLock { guarded in guarded.pool === pool ? guarded.take(from: before) : nil }
    }

    /// Makes the next frame a key frame.
    func requestKeyFrame() throws(EncoderError) {
        let (released, mustStart) = try guarded.withLock { $0.enqueue(.keyFrameRequest) }.get()
        try resume(released, startingThread: mustStart)
    }

    // MARK: - Settings

    /// Changes settings for the frames that follow; `answer` gets what it took.
    ///
    /// - Parameters:
    ///   - change: Edits the settings that were asked for last; again where another thread changed them meanwhile.
    ///   - answer: Told once: on the session's thread, or on the one that ends the session first.
    /// - Throws: ``EncoderError`` for what cannot be, or what ended the session.
    func change(
        _ change: (inout SessionConfiguration) throws(EncoderError) -> Void,
        answer: @escaping SessionCommand<UpdateOutcome>.Answer
    ) throws(EncoderError) {
        while true {
            let (asked, now, inForce, refusal) = guarded.withLock {
                ($0.asked, $0.configuration, $0.inForce, $0.state.refusal(ignoringReader: true))
            }
            if let refusal { throw refusal }
            var next = now
            try change(&next)
            do throws(EncoderError) {
                try check(try inForce.asking(next).settings)
            } catch {
                throw error.leavingSession
            }
            if order(.change(from: now, to: next), of: next, after: asked, answer) { return }
        }
    }

    /// Has settings put in force, unless others were asked for meanwhile; whether it has.
    private func order(
        _ command: SessionCommand<UpdateOutcome>, of next: SessionConfiguration, after asked: SettingRequests,
        _ answer: @escaping SessionCommand<UpdateOutcome>.Answer
    ) -> Bool {
        let job = command.job(on: self) { result in
            self.guarded.withLock { guarded in
                guarded.asked.settle(asked.count + 1, as: guarded.inForce.configuration)
            }
            answer(result)
        }
        let ordered = guarded.withLock { guarded -> Result<(State.Released, Bool), EncoderError>? in
            guard guarded.asked.count == asked.count else { return nil }
            let ordered = guarded.enqueue(job)
            if case .success = ordered { guarded.asked.note(next) }
            return ordered
        }
        guard let ordered else { return false }
        proceed(ordered, answer)
        return true
    }
}
