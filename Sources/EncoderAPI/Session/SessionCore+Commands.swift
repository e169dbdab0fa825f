// SPDX-License-Identifier: MIT

/// What is done on the session's thread between two frames, in the order of the calls.
extension SessionCore {
    /// What a command does on the session's thread.
    typealias Body<Value> = @Sendable (inout EncodePipeline, EncodePipeline.Emit) throws(EncoderError) -> Value
    typealias Answer<Value> = @Sendable (Result<Value, EncoderError>) -> Void

    /// Runs `body` on the session's thread after the frames given so far, while the caller's task waits.
    ///
    /// A cancelled task, and the end of the session, end the wait for it and not `body`.
    ///
    /// - Parameters:
    ///   - pictures: What the frames given after it are taken as, unless `body` throws; nil for no change.
    ///   - body: What to do.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, `.cancelled`, or what ended the session.
    func perform<Value: Sendable>(
        taking pictures: PixelBufferPool? = nil, _ body: @escaping Body<Value>
    ) async throws(EncoderError) -> Value {
        let reply = Reply<Value>()
        order(taking: pictures, body) { reply.answer($0) }
        return try await reply.valueUnlessCancelled
    }

    /// Runs `call`, which answers once, while the calling thread sleeps.
    ///
    /// - Returns: What `call` answers.
    /// - Throws: What `call` answers; `.invalidState` on a thread that the call would wait for.
    func blocking<Value: Sendable>(
        _ call: (_ answer: @escaping Answer<Value>) -> Void
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

    /// Has `body` run on the session's thread after the frames given so far; `answer` gets what came of it.
    func order<Value: Sendable>(
        finishing: Bool = false, taking pictures: PixelBufferPool? = nil, _ body: @escaping Body<Value>,
        answer: @escaping Answer<Value>
    ) {
        let job = job(finishing: finishing, taking: pictures, body, answer)
        let (ordered, replaced) = guarded.withLock {
            guarded -> (Result<(State.Released, Bool), EncoderError>, PixelBufferPool?) in
            let ordered = guarded.state.enqueue(job, finishing: finishing)
            guard case .success(let released) = ordered else { return (ordered.map { ($0, false) }, nil) }
            let replaced = pictures.map { guarded.take($0) }
            return (.success((released, guarded.mustStartThread())), replaced)
        }
        withExtendedLifetime(replaced) { go(on: ordered, answer) }
    }

    private func go<Value>(on ordered: Result<(State.Released, Bool), EncoderError>, _ answer: Answer<Value>) {
        switch ordered {
        case .success((let released, let mustStart)):
            // A thread that cannot be started ends the session, which abandons the job.
            try? go(on: released, startingThread: mustStart)
        case .failure(let error): answer(.failure(error))
        }
    }

    private func job<Value: Sendable>(
        finishing: Bool, taking pictures: PixelBufferPool?, _ body: @escaping Body<Value>,
        _ answer: @escaping Answer<Value>
    ) -> Job {
        .control(
            perform: { pipeline, emit in
                var result = Result { () throws(EncoderError) in try body(&pipeline, emit) }
                self.publish(&pipeline)
                // Before anybody learns of a failure, which the end of a session tells callers too.
                if let pictures, case .failure = result { self.stopTaking(pictures, for: pipeline) }
                // Whoever ended the session meanwhile has answered.
                let isAnswered = self.takeAbandonCurrent() == nil
                if let failure = pipeline.failure {
                    self.fail(failure, &pipeline)
                    result = result.mapError(\.endingSession)
                } else if finishing {
                    pipeline.close()
                    self.end(nil)
                } else {
                    result = result.mapError(\.leavingSession)
                }
                if !isAnswered { answer(result) }
            }, abandon: { answer(.failure($0)) })
    }

    /// Takes pictures as before again, unless others are taken meanwhile: from the open encoder's pool, where it has
    /// one.
    private func stopTaking(_ pictures: PixelBufferPool, for pipeline: borrowing EncodePipeline) {
        guard
            let before = pipeline.run?.pixelBufferPool ?? (try? PixelBufferPool(pipeline.inForce.configuration.source))
        else { return }
        _ = guarded.withLock { guarded in guarded.pictures === pictures ? guarded.take(before) : nil }
    }

    /// Makes the next frame a key frame.
    func requestKeyFrame() throws(EncoderError) {
        let (released, mustStart) = try guarded.withLock { guarded throws(EncoderError) in
            (try guarded.state.enqueue(.keyFrameRequest).get(), guarded.mustStartThread())
        }
        try go(on: released, startingThread: mustStart)
    }

    // MARK: - Live settings

    /// Changes the live settings for the frames that follow; `answer` gets what it took.
    ///
    /// - Parameters:
    ///   - change: Edits the settings that were asked for last; again where another thread changed them meanwhile.
    ///   - check: Refuses what cannot be, given what the session's thread has come to.
    ///   - answer: Told once: on the session's thread, or on the one that ends the session first.
    /// - Throws: What `check` throws, or what ended the session.
    func update(
        _ change: (inout LiveSettings) -> Void, check: (SettingsInForce) throws(EncoderError) -> Void,
        answer: @escaping Answer<UpdateOutcome>
    ) throws(EncoderError) {
        while true {
            let (asked, count, inForce, source, refusal) = guarded.withLock {
                ($0.asked, $0.askedCount, $0.inForce, $0.pictures.source, $0.state.refusal(ignoringReader: true))
            }
            if let refusal { throw refusal }
            var live = asked
            change(&live)
            let shown = source == inForce.configuration.source ? inForce : try inForce.showing(source)
            do throws(EncoderError) {
                try check(try shown.asking(live))
            } catch {
                throw error.leavingSession
            }
            if order(live, from: asked, unlessChangedSince: count, answer) { return }
        }
    }

    /// Has live settings put in force, unless others were asked for meanwhile; whether it has.
    ///
    /// In its turn the change is made to what is in force then, which lacks changes before it that could not be.
    private func order(
        _ live: LiveSettings, from asked: LiveSettings, unlessChangedSince count: Int,
        _ answer: @escaping Answer<UpdateOutcome>
    ) -> Bool {
        let job = job(
            finishing: false, taking: nil,
            { pipeline, emit throws(EncoderError) in
                try pipeline.update(pipeline.live.changed(as: asked, to: live), emit: emit)
            },
            { result in
                self.settle(count + 1)
                answer(result)
            })
        let ordered = guarded.withLock { guarded -> Result<(State.Released, Bool), EncoderError>? in
            guard guarded.askedCount == count else { return nil }
            let ordered = guarded.state.enqueue(job)
            guard case .success(let released) = ordered else { return ordered.map { ($0, false) } }
            (guarded.asked, guarded.askedCount) = (live, count + 1)
            return .success((released, guarded.mustStartThread()))
        }
        guard let ordered else { return false }
        go(on: ordered, answer)
        return true
    }

    /// Takes what is in force after a change, made or not, as what is asked, unless others were asked for meanwhile.
    private func settle(_ count: Int) {
        guarded.withLock { guarded in
            if guarded.askedCount == count { guarded.asked = guarded.inForce.configuration.live }
        }
    }
}
