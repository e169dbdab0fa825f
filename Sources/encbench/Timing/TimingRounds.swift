// SPDX-License-Identifier: MIT

/// Times encodes, one at a time, each in a process of its own: rounds of all curves in random order, after one that tells how
/// long frames are inside and whose times do not count.
struct TimingRounds {
    /// Rounds that count, 1 or more.
    let rounds: Int
    let seed: UInt64
    var interruption = OneShotEvent()
    /// Times one encode; blocks.
    var measure: (PointSpec) throws -> TimedEncode = { try TimedRun().resultAlone(of: $0) }
    /// Tells how long frames of an encode are inside; blocks.
    var measureDelay: (PointSpec) throws -> EncodeDelay = { try DelayRun().resultAlone(of: $0) }

    /// Times the curves of each pair at the points of nearest quality.
    ///
    /// - Parameters:
    ///   - analysis: Says which those are.
    ///   - progress: Called after each encode with encodes done and in all.
    /// - Returns: Nil when it was interrupted.
    /// - Throws: What the first encode that fails says.
    func report(
        _ analysis: Analysis, progress: (_ done: Int, _ total: Int) -> Void
    ) throws -> TimingReport? {
        let start = MachineLoad.now()
        var report = TimingReport(machine: .current(), rounds: rounds, seed: seed)
        var generator = SplitMix64(state: seed)
        let races = analysis.study.clips.indices.flatMap { clip in
            analysis.study.pairs.compactMap { TimedPair(clip: clip, pair: $0, analysis: analysis) }
        }
        var done = 0
        for race in races {
            var times: [TimedPair.Role: TimedPair.Times] = [:]
            for round in 0...rounds {
                for role in TimedPair.Role.allCases.shuffled(using: &generator) {
                    do {
                        guard !interruption.hasHappened else { return nil }
                        if round == 0 {
                            times[role, default: .init()].delay = try measureDelay(race.point(role))
                        } else {
                            times[role, default: .init()].encodes.append(try measure(race.point(role)))
                        }
                    } catch {
                        // A signal that ends this process ends an encode with it.
                        guard !interruption.hasHappened else { return nil }
                        throw error
                    }
                    done += 1
                    progress(done, races.count * (rounds + 1) * TimedPair.Role.allCases.count)
                }
            }
            race.add(times, to: &report)
        }
        if let start, let end = MachineLoad.now() { report.othersCores = end.othersCores(since: start) }
        return report
    }
}

/// Two curves on one clip at the points that are timed.
struct TimedPair {
    /// What is encoded in each round.
    enum Role: CaseIterable {
        case anchor
        /// The anchor once more, which shows what noise alone does.
        case control
        case test
    }

    /// What was measured in one role.
    struct Times {
        var delay: EncodeDelay?
        /// Round by round.
        var encodes: [TimedEncode] = []
    }

    private let clip: String
    private let anchor: PointSpec
    private let test: PointSpec
    private let labels: (anchor: String, test: String)
    private let score: Score
    private let scoreDifference: Double?

    /// Takes the anchor's point in the middle of its list, and the test's point of the nearest quality.
    ///
    /// - Returns: Nil where one has no points.
    init?(clip: Int, pair: Study.Pair, analysis: Analysis) {
        let points = analysis.study.points(ofClip: clip).filter { !$0.isDefault && analysis.results[$0] != nil }
        let (anchors, tests) = (points.filter { $0.variant == pair.anchor }, points.filter { $0.variant == pair.test })
        guard !anchors.isEmpty, !tests.isEmpty, let score = analysis.study.scores.compared.first
        else { return nil }
        func quality(_ point: PointSpec) -> Double? { analysis.results[point].flatMap { score.value($0.frames) } }
        let anchor = anchors[anchors.count / 2]
        func distance(_ point: PointSpec) -> Double {
            guard let one = quality(anchor), let other = quality(point), one.isFinite else { return .infinity }
            return abs(one - other)
        }
        let test = tests.min { distance($0) < distance($1) } ?? tests[0]
        self.anchor = anchor
        self.test = test
        self.score = score
        self.clip = analysis.study.clips[clip].name
        labels = (analysis.study.variants[pair.anchor].label, analysis.study.variants[pair.test].label)
        let difference = distance(test)
        scoreDifference = difference.isFinite ? (quality(test) ?? 0) - (quality(anchor) ?? 0) : nil
    }

    func point(_ role: Role) -> PointSpec { role == .test ? test : anchor }

    /// Takes up the rounds' times.
    func add(_ times: [Role: Times], to report: inout TimingReport) {
        func values(_ role: Role, _ value: (TimedEncode) -> Double) -> [Double] {
            (times[role]?.encodes ?? []).map(value)
        }
        func ratio(_ role: Role, _ value: (TimedEncode) -> Double) -> PairedRatio? {
            PairedRatio(test: values(role, value), anchor: values(.anchor, value))
        }
        for (role, label) in [(Role.anchor, labels.anchor), (.test, labels.test)] {
            let known = report.entries.contains {
                $0.clip == clip && $0.variant == label && $0.rate == point(role).rate
            }
            guard !known, let wall = PairedRatio.median(values(role, \.wallSeconds)),
                let cpu = PairedRatio.median(values(role, \.cpuSeconds)),
                let frames = times[role]?.encodes.first?.frames
            else { continue }
            report.entries.append(
                TimingReport.Entry(
                    clip: clip, variant: label, rate: point(role).rate,
                    framesPerSecond: wall > 0 ? Double(frames) / wall : 0, wallSeconds: wall, cpuSeconds: cpu,
                    peakResidentBytes: PairedRatio.median(values(role) { Double($0.peakResidentBytes ?? 0) }).map {
                        Int($0)
                    }, delay: times[role]?.delay))
        }
        guard let cpu = ratio(.test, \.cpuSeconds), let wall = ratio(.test, \.wallSeconds),
            let control = ratio(.control, \.cpuSeconds)
        else { return }
        report.pairs.append(
            TimingReport.Pair(
                clip: clip, anchor: labels.anchor, test: labels.test, score: score.id, scoreDifference: scoreDifference,
                cpuRatio: cpu,
                wallRatio: wall, control: control))
    }
}
