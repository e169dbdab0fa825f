// SPDX-License-Identifier: MIT

@testable import EncoderAPI

/// Who waits in a session, for tests that go on when somebody does.
extension CompressionSession {
    /// Suspends until so many callers wait to have their frames taken.
    func blocks(_ count: Int) async throws { try await wait { $0.entrants.count >= count } }

    /// Suspends until so many callers wait for frames to be encoded or delivered.
    func keepsWaiting(_ count: Int) async throws { try await wait { $0.waiting.count >= count } }

    /// Suspends until somebody waits for a frame to read.
    func hasReader() async throws { try await wait { $0.reader != nil } }

    /// Suspends until the session was asked to finish.
    func finishes() async throws {
        try await wait { state in
            if case .running = state.phase { false } else { true }
        }
    }

    private func wait(until condition: (SessionCore.State) -> Bool) async throws {
        while !core.guarded.withLock({ condition($0.state) }) { try await Task.sleep(for: .milliseconds(1)) }
    }
}
