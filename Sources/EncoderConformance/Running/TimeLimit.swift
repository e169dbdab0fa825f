// SPDX-License-Identifier: MIT

import Synchronization

/// Counts what is done, by which a busy machine is told from a call that hangs.
final class Progress: Sendable {
    private let steps = Atomic(0)

    /// How much was done so far.
    var count: Int { steps.load(ordering: .relaxed) }

    /// Counts a step.
    func step() { steps.wrappingAdd(1, ordering: .relaxed) }
}

/// Thrown for what did not end in time.
struct TimeLimitError: Error, CustomStringConvertible {
    let what: String
    let seconds: Double

    var description: String { "\(what) did not return within \(seconds) s" }
}

/// Runs `body` in a task of its own, so that one that hangs can be reported instead of waited for.
///
/// - Parameters:
///   - seconds: How long it may take; where there is `progress`, how long it may take without any, and ten times that
///     altogether.
///   - what: What it is, for the error.
///   - progress: Counts what the body does.
///   - body: What to run.
/// - Returns: What the body returns.
/// - Throws: ``TimeLimitError`` when it does not return in time, what it throws otherwise.
func withTimeLimit<Value: Sendable>(
    _ seconds: Double, _ what: String, progress: Progress? = nil,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let race = Race(continuation)
        let timer = Task {
            for _ in 0..<10 {
                let before = progress?.count
                try? await Task.sleep(for: .seconds(seconds))
                if Task.isCancelled || progress?.count == before { break }
            }
            race.finish(.failure(TimeLimitError(what: what, seconds: seconds)))
        }
        race.start(
            Task {
                do {
                    race.finish(.success(try await body()))
                } catch {
                    race.finish(.failure(error))
                }
                timer.cancel()
            })
    }
}

/// Lets the first of two results through, and cancels the work that comes too late.
private final class Race<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var work: Task<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        state = Mutex(State(continuation: continuation))
    }

    func start(_ work: Task<Void, Never>) {
        state.withLock { $0.work = work }
    }

    func finish(_ result: Result<Value, any Error>) {
        let (continuation, work) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.work)
        }
        guard let continuation else { return }
        continuation.resume(with: result)
        if case .failure(is TimeLimitError) = result { work?.cancel() }
    }
}
