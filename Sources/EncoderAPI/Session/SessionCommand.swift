// SPDX-License-Identifier: MIT

/// What the session's thread does between two frames, in the order of the calls.
struct SessionCommand<Value: Sendable>: Sendable {
    typealias Body = @Sendable (inout EncodePipeline, EncodePipeline.Emit) throws(EncoderError) -> Value
    /// Told once what came of a command: on the session's thread, or on the one that ends the session first.
    typealias Answer = @Sendable (Result<Value, EncoderError>) -> Void

    /// What is done.
    let body: Body
    /// What the frames given after it are taken as, unless it fails; nil for no change.
    var pool: PixelBufferPool?
    /// Whether the session ends with it.
    var isLast = false

    /// What the thread of `core` does, and what becomes of the caller where the session ends first.
    func job(on core: SessionCore, answer: @escaping Answer) -> SessionCore.Job {
        .control(
            perform: { pipeline, emit in perform(on: core, &pipeline, emit, answer) },
            abandon: { answer(.failure($0)) })
    }

    private func perform(
        on core: SessionCore, _ pipeline: inout EncodePipeline, _ emit: EncodePipeline.Emit, _ answer: Answer
    ) {
        var result = Result { () throws(EncoderError) in try body(&pipeline, emit) }
        core.publish(&pipeline)
        // Before anybody learns of a failure, which the end of a session tells callers too.
        if let pool, case .failure = result { core.stopTaking(from: pool, for: pipeline) }
        // Whoever ended the session meanwhile has answered.
        let isAnswered = core.takeAbandonCurrent() == nil
        if let failure = pipeline.failure {
            core.fail(failure, &pipeline)
            result = result.mapError(\.endingSession)
        } else if isLast {
            pipeline.close()
            core.end(nil)
        } else {
            result = result.mapError(\.leavingSession)
        }
        if !isAnswered { answer(result) }
    }
}

extension SessionCommand where Value == Void {
    /// Opens the encoder.
    static var prepare: SessionCommand {
        SessionCommand { pipeline, _ throws(EncoderError) in _ = try pipeline.prepare() }
    }
}

extension SessionCommand where Value == UpdateOutcome {
    /// Makes the frames that follow pictures as those of a pool.
    static func change(to pool: PixelBufferPool) -> SessionCommand {
        SessionCommand(
            body: { pipeline, emit throws(EncoderError) in
                var next = pipeline.inForce.configuration
                next.source = pool.source
                return try pipeline.change(to: next, emit: emit)
            }, pool: pool)
    }

    /// Makes a change of settings to what is in force then, which lacks changes before it that could not be.
    static func change(from asked: SessionConfiguration, to next: SessionConfiguration) -> SessionCommand {
        SessionCommand { pipeline, emit throws(EncoderError) in
            try pipeline.change(to: pipeline.inForce.configuration.changed(as: asked, to: next), emit: emit)
        }
    }
}

extension SessionCommand where Value == Int {
    /// Brings out the frames up to `time`, or all; returns how many events of `core` there are then.
    static func complete(through time: MediaTime?, of core: SessionCore) -> SessionCommand {
        SessionCommand { pipeline, emit throws(EncoderError) in
            try pipeline.collect(through: time, emit: emit)
            if pipeline.holds(through: time) { try pipeline.flush(emit: emit) }
            return core.emittedCount
        }
    }

    /// Brings out all frames and ends the session; returns how many events of `core` there are then.
    static func finish(_ core: SessionCore) -> SessionCommand {
        SessionCommand(
            body: { pipeline, emit throws(EncoderError) in
                try pipeline.flush(emit: emit)
                return core.emittedCount
            }, isLast: true)
    }
}
