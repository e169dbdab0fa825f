// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let leaks = Scenario(
        "leaks",
        "Encoders that were used and closed, or given up in the middle, leave neither threads nor open files nor memory."
    ) { context, findings in
        let count = (rounds - 1) * encoders
        let kinds: [(name: String, kept: KeyPath<ProcessUse, Int>, least: Int)] = [
            ("threads", \.threads, count / 4), ("open files", \.descriptors, count / 4),
            ("bytes of malloc", \.heapBytes, count * mostHeapBytes),
            ("bytes of memory", \.residentBytes, count * mostBytes),
        ]
        // The first two rounds fill caches and pools.
        _ = try await series(context, 2)
        var uses = try await series(context, rounds)
        if kinds.contains(where: { kind in isLeak(uses.map { $0[keyPath: kind.kept] }, least: kind.least) }) {
            // Some libraries fill more, and are level after that; a leak goes on.
            uses = try await series(context, rounds)
        }
        for (name, kept, least) in kinds {
            let counts = uses.map { $0[keyPath: kept] }
            findings.expect(
                !isLeak(counts, least: least), "fewer than \(least) \(name) more after \(count) encoders",
                seen: "\(counts), one count after each \(encoders)")
        }
    }

    /// What the process uses after each of so many rounds of encoders.
    private static func series(_ context: ScenarioContext, _ rounds: Int) async throws -> [ProcessUse] {
        var uses: [ProcessUse] = []
        for _ in 0..<rounds {
            for number in 0..<encoders { try await use(context, toTheEnd: number % 2 == 0) }
            guard let use = try await rested(context) else { throw NotApplicable("there is no /proc/self to read") }
            uses.append(use)
        }
        return uses
    }

    /// Whether a count grew by `least` or more, and with every round but one: what others do in the process, and what
    /// the allocator gives back, comes and goes, and a leak grows each time.
    private static func isLeak(_ counts: [Int], least: Int) -> Bool {
        guard let first = counts.first, let last = counts.last else { return false }
        let grown = zip(counts, counts.dropFirst()).count { $0 < $1 }
        return last - first >= least && grown >= counts.count - 2
    }

    /// One session, of twenty frames and two updates, which is finished, or of three and given up.
    private static func use(_ context: ScenarioContext, toTheEnd isFinished: Bool) async throws {
        let configuration = context.configuration()
        if isFinished {
            _ = try await context.run(
                configuration, GivenFrame.series(20),
                before: { index, session in
                    guard index % 8 == 7, context.has(.maxKeyFrameInterval) else { return }
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
        try await wait(context) { context.watch.times(.encodingOne).count > before }
    }

    /// Waits until something is so, for `patience` at most.
    private static func wait(_ context: ScenarioContext, until isSo: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(context.patience)
        while !isSo(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    }

    private static let rounds = 6
    /// Encoders of a round.
    private static let encoders = 4
    /// libx265 keeps up to seven kilobytes of each encoder.
    private static let mostHeapBytes = 32 << 10
    /// What the allocator cannot give back differs by some hundred kilobytes; an encoder's own memory is a megabyte and
    /// more.
    private static let mostBytes = 256 << 10

    /// What is used once encoders are closed and threads that end have ended: the least of each, when for a while
    /// nothing has become less.
    private static func rested(_ context: ScenarioContext) async throws -> ProcessUse? {
        try await wait(context) { context.watch.times(.closing).count == context.watch.opened.count }
        guard var least = ProcessUse.trimmed() else { return nil }
        var calm = 0
        let end = ContinuousClock.now + .seconds(1)
        while calm < 5, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
            guard let now = ProcessUse.trimmed() else { return nil }
            let next = least.least(of: now)
            calm = next == least ? calm + 1 : 0
            least = next
        }
        return least
    }
}
