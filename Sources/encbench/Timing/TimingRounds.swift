// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Times encodes, one at a time, each in a process of its own: rounds of all curves in random order, after one that does
/// not count.
struct TimingRounds {
    /// Rounds that count, 1 or more.
    let rounds: Int
    let seed: UInt64
    var interruption = OneShotEvent()
    /// Times one encode; blocks.
    var measure: (PointSpec) throws -> TimedEncode = Self.inChild

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
            var times: [TimedPair.Role: [TimedEncode]] = [:]
            for round in 0...rounds {
                for role in TimedPair.Role.allCases.shuffled(using: &generator) {
                    guard !interruption.hasHappened else { return nil }
                    let time = try measure(race.point(role))
                    if round > 0 { times[role, default: []].append(time) }
                    done += 1
                    progress(done, races.count * (rounds + 1) * TimedPair.Role.allCases.count)
                }
            }
            race.add(times, to: &report)
        }
        if let start, let end = MachineLoad.now() { report.othersCores = end.othersCores(since: start) }
        return report
    }

    /// Runs `encbench time-point`.
    static func inChild(_ point: PointSpec) throws -> TimedEncode {
        var point = point
        // The child cannot use this process's own view of its open files.
        if point.path.hasPrefix(UnnamedFile.folder) {
            point.path = "/proc/\(getpid())/fd/" + point.path.dropFirst(UnnamedFile.folder.count)
        }
        let json = String(decoding: try JSONDocument.canonicalBytes(point), as: UTF8.self)
        return try JSONDecoder().decode(
            TimedEncode.self, from: Data(try ChildProcess.output([TimePointCommand.name, json])))
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
    func add(_ times: [Role: [TimedEncode]], to report: inout TimingReport) {
        func values(_ role: Role, _ value: (TimedEncode) -> Double) -> [Double] { (times[role] ?? []).map(value) }
        func ratio(_ role: Role, _ value: (TimedEncode) -> Double) -> PairedRatio? {
            PairedRatio(test: values(role, value), anchor: values(.anchor, value))
        }
        for (role, label) in [(Role.anchor, labels.anchor), (.test, labels.test)] {
            let known = report.entries.contains {
                $0.clip == clip && $0.variant == label && $0.rate == point(role).rate
            }
            guard !known, let wall = PairedRatio.median(values(role, \.wallSeconds)),
                let cpu = PairedRatio.median(values(role, \.cpuSeconds)), let frames = times[role]?.first?.frames
            else { continue }
            report.entries.append(
                TimingReport.Entry(
                    clip: clip, variant: label, rate: point(role).rate,
                    framesPerSecond: wall > 0 ? Double(frames) / wall : 0, wallSeconds: wall, cpuSeconds: cpu,
                    peakResidentBytes: PairedRatio.median(values(role) { Double($0.peakResidentBytes ?? 0) }).map {
                        Int($0)
                    }))
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
