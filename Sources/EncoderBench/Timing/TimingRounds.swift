// SPDX-License-Identifier: MIT

package import CommandOptions
import SyntheticPictures

/// Times encodes, one at a time, each in a process of its own: rounds of all curves in random order, after one that
/// tells how long frames are inside and whose times do not count.
package struct TimingRounds {
    /// How much is timed where nobody asked for a number of rounds.
    package struct Budget: Sendable {
        /// Rounds that count.
        package var rounds: Int
        /// Seconds for each pair of curves on each clip with each number of threads.
        package var seconds: Double

        /// What a comparison takes.
        package static let usual = Budget(rounds: 3, seconds: 15)

        package init(rounds: Int, seconds: Double) {
            self.rounds = rounds
            self.seconds = seconds
        }
    }

    /// Rounds that count, 1 or more.
    package let rounds: Int
    package let seed: UInt64
    /// Limits the encodes to one for each curve, and to as many of the clip's first frames as there is time for; nil
    /// for no limit.
    package var budget: Budget?
    /// Whether everything is timed once more with as many threads as the libraries choose.
    package var timesOwnThreads = false
    package var interruption = OneShotEvent()
    /// Times one encode; blocks.
    package var measure: (PointSpec) throws -> TimedEncode
    /// Tells how long frames of an encode are inside, of all that are given within so many seconds; blocks.
    package var measureDelay: (PointSpec, _ seconds: Double?) throws -> EncodeDelay

    package init(
        rounds: Int, seed: UInt64, budget: Budget? = nil, timesOwnThreads: Bool = false,
        interruption: OneShotEvent = OneShotEvent(), measure: @escaping (PointSpec) throws -> TimedEncode,
        measureDelay: @escaping (PointSpec, _ seconds: Double?) throws -> EncodeDelay
    ) {
        self.rounds = rounds
        self.seed = seed
        self.budget = budget
        self.timesOwnThreads = timesOwnThreads
        self.interruption = interruption
        self.measure = measure
        self.measureDelay = measureDelay
    }

    /// Makes rounds whose encodes are in processes of their own, of clips that are decoded here.
    package init(
        rounds: Int, seed: UInt64, budget: Budget? = nil, timesOwnThreads: Bool = false, interruption: OneShotEvent
    ) {
        let clips = SharedClips(interruption: interruption)
        self.init(
            rounds: rounds, seed: seed, budget: budget, timesOwnThreads: timesOwnThreads, interruption: interruption,
            measure: { try TimedRun().resultAlone(of: $0, clips: clips) },
            measureDelay: { try DelayRun(seconds: $1).resultAlone(of: $0, clips: clips) })
    }

    /// Times the curves of each pair at one quality that both reach; where there are no pairs, all of each curve.
    ///
    /// - Parameters:
    ///   - measurements: Says which those are.
    ///   - progress: Called after each encode with encodes done and in all.
    /// - Returns: What came of the rounds that were finished; nil when it was interrupted before the first was.
    /// - Throws: What the first encode that fails says.
    package func report(
        _ measurements: Measurements, progress: (_ done: Int, _ total: Int) -> Void
    ) throws -> TimingReport? {
        let start = MachineLoad.now()
        var report = TimingReport(
            machine: .current(), rounds: rounds, budgetSeconds: budget?.seconds, seed: seed)
        var generator = SplitMix64(state: seed)
        let races = races(measurements)
        let total = (rounds + 1) * races.reduce(0) { $0 + $1.encodes.count }
        var (done, finished) = (0, 0)
        for race in races where !interruption.hasHappened {
            var race = race
            let times = try times(of: &race, using: &generator) {
                done += 1
                progress(done, total)
            }
            finished += race.add(times, to: &report)
        }
        if finished < rounds * races.count {
            guard finished > 0 else { return nil }
            (report.finishedRounds, report.plannedRounds) = (finished, rounds * races.count)
        }
        report.othersCores = MachineLoad.othersCores(since: start)
        return report
    }

    private func races(_ measurements: Measurements) -> [TimedPair] {
        let study = measurements.study
        let reach: TimedPair.Reach = budget == nil ? .oneQuality : .nearest
        let races = study.clips.indices.flatMap { clip in
            study.pairs.isEmpty
                ? study.variants.indices.compactMap {
                    TimedPair(clip: clip, variant: $0, measurements: measurements, reach: reach)
                } : study.pairs.compactMap { TimedPair(clip: clip, pair: $0, measurements: measurements, reach: reach) }
        }
        return races.flatMap { race in
            [race] + (timesOwnThreads ? [race.withOwnThreads].compactMap { $0 } : [])
        }
    }

    /// Times the encodes of a race, up to an interruption.
    ///
    /// What tells the delays tells too how many frames there is time for.
    private func times(
        of race: inout TimedPair, using generator: inout SplitMix64, progress: () -> Void
    ) throws -> [TimedPair.Times] {
        var times = race.encodes.map { _ in TimedPair.Times() }
        let seconds = budget.map { $0.seconds / Double((rounds + 1) * race.encodes.count) }
        for round in 0...rounds {
            if round == 1, budget != nil, let frames = times.compactMap(\.delay?.frames).min() {
                race.limit(toFrames: frames)
            }
            for place in race.encodes.indices.shuffled(using: &generator) {
                let point = race.encodes[place].point
                let isMeasured: Void? = try interruption.unlessSignalled {
                    if round == 0 {
                        times[place].delay = try measureDelay(point, seconds)
                    } else {
                        times[place].encodes.append(try measure(point))
                    }
                }
                guard isMeasured != nil else { return times }
                progress()
            }
        }
        return times
    }
}
