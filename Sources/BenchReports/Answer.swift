// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import Glibc
import PictureQuality

/// What a person wants to know of one pair of curves before anything else, in sentences.
struct Answer {
    let anchor: String
    let test: String
    let score: Score
    /// How many bytes the test curve needs less or more at equal quality, over all clips that tell; nil where none
    /// does.
    let change: Double?
    /// What the clips' own changes reach from and to.
    let clipChanges: ClosedRange<Double>?
    /// What of the score curves were compared at on every clip that has an answer; nil where these share nothing.
    let qualities: ClosedRange<Double>?
    /// What either half of the qualities gives, the worse first, of one clip alone.
    let halves: (lower: Double, upper: Double)?
    /// Whether the sign of the change is open.
    let isUndecided: Bool
    /// Which of the curves is H.265 where the other is H.264; nil for other pairs.
    let hevc: Side?
    /// What it takes, by the number of threads.
    let costs: [Cost]
    /// That other programs disturbed the times; nil where they did not.
    private let disturbance: String?
    /// Whether the encodes whose times these are were as good as each other on each clip.
    private let isCostOfEquals: Bool
    /// The qualities of the two encodes that were timed, where that is one pair and they differ: the test's first.
    private let timedQualities: (test: Double, anchor: Double)?
    private let isOfFiles: Bool
    private let reason: String
    /// Whether it says what the score is, as the first one does that has an answer.
    private var explainsScore = true

    /// One of the two curves.
    enum Side: Equatable {
        case anchor
        case test
    }

    /// Whether one codec is held against the other.
    var isOfCodecs: Bool { hevc != nil }

    /// How many times as much one curve takes as the other with so many threads: geometric means over clips.
    struct Cost: Equatable {
        /// Nil: the library's choice.
        var threads: Int?
        var cpu: Double
        var wall: Double
        /// Frames of the clip that either curve encoded in a second; nil for several clips, and where times were
        /// interpolated between encodes.
        var speeds: Speeds?
    }

    /// Frames per second.
    struct Speeds: Equatable {
        var anchor: Double
        var test: Double
    }

    /// One for each pair of a comparison, in the order of its first clip that has it.
    static func all(_ report: ComparisonReport) -> [Answer] {
        var names: [[String]] = []
        for pair in report.clips.flatMap(\.pairs) where !names.contains([pair.anchor, pair.test]) {
            names.append([pair.anchor, pair.test])
        }
        guard let score = report.scores.compared.first else { return [] }
        var answers = names.map { Answer(anchor: $0[0], test: $0[1], score: score, report) }
        let known = answers.indices.filter { answers[$0].change != nil }
        for index in known.dropFirst() { answers[index].explainsScore = false }
        return answers
    }

    private init(anchor: String, test: String, score: Score, _ report: ComparisonReport) {
        (self.anchor, self.test, self.score) = (anchor, test, score)
        let pairs = report.clips.flatMap(\.pairs).filter { $0.anchor == anchor && $0.test == test }
        let answers = pairs.compactMap { $0.equalQuality.first { $0.score == score.id } }
        let all = report.overall.first { $0.anchor == anchor && $0.test == test && $0.score == score.id }
        change = all?.rateChange
        clipChanges = Self.range(answers.map(\.pchip))
        qualities = PairComparison.sharedQualities(answers)
        halves = answers.count == 1 ? (answers[0].lowerHalf, answers[0].upperHalf) : nil
        let found = report.verdict?.findings.first { Set([$0.h264, $0.h265]) == [anchor, test] }
        hevc = found.map { $0.h265 == test ? .test : .anchor }
        let low = all?.low ?? answers.map { min($0.lowerHalf, $0.upperHalf, $0.pchip) }.min()
        let high = all?.high ?? answers.map { max($0.lowerHalf, $0.upperHalf, $0.pchip) }.max()
        isUndecided = low ?? 0 <= 0 && high ?? 0 >= 0
        isOfFiles = report.processors.isEmpty
        reason = pairs.lazy.compactMap { $0.reason(score) }.first ?? ""
        // What it takes on other clips does not belong to the bytes.
        let answered = report.clips.filter { clip in
            clip.pairs.contains { pair in
                pair.anchor == anchor && pair.test == test && pair.equalQuality.contains { $0.score == score.id }
            }
        }
        let names = Set(answered.map(\.name))
        let timed =
            report.timing?.pairs.filter { $0.anchor == anchor && $0.test == test && names.contains($0.clip) } ?? []
        var threads: [Int?] = []
        for pair in timed where !threads.contains(pair.threads) { threads.append(pair.threads) }
        costs = threads.compactMap { threads in
            let ratios = timed.filter { $0.threads == threads }.compactMap(\.atEqualQuality)
            guard let cpu = PairComparison.geometricMean(ratios.map(\.cpuRatio.median)),
                let wall = PairComparison.geometricMean(ratios.map(\.wallRatio.median))
            else { return nil }
            let speeds = timed.count { $0.threads == threads } == 1 ? report.timing?.speeds(of: timed, threads) : nil
            return Cost(threads: threads, cpu: cpu, wall: wall, speeds: speeds)
        }
        let times = timed.compactMap(\.atEqualQuality)
        isCostOfEquals = timed.allSatisfy { pair in
            let own = report.clips.first { $0.name == pair.clip }?.pairs.first {
                $0.anchor == anchor && $0.test == test
            }?.equalQuality.first { $0.score == score.id }
            guard let own, let times = pair.atEqualQuality else { return true }
            return times.isEqual(among: own.overlapLow...own.overlapHigh)
        }
        timedQualities =
            Set(timed.map(\.clip)).count == 1
            ? times.first.flatMap { one in one.testQuality.map { ($0, one.quality) } } : nil
        disturbance = costs.isEmpty ? nil : report.timing?.disturbance
    }

