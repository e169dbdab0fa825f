// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let leaks = Scenario(
        "leaks",
        "Encoders that were used and closed, or given up in the middle, leave neither threads nor open files nor memory."
    ) { context, findings in
        var uses: [ProcessUse] = []
        for round in 0..<rounds + 2 {
            for number in 0..<encoders { try await use(context, toTheEnd: number % 2 == 0) }
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
        findings.expect(
            !steps.allSatisfy { $0.descriptors < $1.descriptors },
            "as many open files after \(count) encoders as before, \(first.descriptors)",
            seen: "\(last.descriptors), more after each \(encoders)")
        let grown = last.residentBytes - first.residentBytes
        findings.expect(
            grown < count * mostBytes || !steps.allSatisfy { $0.residentBytes < $1.residentBytes },
            "less than \(mostBytes) bytes of memory kept for each of \(count) encoders",
            seen: "\(grown / count), more after each \(encoders)")
    }

    /// One session, of forty frames and two updates, which is finished, or of three and given up.
    private static func use(_ context: ScenarioContext, toTheEnd isFinished: Bool) async throws {
        let configuration = context.configuration()
        if isFinished {
            _ = try await context.run(
                configuration, GivenFrame.series(40),
                before: { index, session in
                    guard index % 15 == 14, context.has(.maxKeyFrameInterval) else { return }
                    try await session.update { $0.maxKeyFrameInterval = 100 + index }
                })
            return
        }
        let session = try context.session(configuration)
        defer { session.invalidate() }
        let video = ScenarioContext.video(for: configuration)
        try await session.prepare()
        let before = context.watch.times(.encodingOne).count
        for index in 0..<3 {
            try await session.encode(try video.picture(at: index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        // An encoder that has taken nothing has nothing to leave behind.
        let end = ContinuousClock.now + .seconds(context.patience)
        while context.watch.times(.encodingOne).count == before, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(1))
        }
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
            least = least.least(of: now)
        }
        return least
    }
}
