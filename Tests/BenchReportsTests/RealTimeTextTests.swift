// SPDX-License-Identifier: MIT

import Testing

@testable import BenchReports
@testable import EncoderBench

@Suite struct RealTimeTextTests {
    /// An encoder whose frames come out so many seconds after they were given, ever later by `lag` if it is too slow.
    private func entry(
        _ variant: String, latency: Double, lag: Double = 0, frames: Int = 20, bytes: Double? = 1000, goal: Double? = 38
    ) -> RealTimeReport.Entry {
        let pictures = (0..<frames).map { index in
            let due = Double(index) * 0.04
            return PacedResult.Frame(
                due: due, given: due, isTaken: true, out: due + latency + Double(index) * lag, decodeTime: due)
        }
        return RealTimeReport.Entry(
            clip: "a.y4m", variant: variant, library: "lib 1", rate: "crf 25",
            pace: Pace(pictures, framesHeld: 1, interval: 0.04), adjustments: [], frames: pictures,
            equalQuality: goal.map { .init(goal: $0, psnr: $0, bytes: 1, bytesAtGoal: bytes) })
    }

    @Test("at the same quality the fastest that keeps up is named, and what the others do and take")
    func answer() {
        #expect(
            RealTimeReport.text(entry("x264", latency: 0.002), entry("x265", latency: 0.008, bytes: 800)) == [
                "At the same quality (PSNR-Y 38.00 dB), x264 is the fastest that keeps up, at crf 25: half of its frames "
                    + "are out within 2.0 ms.",
                "x265, at crf 25, keeps up too: half of its frames are out within 8.0 ms; it takes 80.0 % of x264's bytes.",
            ])
        let slow = RealTimeReport.text(
            entry("x264", latency: 0.001, lag: 0.03, bytes: nil), entry("x265", latency: 0.008, bytes: 800))
        #expect(slow[0].contains("x265 is the fastest that keeps up"), "\(slow)")
        #expect(slow[1] == "x264, at crf 25, does not keep up.")
    }

    @Test("where none keeps up, or frames are too few to tell, no one is chosen")
    func none() {
        let start = "At the same quality (PSNR-Y 38.00 dB), "
        #expect(
            RealTimeReport.text(entry("a", latency: 0, lag: 0.03), entry("b", latency: 0, lag: 0.05)) == [
                start + "none keeps up: a at crf 25, b at crf 25."
            ])
        #expect(
            RealTimeReport.text(entry("a", latency: 0, frames: 3), entry("b", latency: 0, frames: 3)) == [
                start + "so few frames do not tell who keeps up: a at crf 25, b at crf 25."
            ])
    }

    @Test("settings that were asked for are said to be of unequal quality, and one encoder has nothing beside it")
    func unequal() {
        let (one, other) = (entry("a", latency: 0, goal: nil), entry("b", latency: 0, goal: nil))
        #expect(
            RealTimeReport.text(one, other) == [
                "These are at the settings that were asked for, not at the same quality."
            ])
        #expect(RealTimeReport.text(one).isEmpty)
        let unasked = [one, other].map { entry in
            var entry = entry
            entry.rate = "default"
            return entry
        }
        #expect(
            RealTimeReport.answer(unasked) == [
                "These are at each library's default, not at the same quality: the pictures of a equal their sources, and "
                    + "others cannot be held to that."
            ])
        var report = RealTimeReport(Answers(study: Study(variants: [], pairs: []), failures: []), frameRate: nil)
        report.entries = [one, other]
        #expect(report.text(width: nil).contains("\nThese are at the settings that were asked for"))
    }
}

extension RealTimeReport {
    fileprivate static func text(_ entries: Entry...) -> [String] { answer(entries) }
}
