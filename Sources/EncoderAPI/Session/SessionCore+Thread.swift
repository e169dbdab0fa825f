// SPDX-License-Identifier: MIT

import Glibc

/// The session's thread.
extension SessionCore {
    /// Lets everybody go on who can, the thread too.
    ///
    /// - Throws: ``EncoderError`` when the thread cannot be started, which ends the session.
    func resume(_ released: State.Released, startingThread mustStart: Bool) throws(EncoderError) {
        if mustStart {
            do throws(EncoderError) {
                try SessionThread.start { [self] in run() }
            } catch {
                end(error)
                throw error.endingSession
            }
        }
        resume(released)
    }

    private func run() {
        guarded.withLock { $0.sessionThread = pthread_self() }
        var pipeline = makePipeline()
        while true {
            switch nextWork(pipeline.load) {
            case .job(let job, let released):
                resume(released)
                perform(job, with: &pipeline)
            case .resume(let released): resume(released)
            case .collect: attempt(&pipeline) { (pipeline) throws(EncoderError) in try pipeline.collect(emit: deliver) }
            case .done:
                // Another thread may have the same identity once this one is gone.
                guarded.withLock { $0.sessionThread = nil }
                return pipeline.close()
            }
        }
    }

    private func perform(_ job: Job, with pipeline: inout EncodePipeline) {
        switch job {
        case .frame(let picture, let frame):
            attempt(&pipeline) { (pipeline) throws(EncoderError) in
                try pipeline.encode(picture, of: frame, emit: deliver)
            }
        case .control(let perform, _):
            perform(&pipeline, deliver)
            _ = takeAbandonCurrent()
        }
    }

    /// Lets the pipeline work; what it throws ends the session.
    private func attempt(
        _ pipeline: inout EncodePipeline, _ work: (inout EncodePipeline) throws(EncoderError) -> Void
    ) {
        do throws(EncoderError) {
            try work(&pipeline)
        } catch {
            fail(error, &pipeline)
        }
        if pipeline.hasNews { publish(&pipeline) }
        if pipeline.hasMeasures { guarded.withLock { pipeline.tell(&$0.statistics) } }
    }

    /// Ends the session for an error; all frames inside come out as dropped first.
    func fail(_ error: EncoderError, _ pipeline: inout EncodePipeline) {
        let error = error.endingSession
        do throws(EncoderError) {
            try pipeline.abandon(error, emit: deliver)
        } catch {
            // The session was ended meanwhile: its frames are not asked for.
            return
        }
        end(error)
    }

    /// What answers whoever waits for the job at hand; nil where that is done.
    func takeAbandonCurrent() -> (@Sendable (EncoderError) -> Void)? {
        guarded.withLock { exchange(&$0.abandonCurrent, with: nil) }
    }

    /// What to do next; sleeps until there is something.
    private func nextWork(_ load: EncoderLoad) -> State.Work {
        guarded.waitFor { guarded in
            // Looked at here, so that nothing is copied for a frame.
            var abandon: (@Sendable (EncoderError) -> Void)?
            let work = guarded.state.nextWork(load: load) { job in
                guard case .control(_, let abandonJob) = job else { return true }
                abandon = abandonJob
                return false
            }
            if let abandon { guarded.abandonCurrent = abandon }
            return work
        }
    }

    /// Gives what became of a frame to the reader.
    ///
    /// - Throws: ``EncoderError`` that ended the session meanwhile, so that the encoder stops.
    private func deliver(_ frame: EncodedFrame) throws(EncoderError) {
        resume(
            try guarded.withLock { guarded in
                let released = guarded.state.deliver(frame)
                if case .success = released { guarded.statistics.note(frame) }
                return released
            }.get())
    }

    /// Shows outside what the pipeline has come to.
    func publish(_ pipeline: inout EncodePipeline) {
        pipeline.hasNews = false
        _ = guarded.withLock { guarded -> PixelBufferPool? in
            guarded.adjustments = pipeline.adjustments
            guarded.statistics.restarts = pipeline.restarts
            pipeline.tell(&guarded.statistics)
            guarded.inForce = pipeline.inForce
            if let run = pipeline.run { guarded.isReordering = run.encoder.reorderDepth > 0 }
            guarded.state.hold(as: pipeline.inForce.configuration)
            // Pictures of another size may be asked for already, which the encoder is not open for yet.
            guard let pool = pipeline.run?.pixelBufferPool, pool.source == guarded.pool.source else { return nil }
            return exchange(&guarded.pool, with: pool)
        }
    }
}
