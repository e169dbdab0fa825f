// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderConformance

@Suite struct TimeLimitTests {
    @Test("what does something all the time may take longer than what hangs", arguments: [true, false])
    func progress(isDoingSomething: Bool) async throws {
        let progress = Progress()
        let result = try? await withTimeLimit(1, "the body", progress: progress) {
            let end = ContinuousClock.now + .seconds(2.5)
            while ContinuousClock.now < end {
                if isDoingSomething { progress.step() }
                try await Task.sleep(for: .milliseconds(1))
            }
            return true
        }
        #expect(result == (isDoingSomething ? true : nil))
    }

    @Test("what goes on for ever ends after ten times the limit")
    func endless() async {
        let progress = Progress()
        await #expect(throws: TimeLimitError.self) {
            try await withTimeLimit(0.05, "the body", progress: progress) {
                while !Task.isCancelled {
                    progress.step()
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
        }
    }
}
