// SPDX-License-Identifier: MIT

import Synchronization

/// The answer to one request, for one task or thread that waits; the first answer counts.
final class Reply<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, EncoderError>

    private enum State {
        case open
        case awaited(Waiter<Answer>)
        case answered(Answer)
    }

    private let state = Mutex(State.open)

    /// Answers; does nothing when an answer came before.
    func answer(_ answer: Answer) {
        let waiting: Waiter<Answer>? = state.withLock { state in
            if case .answered = state { return nil }
            defer { state = .answered(answer) }
            if case .awaited(let waiting) = state { return waiting }
            return nil
        }
        waiting?.resume(returning: answer)
    }

    /// Whether there is an answer, which a cancelled wait is too.
    var isAnswered: Bool { state.withLock { if case .answered = $0 { true } else { false } } }

    /// Lets somebody wait for the answer, or go on at once where there is one.
    private func await(_ waiting: Waiter<Answer>) {
        let answer: Answer? = state.withLock { state in
            if case .answered(let answer) = state { return answer }
            state = .awaited(waiting)
            return nil
        }
        if let answer { waiting.resume(returning: answer) }
    }

    /// The answer, or `.cancelled` as soon as the waiting task is cancelled; to be asked once.
    var valueUnlessCancelled: Value {
        get async throws(EncoderError) {
            let answer = await withTaskCancellationHandler {
                await withUnsafeContinuation { self.await(.task($0)) }
            } onCancel: {
                self.answer(.failure(EncoderError(.cancelled, reason: "the waiting task was cancelled")))
            }
            return try answer.get()
        }
    }

    /// The answer, for which the calling thread sleeps; to be asked once.
    func answerBlocking() -> Answer {
        let wait = ThreadWait<Answer>()
        self.await(.thread(wait))
        return wait.value()
    }
}
