// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

extension Scenario {
    static let restingSession = Scenario(
        "resting-session",
        "A session to which nothing is given takes no processor time; the median of five tenths of a second."
    ) { context, findings in
        for effort in context.efforts {
            let configuration = context.configuration(effort)
            let video = ScenarioContext.video(for: configuration)
            let session = try context.session(configuration)
            defer { session.invalidate() }
            let reader = Task { for try await _ in session.encodedFrames {} }
            for index in 0..<5 {
                try await session.encode(
                    try video.picture(at: index), at: MediaTime(value: Int64(index), timescale: 30))
            }
            var shares: [Double] = []
            for _ in 0..<5 {
                let (start, spent) = (ContinuousClock.now, clock())
                try await Task.sleep(for: .milliseconds(100))
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                shares.append(Double(clock() - spent) / Double(CLOCKS_PER_SEC) / seconds)
            }
            let share = shares.sorted()[shares.count / 2]
            findings.expect(
                share < 0.05, "less than 5 % of a processor while nothing is given (\(effort) effort)",
                seen: "\(Int(share * 100)) %")
            try await session.finish()
            try await reader.value
        }
    }

    static let steadyMemory = Scenario(
        "steady-memory", "What an open encoder keeps does not grow with each picture that it is given."
    ) { context, findings in
        for effort in context.efforts {
            let configuration = context.configuration(effort)
            let video = ScenarioContext.video(for: configuration)
            let session = try context.session(configuration)
            defer { session.invalidate() }
            let counter = OutCounter()
            let reader = Task { for try await _ in session.encodedFrames { counter.add() } }
            var counts: [Int] = []
            for index in 0..<steadyPictures {
                try await session.encode(
                    try video.picture(at: index % 30), at: MediaTime(value: Int64(index), timescale: 30))
                // The first half fills lists of references and pools.
                guard index % 20 == 19, index >= steadyPictures / 2 - 1 else { continue }
                let most = context.watch.opened.last?.maximumDelay ?? 0
                for _ in 0..<1000 where counter.value + most <= index {
                    try await Task.sleep(for: .milliseconds(5))
                }
                guard let use = ProcessUse.now() else { throw NotApplicable("there is no /proc/self to read") }
                counts.append(use.heapBytes)
            }
            try await session.finish()
            try await reader.value
            findings.expect(
                !isGrowth(counts, least: 20 * 1024),
                "fewer than 1024 bytes of malloc more with each picture (\(effort) effort)",
                seen: "\(counts), one count after each 20 pictures")
        }
    }

    private static let steadyPictures = 200

    /// Whether the least of the later half of counts is `least` or more above the most of the earlier half, and the
    /// median step too: what is in flight comes and goes, what is made once is one step, and what is kept for each
    /// picture stays.
    static func isGrowth(_ counts: [Int], least: Int) -> Bool {
        let half = counts.count / 2
        guard let before = counts.prefix(half).max(), let after = counts.dropFirst(half).min() else { return false }
        let steps = zip(counts, counts.dropFirst()).map { Double($1 - $0) }
        return after - before >= least && steps.median >= Double(least)
    }

    static let steadyCalls = Scenario(
        "steady-calls", "No call of encode() takes much longer than the others, late as early; best of three lives.",
        length: 2
    ) { context, findings in
        var best: [Duration] = []
        for _ in 0..<3 {
            let before = context.watch.times(.encodingOne).count
            _ = try await context.run(context.configuration(), GivenFrame.series(120))
            let times = Array(context.watch.times(.encodingOne).dropFirst(before))
            best = best.isEmpty ? times : zip(best, times).map { min($0, $1) }
        }
        let median = best.sorted().dropFirst(best.count / 2).first ?? .zero
        // Below this, what the machine does besides decides.
        let bound = max(median * 20, .milliseconds(150))
        for (index, time) in best.enumerated() where time > bound {
            findings.note("a call of \(bound) at most, as others take \(median), for picture \(index)", seen: "\(time)")
        }
    }
}
