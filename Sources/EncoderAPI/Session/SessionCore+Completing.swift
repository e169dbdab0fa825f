// SPDX-License-Identifier: MIT

import Glibc

/// `complete` and `finish`, however their callers wait for them.
extension SessionCore {
    /// Has a command bring out the frames given so far; `answer` is told once, when they are as far as asked.
    ///
    /// It is told on the session's thread; of a delivery that is yet to come, by whoever makes it; and where the
    /// session ends before, or is over, on the thread that ends it or calls.
    ///
    /// - Parameters:
    ///   - command: What brings them out; returns how many events there are then.
    ///   - milestone: How far the frames must be.
    ///   - onWait: Called before the delivery of one event or more is waited for.
    ///   - answer: Told what the command threw, or why the frames are not delivered.
    func bringOut(
        by command: SessionCommand<Int>, until milestone: CompressionSession.Milestone,
        onWait: @escaping @Sendable () -> Void, answer: @escaping SessionCommand<Void>.Answer
    ) {
        order(command) { emitted in
            let emitted = command.isLast ? emitted.mapError(\.endingSession) : emitted
            guard milestone == .delivered, let count = self.deliveries(due: emitted) else {
                return answer(emitted.map { _ in })
            }
            if count > 0 { onWait() }
            self.wait(
                for: .delivered(count),
                .closure { _ in
                    // What ended the session says more than that nobody takes its frames.
                    let result = emitted.flatMap { _ in self.loss(of: count).map(Result.failure) ?? .success(()) }
                    self.answering { answer(result) }
                })
        }
    }

    /// Ends the waits for delivery in a session that ended before, and what its handler is given.
    ///
    /// - Parameters:
    ///   - error: What those who wait are told.
    ///   - sparingReader: Whether they go on waiting where somebody reads, and a handler gets what is left.
    func abandonDeliveries(_ error: EncoderError, sparingReader: Bool = false) {
        let (released, discarded) = guarded.withLock { guarded in
            guarded.state.abandonDeliveries(error.endingSession, sparingReader: sparingReader)
        }
        withExtendedLifetime(discarded) { resume(released) }
    }

    /// How many events must be delivered before a caller whose command was answered with `emitted`, the number of
    /// events then, may go on; nil where the command failed and no handler takes what is left.
    ///
    /// When the session fails, a handler still gets every event.
    private func deliveries(due emitted: Result<Int, EncoderError>) -> Int? {
        switch emitted {
        case .success(let count): return count
        case .failure(let error):
            return guarded.withLock { guarded in
                guarded.state.hasHandler && error.endsSession ? guarded.state.emitted : nil
            }
        }
    }

    /// Why so many events are not delivered and will not be; nil where they are.
    private func loss(of count: Int) -> EncoderError? {
        guarded.withLock { guarded in
            guard guarded.state.delivered < count else { return nil }
            // A new reader may have come meanwhile.
            let loss = guarded.state.abandonment ?? guarded.state.loss ?? State.readerRelease
            // A session that finishes takes nothing more, whoever waits for it.
            return if case .running = guarded.state.phase { loss } else { loss.endingSession }
        }
    }

    /// Runs what answers a caller on a thread that delivers: calls in there must not wait for it.
    private func answering(_ body: () -> Void) {
        guarded.withLock { $0.answeringThreads.append(pthread_self()) }
        body()
        guarded.withLock { guarded in
            if let index = guarded.answeringThreads.lastIndex(of: pthread_self()) {
                guarded.answeringThreads.remove(at: index)
            }
        }
    }
}