    private static func range(_ values: [Double]) -> ClosedRange<Double>? {
        guard let low = values.min(), let high = values.max() else { return nil }
        return low...high
    }

    // MARK: - Sentences

    /// How many bytes, at which quality, with its full stop.
    var saving: String {
        guard let change else {
            return "Whether \(test) needs fewer bytes than \(anchor) at the same quality was not found: \(reason)."
        }
        let range =
            qualities.map { "from \(Format.fixed($0.lowerBound, score.decimals)) to \(score.text($0.upperBound))" }
            ?? "over each clip's own range, which the table has"
        // Who has not met the encoders learns from these names what they make.
        let (one, other) = (named(.test), named(.anchor))
        let doubt = isUndecided ? ", which is not decided: fewer and more are both within its uncertainty" : ""
        return "At the same quality, \(one) needed \(Self.amount(change)) bytes than \(other)\(doubt); "
            + (explainsScore
                ? "quality is \(score.title), \(score.meaning): compared \(range), and more is better."
                : "\(score.title) was compared \(range).")
    }

    /// A curve's name, with its codec where that differs: "x265 medium (H.265)".
    private func named(_ side: Side) -> String {
        let name = side == .test ? test : anchor
        guard let hevc else { return name }
        let codec = hevc == side ? "H.265" : "H.264"
        // Curves of pairings say it themselves.
        return name.contains(codec) ? name : "\(name) (\(codec))"
    }

    /// What bytes and computing came to; of computing nothing where bytes gave no answer.
    var found: [String] { change == nil ? [saving] : [saving, cost] }

    /// "18.5 % fewer".
    private static func amount(_ change: Double) -> String {
        "\(Format.percent(abs(change))) \(change > 0 ? "more" : "fewer")"
    }

    /// How much computing, with its full stop.
    var cost: String {
        guard let first = costs.first else {
            return isOfFiles
                ? "Files do not tell how much computing it took to make them."
                : "How much computing that takes was not measured."
        }
        func times(_ cost: Cost) -> String {
            let threads =
                cost.threads.map { "\($0) thread\($0 == 1 ? "" : "s")" } ?? "as many threads as each library chooses"
            // Whoever has the speeds need not be told their ratio too.
            guard let speeds = cost.speeds else {
                return "\(Format.fixed(cost.wall, 2)) times the time with \(threads)"
            }
            return "\(Format.fixed(speeds.test, 1)) frames a second with \(threads), where \(anchor) encoded "
                + Format.fixed(speeds.anchor, 1)
        }
        let encodes =
            timedQualities.map {
                "; of the two encodes that are nearest in quality, \(Format.fixed($0.test, score.decimals)) and "
                    + score.text($0.anchor)
            } ?? (isCostOfEquals ? "" : ", of encodes of unequal quality")
        return "For that it took \(Format.fixed(first.cpu, 2)) times the computing (CPU time of all cores\(encodes)): "
            + costs.map(times).joined(separator: ", and ") + "." + (disturbance.map { " " + $0 } ?? "")
    }

