// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import PictureQuality

/// Two curves on one clip, and the encodes that tell what they cost at one quality.
package struct TimedPair {
    /// What an encode is timed for.
    package enum Role {
        case anchor
        /// The anchor once more, which shows what noise alone does.
        case control
        case test
    }

    /// What was measured of one encode.
    package struct Times {
        package var delay: EncodeDelay?
        /// Round by round.
        package var encodes: [TimedEncode] = []
    }

    /// An encode of each round.
    package struct Encode {
        package var role: Role
        package var point: PointSpec
    }

    /// Which encodes a curve is timed by.
    package enum Reach {
        /// All that tell what it takes at one quality, and the anchor's once more as a control.
        case oneQuality
        /// The one encode that is nearest to it, or where these are not as good as each other, all that tell.
        case nearest
    }

    package private(set) var encodes: [Encode]
    /// Threads that the encodes have; nil: the library's choice, or none to choose.
    package private(set) var threads: Int?
    /// Frames that the clip has in the comparison.
    package let clipFrames: Int?
    private let clip: String
    private let labels: (anchor: String, test: String)
    private let score: Score
    /// Both at one quality, where there is one that both reach.
    private let brackets: (anchor: QualityBracket, test: QualityBracket)?
    private let refusal: String?

    /// Takes what is next to a quality that the anchor and all curves held against it reach, so that their ratios can
    /// be ranked.
    ///
    /// Where those share none, the two curves' own is taken; where they share none either, what is in the middle of
    /// each.
    ///
    /// - Returns: Nil where one has no points.
    package init?(clip: Int, pair: Study.Pair, measurements: Measurements, reach: Reach = .oneQuality) {
        let points = Self.points(ofClip: clip, measurements)
        let (anchors, tests) = (points.filter { $0.variant == pair.anchor }, points.filter { $0.variant == pair.test })
        guard !anchors.isEmpty, !tests.isEmpty, let score = measurements.study.scores.compared.first else { return nil }
        func curve(_ points: [PointSpec]) -> [QualityBracket.Knot] {
            points.compactMap { point in
                guard let quality = measurements.results[point].flatMap({ score.value($0.frames) }), quality.isFinite
                else { return nil }
                return QualityBracket.Knot(point: point, quality: quality)
            }
        }
        let curves = (anchor: curve(anchors), test: curve(tests))
        let qualities = curves.anchor.map(\.quality)
        let all = measurements.study.pairs.filter { $0.anchor == pair.anchor }.map { other in
            curve(points.filter { $0.variant == other.test }).map(\.quality)
        }
        let shared =
            QualityBracket.sharedQuality(anchor: qualities, tests: all.filter { !$0.isEmpty })
            ?? QualityBracket.sharedQuality(anchor: qualities, tests: [curves.test.map(\.quality)])
        if let shared, let found = Self.brackets(shared, on: curves, reach: reach) {
            brackets = found
            refusal = nil
        } else {
            brackets = nil
            refusal = "they share no \(score.title): " + Self.ranges(curves.anchor, curves.test, score)
        }
        let timed = (
            anchor: brackets?.anchor.knots.map(\.point) ?? [anchors[anchors.count / 2]],
            test: brackets?.test.knots.map(\.point) ?? [tests[tests.count / 2]]
        )
        let anchorRoles: [Role] = reach == .oneQuality ? [.anchor, .control] : [.anchor]
        encodes =
            timed.anchor.flatMap { point in anchorRoles.map { Encode(role: $0, point: point) } }
            + timed.test.map { Encode(role: .test, point: $0) }
        threads = measurements.study.threadsPerEncoder
        clipFrames = measurements.results[timed.anchor[0]]?.frames.count
        self.score = score
        self.clip = measurements.study.clips[clip].name
        labels = (measurements.study.variants[pair.anchor].label, measurements.study.variants[pair.test].label)
    }

    /// Takes all of a curve that nothing is held against, or the encode in its middle.
    ///
    /// - Returns: Nil where it has no points.
    package init?(clip: Int, variant: Int, measurements: Measurements, reach: Reach = .oneQuality) {
        var points = Self.points(ofClip: clip, measurements).filter { $0.variant == variant }
        if reach == .nearest, !points.isEmpty { points = [points[points.count / 2]] }
        guard !points.isEmpty, let score = measurements.study.scores.compared.first else { return nil }
        threads = measurements.study.threadsPerEncoder
        clipFrames = measurements.results[points[0]]?.frames.count
        encodes = points.map { Encode(role: .anchor, point: $0) }
        (brackets, refusal) = (nil, nil)
        self.score = score
        self.clip = measurements.study.clips[clip].name
        labels = (measurements.study.variants[variant].label, "")
    }

    /// The same encodes with as many threads as each library chooses; nil where that is what they have, or where none
    /// of them has threads to count.
    package var withOwnThreads: TimedPair? {
        let setting = Setting.threadCount.rawValue
        guard encodes.contains(where: { $0.point.work.settings[setting] != nil }) else { return nil }
        var pair = self
        pair.threads = nil
        for index in encodes.indices { pair.encodes[index].point.work.settings[setting] = nil }
        return pair
    }

    /// The same encodes of the clip's first frames.
    package mutating func limit(toFrames frames: Int) {
        for index in encodes.indices {
            let limit = encodes[index].point.work.frameLimit ?? .max
            encodes[index].point.work.frameLimit = min(limit, max(1, frames))
        }
    }

    /// A clip's points that have results, without the libraries' defaults.
    private static func points(ofClip clip: Int, _ measurements: Measurements) -> [PointSpec] {
        measurements.study.points(ofClip: clip).filter { !$0.isDefault && measurements.results[$0] != nil }
    }

    /// What of two curves is timed to tell what they take at a quality; nil where one does not reach it.
    private static func brackets(
        _ quality: Double, on curves: (anchor: [QualityBracket.Knot], test: [QualityBracket.Knot]), reach: Reach
    ) -> (anchor: QualityBracket, test: QualityBracket)? {
        if reach == .nearest, let anchor = QualityBracket(nearest: quality, on: curves.anchor),
            let test = QualityBracket(nearest: quality, on: curves.test),
            let shared = QualityBracket.sharedRange([curves.anchor, curves.test].map { $0.map(\.quality) }),
            TimingReport.AtEqualQuality.areEqual(anchor.quality, test.quality, among: shared)
        {
            return (anchor, test)
        }
        guard let anchor = QualityBracket(quality, on: curves.anchor),
            let test = QualityBracket(quality, on: curves.test)
        else { return nil }
        return (anchor, test)
    }

    private static func ranges(
        _ anchor: [QualityBracket.Knot], _ test: [QualityBracket.Knot], _ score: Score
    ) -> String {
        [anchor, test].map { curve in
            guard let low = curve.map(\.quality).min(), let high = curve.map(\.quality).max() else {
                return "none that is finite"
            }
            return "\(Format.fixed(low, score.decimals)) to \(score.text(high))"
        }.joined(separator: " and ")
    }

    /// Takes up the rounds' times, in the order of ``encodes``, as far as rounds are finished.
    ///
    /// - Returns: How many those are; without any, nothing is taken up.
    package func add(_ times: [Times], to report: inout TimingReport) -> Int {
        let finished = times.map(\.encodes.count).min() ?? 0
        guard finished > 0 else { return 0 }
        let times = times.map { Times(delay: $0.delay, encodes: Array($0.encodes.prefix(finished))) }
        for (encode, measured) in zip(encodes, times) where encode.role != .control {
            let label = encode.role == .anchor ? labels.anchor : labels.test
            let rate = encode.point.rate
            let known = report.entries.contains {
                $0.clip == clip && $0.variant == label && $0.rate == rate && $0.threads == threads
            }
            if !known, let entry = entry(label, rate, measured) { report.entries.append(entry) }
        }
        guard encodes.contains(where: { $0.role == .test }) else { return finished }
        /// Round by round, what a role took at the quality.
        func amounts(_ role: Role, _ value: (TimedEncode) -> Double) -> [Double] {
            let measured = zip(encodes, times).filter { $0.0.role == role }.map { $0.1.encodes.map(value) }
            let bracket = role == .test ? brackets?.test : brackets?.anchor
            return (measured.first ?? []).indices.map { round in
                let amounts = measured.map { $0[round] }
                return bracket?.interpolated(amounts) ?? amounts[0]
            }
        }
        // CPU time is without reading the clip, which is taken on another clock.
        let isMeasurable = times.allSatisfy { $0.encodes.allSatisfy { $0.cpuSeconds > 0 && $0.wallSeconds > 0 } }
        func ratio(_ role: Role, _ value: (TimedEncode) -> Double) -> PairedRatio? {
            isMeasurable ? PairedRatio(test: amounts(role, value), anchor: amounts(.anchor, value)) : nil
        }
        var equal: TimingReport.AtEqualQuality?
        if let brackets, let cpu = ratio(.test, \.cpuSeconds), let wall = ratio(.test, \.wallSeconds) {
            let isOneQuality = brackets.anchor.quality == brackets.test.quality
            equal = TimingReport.AtEqualQuality(
                quality: brackets.anchor.quality, testQuality: isOneQuality ? nil : brackets.test.quality,
                anchorRates: brackets.anchor.knots.map(\.point.rate),
                testRates: brackets.test.knots.map(\.point.rate), cpuRatio: cpu, wallRatio: wall)
        }
        let tooShort = "an encode took no CPU time that can be told from that of reading the clip; take more frames"
        report.pairs.append(
            TimingReport.Pair(
                clip: clip, anchor: labels.anchor, test: labels.test, threads: threads, score: score.id,
                atEqualQuality: equal,
                refusal: equal == nil ? refusal ?? tooShort : nil, control: ratio(.control, \.cpuSeconds),
                finishedRounds: finished < report.rounds ? finished : nil))
        return finished
    }

    private func entry(_ label: String, _ rate: String, _ times: Times) -> TimingReport.Entry? {
        guard let wall = PairedRatio.median(times.encodes.map(\.wallSeconds)),
            let cpu = PairedRatio.median(times.encodes.map(\.cpuSeconds)), let frames = times.encodes.first?.frames
        else { return nil }
        return TimingReport.Entry(
            clip: clip, variant: label, rate: rate, threads: threads, frames: frames,
            clipFrames: clipFrames.flatMap { frames < $0 ? $0 : nil },
            isDecodedMeanwhile: times.encodes.contains { $0.isDecodedMeanwhile == true },
            framesPerSecond: wall > 0 ? Double(frames) / wall : 0,
            wallSeconds: wall, cpuSeconds: cpu,
            peakResidentBytes: PairedRatio.median(times.encodes.compactMap(\.peakResidentBytes).map(Double.init)).map {
                Int($0)
            },
            delay: times.delay)
    }
}
