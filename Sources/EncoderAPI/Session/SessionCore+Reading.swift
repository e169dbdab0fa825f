// SPDX-License-Identifier: MIT

import Glibc

/// Events on their way out.
extension SessionCore {
    func attachReader() { guarded.withLock { $0.state.attachReader() } }

    func releaseReader() { resume(guarded.withLock { $0.state.releaseReader() }) }

    /// The next encoded frame; suspends until there is one.
    func nextFrame() async throws(EncoderError) -> EncodedFrame? {
        var waited: Int?
        while true {
            switch guarded.withLock({ $0.state.read(after: waited) }) {
            case .frame(let frame, let released):
                resume(released)
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
        .invalidState, reason: "encodedFrames is being read by another task, or given to a handler; it has one reader")

    /// Suspends until there may be a frame; false when somebody else takes it.
    private func waitForFrame(_ id: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (reader: UnsafeContinuation<Bool, Never>) in
                switch guarded.withLock({ $0.state.wait(id: id, .task(reader)) }) {
                case .suspended: break
                case .goesOn: reader.resume(returning: true)
                case .refused: reader.resume(returning: false)
                }
            }
        } onCancel: {
            resume(State.Released(reader: guarded.withLock { $0.state.cancelReader(id: id) }))
        }
    }

    // MARK: - A handler

    /// Gives all events to a handler from now on.
    ///
    /// - Throws: ``EncoderError`` with `.invalidState` where frames were given already, or somebody else takes them.
    func attach(_ handler: OutputHandler) throws(EncoderError) {
        guard guarded.withLock({ $0.state.attachHandler(.handler(handler)) }) else {
            throw EncoderError(
                .invalidState,
                reason: "a handler for a session that was given frames, has a reader, or has a handler already")
        }
    }

    /// Gives the handler what is there; runs on its queue, once at a time.
    func give(to handler: OutputHandler) {
        var hasReturned = false
        for _ in 0..<handler.queue.eventsInARow {
            // Apart from the event: a tuple of both is copied part by part.
            var released = State.Released()
            let next = guarded.withLock { guarded -> EncodedFrame? in
                let event = guarded.state.nextEvent(for: .handler(handler), hasReturned: hasReturned)
                released = guarded.state.release()
                guarded.handlerThread = guarded.state.isHandling ? pthread_self() : nil
                return event
            }
            resume(released)
            guard let event = consume next else { return }
            handler.body(event)
            hasReturned = true
        }
        // Others who use the queue get their turn.
        resume(
            guarded.withLock { guarded in
                guarded.handlerThread = nil
                guarded.state.noteReturn()
                return guarded.state.release()
            })
        handler.queue.run { [self] in give(to: handler) }
    }

    /// Waits until the handler runs no more, unless it is the handler who asks.
    func waitForHandler() {
        guard !isOwnThread else { return }
        waitBlocking(for: .handlerIdle)
    }
}
