// SPDX-License-Identifier: MIT

/// Frames on their way in.
extension SessionCore {
    /// Takes a frame if there is room; nil when the pipeline is full.
    ///
    /// - Parameters:
    ///   - picture: As the session takes them.
    ///   - frame: What goes with it.
    ///   - limit: How many frames may wait if those are more than usual.
    ///   - keepsRequest: Whether the caller does not wait for room: a key frame that is asked for with a frame that is
    ///     not taken is owed from then on.
    ///   - source: How its caller knows pictures are taken; nil where that does not matter.
    /// - Returns: What its caller then waits for; nil for a frame that was not taken.
    /// - Throws: ``EncoderError`` that the frame is refused with.
    func submit(
        _ picture: PixelBuffer, _ frame: SubmittedFrame, limit: Int = 0, keepsRequest: Bool = false,
        source: SourceFormat? = nil
    ) throws(EncoderError) -> TakenFrame? {
        let (admission, released, mustStart) = guarded.withLock {
            guarded -> (FrameAdmission, State.Released, Bool) in
            if let source, source != guarded.pool.source { return (.outdated, State.Released(), false) }
            if let error = guarded.pool.source.mismatch(of: picture, without: transfer) {
                return (.refused(error), State.Released(), false)
            }
            let (admission, wakesThread) = guarded.state.submit(
                .frame(picture, frame), at: frame.time, limit: limit)
            var released = State.Released(wakesThread: wakesThread)
            if case .full = admission, keepsRequest { guarded.statistics.refused += 1 }
            if case .full = admission, keepsRequest, frame.options.forceKeyFrame,
                case .success(let others) = guarded.state.enqueue(.keyFrameRequest)
            {
                released = others
            }
            return (admission, released, guarded.mustStartThread())
        }
        try resume(released, startingThread: mustStart)
        return try Self.taken(admission)
    }

    /// Takes a frame, suspending until there is room.
    ///
    /// - Throws: ``EncoderError`` that the frame is refused with; `.cancelled` when the task is cancelled before it is
    ///   taken.
    func submitWaiting(_ picture: PixelBuffer, _ frame: SubmittedFrame) async throws(EncoderError) -> TakenFrame? {
        try Self.taken(await suspending { id, caller in enter(picture, frame, id, caller) })
    }

    /// Suspends the caller, who begins to wait in `body`; one that is cancelled waits no more.
    private func suspending(_ body: (_ id: Int, Caller) -> Void) async -> FrameAdmission? {
        let id = guarded.withLock { $0.state.makeWaitID() }
        let admission = await withTaskCancellationHandler {
            await withUnsafeContinuation { body(id, .task($0)) }
        } onCancel: {
            resume(guarded.withLock { $0.state.cancelCaller(id: id) })
        }
        guarded.withLock { $0.state.forget(id: id) }
        return admission
    }

    /// Takes a frame, blocking the caller until there is room, or `always`, without waiting; nil where pictures are
    /// taken otherwise than `source` says.
    func submitBlocking(
        _ picture: PixelBuffer, _ frame: SubmittedFrame, source: SourceFormat?, always: Bool
    ) throws(EncoderError) -> TakenFrame? {
        let wait = ThreadWait<FrameAdmission?>()
        enter(picture, frame, guarded.withLock { $0.state.makeWaitID() }, .thread(wait), source, always: always)
        return try Self.taken(wait.value())
    }

    private func enter(
        _ picture: PixelBuffer, _ frame: SubmittedFrame, _ id: Int, _ caller: Caller, _ source: SourceFormat? = nil,
        always: Bool = false
    ) {
        resume(
            guarded.withLock { guarded in
                if let source, source != guarded.pool.source {
                    return State.Released(callers: [(caller, .outdated)])
                }
                if let error = guarded.pool.source.mismatch(of: picture, without: transfer) {
                    return State.Released(callers: [(caller, .refused(error))])
                }
                return guarded.state.enter(.frame(picture, frame), at: frame.time, id: id, caller, always: always)
            })
    }

    private static func taken(_ admission: FrameAdmission?) throws(EncoderError) -> TakenFrame? {
        switch admission {
        case .taken(let frame): return frame
        case .refused(let error): throw error
        case .full, .outdated, nil: return nil
        }
    }

    // MARK: - Conditions

    /// Suspends until the condition holds, the session ends, or the task is cancelled.
    func wait(for condition: State.Condition) async {
        _ = await suspending { id, caller in
            guarded.withLock { $0.state.wait(id: id, for: condition, caller) }?.resume(returning: nil)
        }
    }

    /// Blocks the caller until the condition holds or the session ends.
    func waitBlocking(for condition: State.Condition) {
        let wait = ThreadWait<FrameAdmission?>()
        self.wait(for: condition, .thread(wait))
        _ = wait.value()
    }

    /// Lets `caller` go on once the condition holds or the session ends.
    func wait(for condition: State.Condition, _ caller: Caller) {
        guarded.withLock { guarded in
            guarded.state.wait(id: guarded.state.makeWaitID(), for: condition, caller)
        }?.resume(returning: nil)
    }
}