    /// When to choose which, with its full stop.
    var choice: String {
        guard let change else { return "Neither can be chosen by this comparison." }
        if isUndecided || abs(change) < 0.01 {
            guard let hevc else { return "Bytes do not tell which to choose; your own video may." }
            let avc = hevc == .test ? anchor : test
            return "Choose \(avc), since H.264 plays everywhere, unless your own video says otherwise."
        }
        let (small, large) = change < 0 ? (test, anchor) : (anchor, test)
        let isSmallHEVC = hevc.map { ($0 == .test) == (change < 0) } ?? false
        let players = isSmallHEVC ? " and whatever plays it knows H.265" : ""
        // Times of a better encode say nothing of one that is as good.
        guard let cpu = costs.first?.cpu, isCostOfEquals else {
            return "Choose \(small) where bytes decide\(players)."
        }
        let isSmallDearer = (change < 0) == (cpu > 1)
        guard isSmallDearer else { return "Choose \(small): it needs fewer bytes and no more computing." }
        let everywhere = isSmallHEVC ? ", or where it has to play everywhere" : ""
        return
            "Choose \(small) where bytes cost more than computing\(players), such as for files that are kept, or sent "
            + "often; choose \(large) where encoding has to be fast or cheap\(everywhere)."
    }

    /// For which video that holds, and what usually changes it: one sentence for all pairs; nil where none has an
    /// answer.
    static func scope(of answers: [Answer], _ report: ComparisonReport) -> String? {
        let known = answers.filter { $0.change != nil }
        guard let first = known.first else { return nil }
        // Those that gave an answer.
        let clips = report.clips.filter { clip in
            clip.pairs.contains { $0.equalQuality.contains { $0.score == first.score.id } }
        }
        let scope: String
        if clips.count == 1, let clip = clips.first {
            let which = report.clips.count == 1 ? "this clip" : "1 of \(report.clips.count) clips,"
            scope =
                "That is so for \(which) of \(clip.width)x\(clip.height) and \(Format.fixed(clip.seconds, 1)) s alone"
        } else {
            let bySize = clips.sorted { $0.width * $0.height < $1.width * $1.height }
            let sizes = distinct([bySize.first, bySize.last].compactMap { $0.map { "\($0.width)x\($0.height)" } })
            var own = ""
            if known.count == 1, let changes = first.clipChanges, changes.lowerBound < changes.upperBound {
                own =
                    ", which are from \(Format.change(changes.lowerBound)) to \(Format.change(changes.upperBound)) each"
            }
            let which =
                clips.count == report.clips.count
                ? "these \(clips.count) clips" : "\(clips.count) of \(report.clips.count) clips,"
            scope = "That is so for \(which) of \(sizes.joined(separator: " to "))\(own)"
        }
        var halves = ""
        if known.count == 1, let found = first.halves {
            halves =
                " (here \(amount(found.lower)) in the lower half of the qualities, \(amount(found.upper)) in the upper)"
        }
        let usual =
            first.isOfCodecs
            ? "H.265 usually saves more in larger pictures and at lower qualities\(halves), and less in small pictures, "
                + "noise and live video, where an encoder cannot look ahead"
            : "other video, other sizes and other qualities change it\(halves)"
        return "\(scope): \(usual)."
    }
}

extension TimingReport {
    /// The speeds of the pair of one clip with so many threads, where either curve has one encode that was timed.
    fileprivate func speeds(of pairs: [Pair], _ threads: Int?) -> Answer.Speeds? {
        guard let pair = pairs.first(where: { $0.threads == threads }), let equal = pair.atEqualQuality,
            equal.anchorRates.count == 1, equal.testRates.count == 1,
            let anchor = speed(pair.clip, pair.anchor, equal.anchorRates[0], threads),
            let test = speed(pair.clip, pair.test, equal.testRates[0], threads)
        else { return nil }
        return Answer.Speeds(anchor: anchor, test: test)
    }

    private func speed(_ clip: String, _ variant: String, _ rate: String, _ threads: Int?) -> Double? {
        entries.first { $0.clip == clip && $0.variant == variant && $0.rate == rate && $0.threads == threads }?
            .framesPerSecond
    }
}
