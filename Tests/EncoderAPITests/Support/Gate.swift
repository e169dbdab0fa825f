// SPDX-License-Identifier: MIT

import Dispatch

/// Holds a session's thread inside a call of the encoder until a test lets it go on.
final class Gate: Sendable {
    private let passage = DispatchSemaphore(value: 0)
    private let arrival = DispatchSemaphore(value: 0)

    /// Blocks until the gate is opened, once for each call of ``open()``.
    func wait() {
        arrival.signal()
        passage.wait()
    }

    /// Blocks as ``wait()``, but for so many seconds at most; whether the gate was opened.
    func wait(atMost seconds: Int) -> Bool {
        arrival.signal()
        return passage.wait(timeout: .now() + .seconds(seconds)) == .success
    }

    /// Lets one ``wait()`` go on.
    func open() { passage.signal() }

    /// Suspends until somebody stands before the gate.
    func arrived() async throws {
        while !hasArrival() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Takes one arrival, if there is one.
    private func hasArrival() -> Bool { arrival.wait(timeout: .now()) == .success }
}
