// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let leaks = Scenario(
        "leaks", "Encoders that were opened, used and closed leave neither threads nor memory behind."
    ) { context, findings in
        var uses: [ProcessUse] = []
        for round in 0..<rounds + 2 {
            for _ in 0..<encoders { _ = try await context.run(context.configuration(), GivenFrame.series(3)) }
            guard let use = try await rested() else { throw NotApplicable("there is no /proc/self to read") }
            // The first two fill caches and pools.
            if round >= 2 { uses.append(use) }
        }
        guard let first = uses.first, let last = uses.last else { return }
        let steps = zip(uses, uses.dropFirst())
        let count = (rounds - 1) * encoders
        // What others do in the process comes and goes; a leak grows with each round.
        findings.expect(
            !steps.allSatisfy { $0.threads < $1.threads },
            "as many threads after \(count) encoders as before, \(first.threads)",
            seen: "\(last.threads), more after each \(encoders)")
        let grown = last.residentBytes - first.residentBytes
        findings.expect(
            grown < count * mostBytes || !steps.allSatisfy { $0.residentBytes < $1.residentBytes },
            "less than \(mostBytes) bytes of memory kept for each of \(count) encoders",
            seen: "\(grown / count), more after each \(encoders)")
    }

    private static let rounds = 6
    /// Encoders of a round.
    private static let encoders = 4
    /// libx265 keeps five kilobytes of each encoder; an encoder's own memory is a megabyte and more.
    private static let mostBytes = 256 << 10

    /// What is used once threads that end have ended: the least of what is seen for a while.
    private static func rested() async throws -> ProcessUse? {
        guard var least = ProcessUse.now() else { return nil }
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(10))
            guard let now = ProcessUse.now() else { return nil }
            least = ProcessUse(
                threads: min(least.threads, now.threads), residentBytes: min(least.residentBytes, now.residentBytes))
        }
        return least
    }
}
