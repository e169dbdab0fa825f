// SPDX-License-Identifier: MIT

import Synchronization

/// The answer to one request, for one task that waits; the first answer counts.
final class Reply<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, EncoderError>

    private enum State {
        case open
        case awaited(UnsafeContinuation<Answer, Never>)
        case answered(Answer)
    }

    private let state = Mutex(State.open)

    /// Answers; does nothing when an answer came before.
    func answer(_ answer: Answer) {
        let waiting: UnsafeContinuation<Answer, Never>? = state.withLock { state in
            if case .answered = state { return nil }
            defer { state = .answered(answer) }
            if case .awaited(let waiting) = state { return waiting }
            return nil
        }
        waiting?.resume(returning: answer)
    }

    /// The answer, waiting for it; to be asked once.
    private var value: Answer {
        get async {
            await withUnsafeContinuation { waiting in
                let answer: Answer? = state.withLock { state in
                    if case .answered(let answer) = state { return answer }
                    state = .awaited(waiting)
                    return nil
                }
                if let answer { waiting.resume(returning: answer) }
            }
        }
    }

    /// The answer, or `.cancelled` as soon as the waiting task is cancelled; to be asked once.
    var valueUnlessCancelled: Value {
        get async throws(EncoderError) {
            let answer = await withTaskCancellationHandler {
                await value
            } onCancel: {
                self.answer(.failure(EncoderError(.cancelled, reason: "the waiting task was cancelled")))
            }
            return try answer.get()
        }
    }
}
