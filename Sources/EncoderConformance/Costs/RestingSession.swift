// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

extension Scenario {
    static let restingSession = Scenario(
        "resting-session",
        "A session to which nothing is given takes no processor time; the median of nine tenths of a second."
    ) { context, findings in
        for effort in ScenarioContext.Effort.allCases {
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
            for _ in 0..<9 {
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
