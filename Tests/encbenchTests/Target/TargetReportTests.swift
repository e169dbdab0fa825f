// SPDX-License-Identifier: MIT

import BenchReports
import CommandOptions
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct TargetReportTests {
    private func trial(_ rate: String, _ score: Double?) -> TargetReport.Trial {
        TargetReport.Trial(rate: rate, score: score, bytes: 12_345, bitsPerSecond: 98_760)
    }

    private func report(isReached: Bool, next: TargetReport.Trial?) -> TargetReport {
        let trials = [trial("crf 25", 38.5), trial("crf 22.75", 40.01), trial("crf 23", 39.9), trial("crf 0", nil)]
        return TargetReport(
            clip: "a.y4m", digest: "0", metric: "psnr", score: "psnr_y_db", measuredBy: "encbench", goal: 40,
            answers: [
                TargetReport.Answer(
                    variant: "x264 medium", library: "lib 1", frames: 9, step: "steps of 0.25", isReached: isReached,
                    found: trials[1], next: next, trials: trials, command: "encbench encode a.y4m",
                    programCommand: "x264 a.y4m", programObstacle: "times", adjustments: ["less of it"])
            ], failures: [Study.Failure(clip: "a.y4m", point: "vaapi", reason: "no GPU")])
    }

    @Test("the text names the setting, what the next one has, and both commands")
    func text() {
        let text = report(isReached: true, next: trial("crf 23", 39.9)).text
        for part in [
            "a.y4m, 9 frames: PSNR-Y 40.00 dB or more\n", "x264 medium  crf 22.75  12 345  98 760      40.01\n",
            "x264 medium reaches it at crf 22.75 (steps of 0.25): 40.01, 98.8 kbit/s, 12 345 bytes; crf 23 has 39.90.\n",
            "  encbench encode a.y4m\n  x264 a.y4m\n  Note: times.\n  Note: less of it.\n",
            "No answer for vaapi: no GPU.\n",
            "PSNR-Y by encbench. lib 1.\n",
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
        #expect(report(isReached: true, next: nil).text.contains("bytes; there is no cheaper setting.\n"))
        var disturbed = report(isReached: true, next: nil)
        #expect(!disturbed.text.contains("busy"))
        disturbed.othersCores = 1.24
        #expect(disturbed.text.contains("Note: other processes kept 1.2 cores busy: times may be wrong.\n"))
    }

    @Test("what an encoder needs of another's bytes for the same quality is said where both reach it")
    func share() {
        var report = report(isReached: true, next: nil)
        var other = report.answers[0]
        (other.variant, other.found.bytes) = ("x265 medium", 9876)
        report.answers.append(other)
        let bytes = "of x264 medium's bytes.\n"
        let unequal = "At those settings, whose qualities are not equal, x265 medium needs 80.0 % " + bytes
        #expect(report.text.contains(unequal) && report.shares.map(\.isAtGoal) == [false], "\(report.text)")
        report.answers[0].bytesAtGoal = 12_000
        #expect(report.text.contains(unequal))
        report.answers[1].bytesAtGoal = 9000
        let start = "At PSNR-Y 40.00 dB itself, between the two settings next to it, "
        let equal = start + "x265 medium needs 75.0 % " + bytes
        #expect(report.text.contains(equal) && report.shares.map(\.isAtGoal) == [true], "\(report.text)")
        report.answers[1].isReached = false
        #expect(!report.text.contains("needs") && report.shares.isEmpty)
    }

    @Test("bytes between two settings follow from the logarithm, and nothing is extrapolated")
    func bytesAtGoal() throws {
        var (better, worse) = (trial("crf 22.75", 40.4), trial("crf 23", 39.8))
        (better.bytes, worse.bytes) = (12_100, 10_000)
        func bytes(_ goal: Double) -> Double? { TargetReport.Trial.bytes(at: goal, better: better, worse: worse) }
        let (middle, end) = (try #require(bytes(40.1)), try #require(bytes(40.4)))
        #expect(abs(middle - 11_000) < 1e-6 && abs(end - 12_100) < 1e-6)
        #expect(bytes(39.8) == nil && bytes(41) == nil)
        #expect(TargetReport.Trial.bytes(at: 40, better: better, worse: nil) == nil)
        worse.bytes = 13_000
        #expect(bytes(40.1) == nil)
        (worse.bytes, better.score) = (10_000, nil)
        #expect(bytes(40.1) == nil)
    }

    @Test("a goal that is out of reach is answered with the best there is, and the range")
    func unreachable() {
        let text = report(isReached: false, next: nil).text
        #expect(
            text.contains(
                "x264 medium does not reach it: the best is 40.01 at crf 22.75; tried from 38.50 to 40.01 dB.\n"),
            "\(text)")
    }

    @Test("a quality that differs from the goal is shown with the decimals that say so, and the goal as it was given")
    func decimals() {
        var report = report(isReached: true, next: trial("crf 23", 39.998))
        let text = report.text
        #expect(text.contains("PSNR-Y 40.00 dB or more") && text.contains("crf 23 has 39.998.\n"), "\(text)")
        report.goal = 39.9985
        report.answers[0].found.score = 40.0009
        #expect(report.text.contains("PSNR-Y 39.9985 dB or more"), "\(report.text)")
        #expect(report.text.contains("(steps of 0.25): 40.001, "), "\(report.text)")
        report.answers[0].found.score = 39.9985
        #expect(report.text.contains("(steps of 0.25): 40.00, "), "\(report.text)")
    }

    @Test("every name in the JSON is described, and nothing is described that is not there")
    func description() throws {
        var report = report(isReached: true, next: trial("crf 23", 39.9))
        report.answers[0].bytesAtGoal = 12_000
        let total = try #require(SamplePrediction.Total([1, 2, 3], frames: 100))
        report.answers[0].prediction = SamplePrediction(
            scenes: 3, sceneFrames: 8, seed: 1, clipFrames: 100, bytes: total, quality: total, encodeSeconds: total)
        report.answers.append(report.answers[0])
        report.othersCores = 0.5
        let bytes = try JSONDocument.bytes(report)
        let names = String(decoding: bytes, as: UTF8.self).matches(of: #/"([a-z0-9_]+)" : /#).map { String($0.1) }
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let page = try WholeFile.read("/\(root)/Sources/encbench/TargetJSON.md")
        let described = String(decoding: page, as: UTF8.self).matches(of: #/`([a-z0-9_]+)`/#).map { String($0.1) }
        #expect(Set(names) == Set(described))
    }
}
