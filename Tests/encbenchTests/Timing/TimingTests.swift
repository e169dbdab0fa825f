// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import EncoderConformance
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import BenchReports
@testable import EncoderBench
@testable import encbench

@Suite struct PairedRatioTests {
    @Test("a ratio that is the same in each round has no interval, whatever the rounds took")
    func exact() throws {
        let anchor = [1.0, 2, 8, 3, 5, 4]
        let ratio = try #require(PairedRatio(test: anchor.map { $0 * 2.5 }, anchor: anchor))
        #expect(ratio.median == 2.5 && ratio.low == 2.5 && ratio.high == 2.5)
        #expect(PairedRatio.median([4, 1, 3, 2]) == 2.5)
        #expect(PairedRatio(test: [], anchor: []) == nil)
        #expect(PairedRatio(test: [1], anchor: [0]) == nil)
    }

    @Test("fewer than six rounds have a median, and no interval that would be too narrow", arguments: 1...7)
    func fewRounds(count: Int) throws {
        let ratio = try #require(
            PairedRatio(test: (1...count).map(Double.init), anchor: [Double](repeating: 1, count: count)))
        #expect((ratio.low != nil) == (count >= 6) && (ratio.high != nil) == (count >= 6))
        #expect(ratio.median == Double(count + 1) / 2 && ratio.text.contains("[") == (count >= 6))
        #expect(PairedRatio.kind(rounds: count).contains("without intervals") == (count < 6))
    }

    @Test(
        "ends are those of the binomial table",
        arguments: [(0, nil), (5, nil), (6, 0), (8, 0), (9, 1), (15, 3), (100, 39)])
    func places(count: Int, place: Int?) {
        #expect(PairedRatio.place(count: count) == place)
    }

    @Test(
        "one disturbed round moves the median little, and 95 of 100 intervals hold the true ratio",
        arguments: [6, 9, 15])
    func coverage(rounds: Int) throws {
        // The seed is fixed: what is tested is a count.
        var random = SplitMix64(state: 1)
        var held = 0
        let trials = 2000
        for _ in 0..<trials {
            let anchor = (0..<rounds).map { _ in Double.random(in: 0.9...1.1, using: &random) }
            var test = anchor.indices.map { _ in 2 * Double.random(in: 0.9...1.1, using: &random) }
            let ratio = try #require(PairedRatio(test: test, anchor: anchor))
            let (low, high) = (try #require(ratio.low), try #require(ratio.high))
            #expect(low <= ratio.median && ratio.median <= high)
            if low <= 2, 2 <= high { held += 1 }
            test[3] *= 10
            #expect(try #require(PairedRatio(test: test, anchor: anchor)).median < 2.45)
        }
        #expect((0.94...0.985).contains(Double(held) / Double(trials)), "\(held) of \(trials)")
    }
}

@Suite struct TimingRoundsTests {
    func time(_ point: PointSpec, slowness: Double = 1) -> TimedEncode {
        let share = point.work.encoder == "x265" ? 2.5 : 1
        return TimedEncode(
            frames: 4, bytes: 9, wallSeconds: share * slowness, cpuSeconds: 2 * share * slowness,
            peakResidentBytes: 1 << 20)
    }

    private let times = """
        frames_per_second,wall_seconds,cpu_seconds,peak_resident_bytes,latency_p50_seconds,latency_p95_seconds,\
        latency_p99_seconds,frames_held,equal_quality_anchor,equal_quality_score,equal_quality,cpu_ratio,wall_ratio
        """

