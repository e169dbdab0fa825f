// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderConformance

/// Times encodes, one at a time, each in a process of its own: rounds of all curves in random order, after one that
/// tells how long frames are inside and whose times do not count.
package struct TimingRounds {
    /// Rounds that count, 1 or more.
    package let rounds: Int
    package let seed: UInt64
    package var interruption = OneShotEvent()
    /// Times one encode; blocks.
    package var measure: (PointSpec) throws -> TimedEncode = { try TimedRun().resultAlone(of: $0) }
    /// Tells how long frames of an encode are inside; blocks.
    package var measureDelay: (PointSpec) throws -> EncodeDelay = { try DelayRun().resultAlone(of: $0) }

    package init(
        rounds: Int, seed: UInt64, interruption: OneShotEvent = OneShotEvent(),
        measure: @escaping (PointSpec) throws -> TimedEncode = { try TimedRun().resultAlone(of: $0) },
        measureDelay: @escaping (PointSpec) throws -> EncodeDelay = { try DelayRun().resultAlone(of: $0) }
    ) {
        self.rounds = rounds
        self.seed = seed
        self.interruption = interruption
        self.measure = measure
        self.measureDelay = measureDelay
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
        var report = TimingReport(machine: .current(), rounds: rounds, seed: seed)
        var generator = SplitMix64(state: seed)
        let races = races(measurements)
        let total = (rounds + 1) * races.reduce(0) { $0 + $1.encodes.count }
        var (done, finished) = (0, 0)
        for race in races where !interruption.hasHappened {
            let times = try times(of: race, using: &generator) {
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
        return study.clips.indices.flatMap { clip in
            study.pairs.isEmpty
                ? study.variants.indices.compactMap { TimedPair(clip: clip, variant: $0, measurements: measurements) }
                : study.pairs.compactMap { TimedPair(clip: clip, pair: $0, measurements: measurements) }
        }
    }

    /// Times the encodes of a race, up to an interruption.
    private func times(
        of race: TimedPair, using generator: inout SplitMix64, progress: () -> Void
    ) throws -> [TimedPair.Times] {
        var times = race.encodes.map { _ in TimedPair.Times() }
        for round in 0...rounds {
            for place in race.encodes.indices.shuffled(using: &generator) {
                let point = race.encodes[place].point
                let isMeasured: Void? = try interruption.unlessSignalled {
                    if round == 0 {
                        times[place].delay = try measureDelay(point)
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
