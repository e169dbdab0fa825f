// SPDX-License-Identifier: MIT

import BenchStudies
import Glibc
import Synchronization
import Testing

@testable import BenchReports
@testable import EncoderBench

/// What is timed where nobody says how much.
extension TimingRoundsTests {
    @Test("without --rounds each curve is timed by its encode nearest to one quality, of the frames there is time for")
    func budget() throws {
        let study = Studies.study()
        var measurements = Studies.measurements(study)
        // x265 is 0.3 dB better at each quantizer, less than a twentieth of what is compared.
        for point in study.points where point.variant == 1 {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            measurements.results[point] = Studies.result(of: point, bytes: 100, decibels: 60.3 - quantizer * 0.7)
        }
        let log = WorkLog()
        let delays = EventCounts()
        let timing = TimingRounds(
            rounds: 3, seed: 1, budget: TimingRounds.Budget(rounds: 3, seconds: 16), timesOwnThreads: true,
            measure: { point in
                log.add(point)
                let frames = min(4, point.work.frameLimit ?? 4)
                return TimedEncode(
                    frames: frames, bytes: 9, wallSeconds: Double(frames), cpuSeconds: 1, peakResidentBytes: nil)
            },
            measureDelay: { point, seconds in
                // Two encodes in three rounds and one before.
                #expect(seconds == 2 && point.work.frameLimit == nil)
                delays.add()
                var delay = try delay(point)
                // With the library's own threads there is time for all.
                delay.frames = point.variant == 1 && point.work.settings["ThreadCount"] != nil ? 2 : 4
                return delay
            })
        let report = try #require(try timing.report(measurements) { _, _ in })
        #expect(delays.count == 4 && log.points.count == 12 && report.pairs.map(\.threads) == [1, nil])
        #expect(log.points.map(\.work.frameLimit) == [Int?](repeating: 2, count: 6) + [Int?](repeating: 4, count: 6))
        #expect(log.points.map { $0.work.settings["ThreadCount"] }.suffix(6).allSatisfy { $0 == nil })
        #expect(report.entries.map(\.rate) == ["qp 27", "qp 27", "qp 27", "qp 27"])
        #expect(report.entries.map(\.frames) == [2, 2, 4, 4] && report.entries.map(\.clipFrames) == [4, 4, nil, nil])
        let equal = try #require(report.pairs.first?.atEqualQuality)
        #expect(abs(equal.quality - 41.1) < 1e-9 && abs((equal.testQuality ?? 0) - 41.4) < 1e-9)
        for part in [
            "with 1 thread, x265 medium takes 1.00 times the CPU time", "at PSNR-Y 41.40 dB against 41.10 dB.",
            "with the library's own threads, x265 medium takes", "the first 2 of 4 frames were timed",
            "  threads  ", "  auto  ", "threads: how many",
        ] { #expect(report.text.contains(part), "\(part) in\n\(report.text)") }
        #expect(report.pairs.allSatisfy { $0.control == nil } && !report.text.contains("interpolated between"))
    }

    @Test("without --rounds times are interpolated where the nearest encodes are not as good as each other")
    func unequalNeighbors() throws {
        let study = Studies.study()
        var measurements = Studies.measurements(study)
        // x265 is 1.4 dB better, and takes twice the time of x264 where it is as good; each dB takes 10 % more.
        func decibels(_ point: PointSpec) -> Double {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            return (point.variant == 1 ? 61.4 : 60) - quantizer * 0.7
        }
        for point in study.points {
            measurements.results[point] = Studies.result(of: point, bytes: 100, decibels: decibels(point))
        }
        let log = WorkLog()
        let timing = TimingRounds(
            rounds: 3, seed: 1, budget: TimingRounds.Budget(rounds: 3, seconds: 24),
            measure: { point in
                log.add(point)
                let time = pow(1.1, decibels(point) - 40) * (point.variant == 1 ? 2 : 1)
                return TimedEncode(frames: 4, bytes: 9, wallSeconds: time, cpuSeconds: time, peakResidentBytes: nil)
            },
            measureDelay: { point, seconds in
                // Three encodes in three rounds and one before.
                #expect(seconds == 2)
                return try delay(point)
            })
        let report = try #require(try timing.report(measurements) { _, _ in })
        #expect(log.points.count == 9 && Set(log.points.map(\.rate)).isSuperset(of: ["qp 27", "qp 32"]))
        let equal = try #require(report.pairs.first?.atEqualQuality)
        #expect(abs(equal.quality - 41.1) < 1e-9 && equal.testQuality == nil && equal.testRates.count == 2)
        #expect(abs(equal.cpuRatio.median - 2) < 1e-9 && report.pairs[0].control == nil)
        #expect(report.text.contains("both at PSNR-Y 41.10 dB") && report.text.contains("interpolated between"))
        #expect(!report.text.contains("--rounds interpolates"))
    }

    @Test("clips that were decoded while clocks ran are told")
    func decodedMeanwhile() throws {
        let timing = TimingRounds(
            rounds: 1, seed: 1,
            measure: { point in
                var time = time(point)
                time.isDecodedMeanwhile = point.clip == 1 ? true : nil
                return time
            }, measureDelay: { point, _ in try delay(point) })
        let report = try #require(try timing.report(Studies.measurements(Studies.study(clips: 2))) { _, _ in })
        #expect(report.text.contains("Note: clip1.y4m: there was no room to decode it before"))
        #expect(!report.text.contains("clip0.y4m: there was no room"))
    }

    @Test("what the libraries choose is timed once, where no number was asked for", arguments: [1, nil])
    func ownThreads(threads: Int?) throws {
        var study = Studies.study()
        study.threadsPerEncoder = threads
        for index in study.points.indices {
            study.points[index].work.settings["ThreadCount"] = threads.map(String.init)
        }
        let timing = TimingRounds(
            rounds: 1, seed: 1, timesOwnThreads: true, measure: { time($0) },
            measureDelay: { point, _ in try delay(point) })
        let report = try #require(try timing.report(Studies.measurements(study)) { _, _ in })
        #expect(report.pairs.map(\.threads) == (threads == nil ? [nil] : [1, nil]))
        #expect(report.entries.count == 2 * report.pairs.count)
        var comparison = Studies.measurements(study).report(isInterrupted: false)
        comparison.timing = report
        // One mark for the pair, and one line of times for each point.
        let figure = try #require(CostChart(report: comparison, timing: report).figure)
        #expect(figure.matches(of: #/times the CPU time of x264 medium, both/#).count == 1)
        let csv = String(decoding: try ReportFormat.csv.bytes(comparison), as: UTF8.self)
        #expect(csv.split(separator: "\r\n").count { $0.hasSuffix(",2.5,2.5") } == 1, "\(csv)")
    }
}

/// Counts what happens.
private final class EventCounts: Sendable {
    private let stored = Mutex(0)

    var count: Int { stored.withLock { $0 } }

    func add() { stored.withLock { $0 += 1 } }
}