    func delay(_ point: PointSpec) throws -> EncodeDelay {
        let isX265 = point.work.encoder == "x265"
        return EncodeDelay(
            latencies: try #require(Latencies(isX265 ? [0.3] : [0.1])), framesHeld: isX265 ? 27 : 41, frames: 4)
    }

    @Test("each round has each curve once and the anchor twice in random order, and the first tells delays alone")
    func rounds() throws {
        let log = WorkLog()
        let measurements = Studies.measurements(Studies.study(clips: 2))
        let timing = TimingRounds(
            rounds: 5, seed: 7,
            measure: { [self] point in
                log.add(point)
                return time(point)
            },
            measureDelay: { [self] point, _ in
                #expect(log.points.count % 18 < 3)
                log.add(point)
                return try delay(point)
            })
        var steps: [Int] = []
        let report = try #require(try timing.report(measurements) { done, total in steps.append(done * 1000 + total) })
        #expect(steps == (1...36).map { $0 * 1000 + 36 })
        let rounds = stride(from: 0, to: 36, by: 3).map { log.points[$0..<$0 + 3].map(\.work.encoder) }
        #expect(rounds.allSatisfy { $0.sorted() == ["x264", "x264", "x265"] } && Set(rounds).count == 3)
        #expect(report.entries.map(\.variant) == ["x264 medium", "x265 medium", "x264 medium", "x265 medium"])
        #expect(report.entries[0].framesPerSecond == 4 && report.entries[1].cpuSeconds == 5)
        #expect(report.entries.map { $0.delay?.framesHeld } == [41, 27, 41, 27])
        #expect(report.text.contains("  held  p50 ms  p95 ms  p99 ms\n") && report.text.contains("    27   300.0"))
        var comparison = measurements.report(isInterrupted: false)
        comparison.timing = report
        let csv = String(decoding: try ReportFormat.csv.bytes(comparison), as: UTF8.self)
        let lines = csv.split(separator: "\r\n")
        #expect(lines[0].hasSuffix(",library,\(times)"))
        #expect(lines.count { $0.hasSuffix(",4,1,2,1048576,0.1,0.1,0.1,41,,,,,") } == 2, "\(csv)")
        let equal = ",1.6,2.5,5,1048576,0.3,0.3,0.3,27,x264 medium,psnr_y_db,"
        #expect(lines.count { $0.contains(equal) && $0.hasSuffix(",2.5,2.5") } == 2, "\(csv)")
        #expect(lines.count { $0.hasSuffix(",,,,,,,,,,,,,") } == lines.count - 5)
        for pair in report.pairs {
            let equal = try #require(pair.atEqualQuality)
            #expect(equal.cpuRatio.median == 2.5 && equal.wallRatio.median == 2.5 && pair.control?.median == 1)
            #expect(equal.anchorRates.count == 1 && equal.testRates == equal.anchorRates && pair.refusal == nil)
        }
    }

    @Test("encodes that are mostly start-up are told", arguments: [(1, false), (0.04, true)])
    func tooShort(slowness: Double, isNoted: Bool) throws {
        let timing = TimingRounds(
            rounds: 1, seed: 1, measure: { time($0, slowness: slowness) },
            measureDelay: { point, _ in try delay(point) })
        let report = try #require(try timing.report(Studies.measurements(Studies.study())) { _, _ in })
        #expect(report.text.contains("less than 0.1 s of CPU time") == isNoted)
        #expect(report.text.contains("Ratios are medians without intervals"))
    }

    /// x265 as good as x264 with a quantizer that is so many less, and time that doubles with each 6 dB.
    private func report(
        shift: Double, noise: @escaping (PointSpec) -> Double = { _ in 1 }
    ) throws -> (report: TimingReport, points: [PointSpec]) {
        let study = Studies.study()
        var measurements = Studies.measurements(study)
        func decibels(_ point: PointSpec) -> Double {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            return 60 - (quantizer - (point.variant == 1 ? shift : 0)) * 0.7
        }
        for point in study.points {
            measurements.results[point] = Studies.result(of: point, bytes: 100, decibels: decibels(point))
        }
        let log = WorkLog()
        let timing = TimingRounds(
            rounds: 6, seed: 1,
            measure: { point in
                log.add(point)
                let share = (point.variant == 1 ? 2.5 : 1) * noise(point)
                return TimedEncode(
                    frames: 4, bytes: 9, wallSeconds: share * exp2(decibels(point) / 6),
                    cpuSeconds: 2 * share * exp2(decibels(point) / 6), peakResidentBytes: nil)
            }, measureDelay: { point, _ in try delay(point) })
        return (try #require(try timing.report(measurements) { _, _ in }), log.points)
    }

    @Test(
        "the ratio is that at one quality, wherever the other curve's encodes lie",
        arguments: [0.5, 2, 3.7, -1.3, -4, 7.5, 14.5, -14.5])
    func equalQuality(shift: Double) throws {
        let (report, points) = try report(shift: shift)
        let equal = try #require(report.pairs.first?.atEqualQuality)
        // The nearest points would give up to 2.5 times 2^(1.75 / 6).
        #expect(abs(equal.cpuRatio.median - 2.5) < 1e-9 && abs(equal.wallRatio.median - 2.5) < 1e-9)
        #expect(equal.anchorRates.count == 1 && equal.testRates.count == 2)
        #expect(points.count == 6 * 4 && report.entries.map(\.rate) == equal.anchorRates + equal.testRates)
        let rate = try #require(equal.anchorRates[0].split(separator: " ").last.flatMap { Double(String($0)) })
        #expect(abs(equal.quality - (60 - rate * 0.7)) < 1e-9)
        let quality = "PSNR-Y \(Format.fixed(equal.quality, 2)) dB"
        let part = " times the CPU time of x264 medium and 2.50 [2.50, 2.50] times its time, both at \(quality).\n"
        #expect(report.text.contains(part) && report.text.contains("times are interpolated"), "\(report.text)")
    }

    @Test("rounds that are slow as a whole change no ratio, and each round is interpolated for itself")
    func slowRounds() throws {
        var count = 0
        let (report, _) = try report(shift: 2) { _ in
            defer { count += 1 }
            return count / 4 == 2 ? 9 : 1
        }
        let pair = try #require(report.pairs.first)
        let ratio = try #require(pair.atEqualQuality?.cpuRatio)
        #expect([ratio.median, try #require(ratio.low), try #require(ratio.high)].allSatisfy { abs($0 - 2.5) < 1e-9 })
        #expect(pair.control?.low == 1 && pair.control?.high == 1)
    }

    @Test("curves that share no quality are timed, and have no ratio", arguments: [16, -16])
    func apart(shift: Double) throws {
        let (report, points) = try report(shift: shift)
        let pair = try #require(report.pairs.first)
        let (low, high) = (34.1 + shift * 0.7, 44.6 + shift * 0.7)
        let reason =
            "they share no PSNR-Y: 34.10 to 44.60 dB and \(Format.fixed(low, 2)) to \(Format.fixed(high, 2)) dB"
        #expect(pair.atEqualQuality == nil && pair.refusal == reason, "\(pair.refusal ?? "")")
        #expect(pair.control?.median == 1 && report.entries.count == 2 && points.count == 18)
        #expect(report.text.contains("x265 medium against x264 medium: no ratio, since \(reason).\n"))
        #expect(!report.text.contains("Ratios are at equal quality"))
        var comparison = Studies.measurements(Studies.study()).report(isInterrupted: false)
        comparison.timing = report
        #expect(CostChart(report: comparison, timing: report).figure == nil)
        #expect(comparison.outline.markdown.contains("no ratio, since \(reason)."))
    }

    @Test("a pair whose encode takes no CPU time beside reading has no ratio, and says why; unknown peaks are no zeros")
    func unmeasurable() throws {
        var count = 0
        let timing = TimingRounds(
            rounds: 3, seed: 1,
            measure: { point in
                count += 1
                return TimedEncode(
                    frames: 4, bytes: 9, wallSeconds: 1, cpuSeconds: count == 4 ? -0.001 : 1,
                    peakResidentBytes: count <= 6 ? nil : 4 << 20)
            }, measureDelay: { point, _ in try delay(point) })
        let report = try #require(try timing.report(Studies.measurements(Studies.study())) { _, _ in })
        let pair = try #require(report.pairs.first)
        #expect(pair.atEqualQuality == nil && pair.control == nil)
        #expect(pair.refusal?.contains("no CPU time that can be told from that of reading the clip") == true)
        #expect(report.text.contains("no ratio, since an encode took no CPU time") && !report.text.contains("itself"))
        #expect(report.entries.map(\.peakResidentBytes) == [4 << 20, 4 << 20])
    }

    @Test("an interruption leaves the rounds that were finished")
    func finishedRounds() throws {
        let event = OneShotEvent()
        var count = 0
        let timing = TimingRounds(
            rounds: 5, seed: 7, interruption: event,
            measure: { [self] point in
                count += 1
                // All five rounds of the first clip, two of the second and a part of the third.
                if count == 7 * 3 + 2 { event.signal() }
                return time(point)
            }, measureDelay: { point, _ in try delay(point) })
        let measurements = Studies.measurements(Studies.study(clips: 3))
        let report = try #require(try timing.report(measurements) { _, _ in })
        #expect(report.finishedRounds == 7 && report.plannedRounds == 15)
        #expect(report.pairs.map(\.finishedRounds) == [nil, 2] && report.entries.count == 4)
        #expect(report.text.contains("medians of up to 5 rounds") && report.text.contains("dB, in 2 rounds."))
        #expect(
            report.caveats.first?.contains("interrupted: 7 of 15 rounds were finished") == true, "\(report.caveats)")
    }

    @Test("an interrupted comparison has all its points, and the times of whole rounds")
    func interruptedCommand() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            // Each timed encode is a process of its own: four tell delays, and a round has four. The rounds with the
            // library's own number of threads come later.
            let script =
                CommandLineTool.waiting + """
                    "$0" compare "$1" --preset ultrafast --qp 22,27,32,37 --rounds 10000 --json "$2" --verbose &
                    await busy $! 10; kill -INT $!; wait $!; echo $?
                    """
            let text = try await ExternalProgram("bash").run([
                "-c", script, CommandLineTool.encbench.name, path, folder.path("r.json"),
            ]).text
            #expect(text.contains("of 20000 rounds were finished") && !text.contains("points and clips are missing"))
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(try folder.read("r.json")))
            #expect(!report.isInterrupted && (report.timing?.finishedRounds ?? 0) > 0)
        }
    }

    @Test("all pairs of an anchor are at one quality, which is said where there is none", arguments: [3.0, 14.5])
    func ladder(shift: Double) throws {
        var study = Studies.study()
        // A third curve, which reaches less than the others.
        study.variants.append(Variant(encoder: "x265", preset: "fast"))
        study.pairs.append(Study.Pair(anchor: 0, test: 2))
        study.points += study.points.filter { $0.variant == 1 }.map { point in
            var point = point
            point.variant = 2
            point.work.settings["Preset"] = "fast"
            return point
        }
        var measurements = Studies.measurements(study)
        for point in study.points {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let less = [-shift, shift / 2, shift][point.variant]
            let decibels = 60 - (quantizer + (shift < 10 ? less : [0, 14.5, -14.5][point.variant])) * 0.7
            measurements.results[point] = Studies.result(of: point, bytes: 100, decibels: decibels)
        }
        let timing = TimingRounds(
            rounds: 1, seed: 1, measure: { time($0) }, measureDelay: { point, _ in try delay(point) })
        let report = try #require(try timing.report(measurements) { _, _ in })
        let qualities = report.pairs.compactMap { $0.atEqualQuality?.quality }
        #expect(qualities.count == 2 && Set(qualities).count == (shift < 10 ? 1 : 2), "\(qualities)")
        #expect(report.text.contains("share no one quality") == (shift > 10), "\(report.text)")
    }

    @Test("a curve alone is timed at each of its rates, without ratios")
    func alone() throws {
        let timing = TimingRounds(
            rounds: 2, seed: 1, measure: { time($0) }, measureDelay: { point, _ in try delay(point) })
        let report = try #require(try timing.report(Studies.measurements(Studies.study(encoders: [.x264]))) { _, _ in })
        #expect(report.entries.map(\.rate) == ["qp 22", "qp 27", "qp 32", "qp 37"] && report.pairs.isEmpty)
        #expect(report.text.contains("Medians, on ") && report.finishedRounds == nil)
    }

    @Test("an interruption before the first round is finished leaves no report")
    func interruption() throws {
        let event = OneShotEvent()
        let timing = TimingRounds(
            rounds: 5, seed: 7, interruption: event,
            measure: { point in
                event.signal()
                throw CommandFailure("an encode ended with status 130")
            }, measureDelay: { point, _ in try delay(point) })
        #expect(try timing.report(Studies.measurements(Studies.study())) { _, _ in } == nil)
    }

    @Test("an encode in a process of its own is measured, and one that fails is told", .inTurn())
    func child() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(CommandLineTool.y4m(frames: 20), to: "in.y4m")
            let result = try await CommandLineTool.encbench.run([
                "compare", path, "--encoder", "x264", "--preset", "ultrafast,medium", "--qp", "22,27,32,37",
                "--rounds", "2", "--seed", "5", "--json", folder.path("r.json"), "--verbose",
            ])
            #expect(result.text.contains("x264 medium takes ") && result.text.contains("against itself"))
            let json = String(decoding: try folder.read("r.json"), as: UTF8.self)
            #expect(json.contains("\"seed\" : 5") && json.contains("\"peak_resident_bytes\""))
            #expect(json.contains("\"frames_held\" : 0,") && json.contains("\"p99_seconds\""))
            let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(json.utf8))
            let pair = try #require(report.timing?.pairs.first)
            let equal = try #require(pair.atEqualQuality, "\(pair.refusal ?? "")")
            // The timed encodes are those next to the quality.
            let known = try #require(report.clips.first?.points).filter { !$0.isDefault }
            func qualities(_ label: String, _ rates: [String]) -> [Double] {
                known.filter { $0.variant == label && rates.contains($0.rate) }.compactMap { $0.value(pair.score) }
            }
            for values in [qualities(pair.anchor, equal.anchorRates), qualities(pair.test, equal.testRates)] {
                let (low, high) = (try #require(values.min()), try #require(values.max()))
                #expect(low <= equal.quality && equal.quality <= high && (1...2).contains(values.count))
            }
            #expect(equal.cpuRatio.median > 0 && result.text.contains("both at PSNR-Y "))
        }
    }
}

@Suite struct MachineLoadTests {
    @Test("ticks that are neither idle nor waiting for a disk are busy, stolen ones too")
    func ticks() {
        let stat = "cpu  10 20 30 1000 500 1 2 3 99 99\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
        #expect(MachineLoad.busyTicks(stat: stat) == 66)
        #expect(MachineLoad.busyTicks(stat: "cpu0 1 2 3\n") == nil && MachineLoad.busyTicks(stat: "cpu  1 2\n") == nil)
    }

    @Test("what this process does is not the others'")
    func others() throws {
        let start = MachineLoad(busySeconds: 100, ownSeconds: 5, wallSeconds: 50)
        let end = MachineLoad(busySeconds: 118, ownSeconds: 20, wallSeconds: 60)
        #expect(abs(end.othersCores(since: start) - 0.3) < 1e-12)
        let now = try #require(MachineLoad.now())
        #expect(now.busySeconds > 0 && now.ownSeconds > 0)
    }
}
