// SPDX-License-Identifier: MIT

/// Somebody who waits for an answer, which comes exactly once: a suspended task, a thread that sleeps, or a closure.
package enum Waiter<Answer: Sendable>: Sendable {
    case task(UnsafeContinuation<Answer, Never>)
    case thread(ThreadWait<Answer>)
    case closure(@Sendable (Answer) -> Void)

    /// Lets the one who waits go on; a closure runs here.
    package func resume(returning answer: Answer) {
        switch self {
        case .task(let continuation): continuation.resume(returning: answer)
        case .thread(let wait): wait.resume(returning: answer)
        case .closure(let body): body(answer)
        }
    }
}

/// What one thread sleeps on until it is answered.
package final class ThreadWait<Answer: Sendable>: Sendable {
    private let answer = SessionLock<Answer?>(nil)

    package init() {}

    /// The answer, sleeping until it comes; to be asked once.
    package func value() -> Answer { answer.waitFor { $0 } }

    package func resume(returning value: Answer) {
        answer.withLock { $0 = value }
        answer.wake()
    }
}
