// SPDX-License-Identifier: MIT

import BenchReports
import BenchStudies
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct RealTimeReportTests {
    /// One encoder that refused one of ten pictures and dropped a frame.
    private func report(othersCores: Double?) -> RealTimeReport {
        var study = Studies.study()
        study.points = [study.points[0]]
        var frames = (0..<10).map { index in
            let due = Double(index) * 0.04
            return PacedResult.Frame(due: due, given: due, isTaken: true, out: due + 0.01, decodeTime: due)
        }
        frames[3] = PacedResult.Frame(due: 0.12, given: 0.12, isTaken: false)
        frames[5] = PacedResult.Frame(due: 0.2, given: 0.2, isTaken: true)
        var answers = Answers<PacedResult>(study: study, failures: [])
        answers.results[study.points[0]] = PacedResult(library: "lib 1", adjustments: [], frames: frames, framesHeld: 1)
        var report = RealTimeReport(answers, frameRate: nil)
        report.othersCores = othersCores
        return report
    }

    @Test("an encoder that does not keep up is to blame on an idle machine only")
    func busy() {
        for idle in [nil, 0.05] as [Double?] {
            let text = report(othersCores: idle).text
            #expect(text.contains("  NO\n") && !text.contains("busy"), "\(text)")
        }
        let text = report(othersCores: 1.5).text
        #expect(text.contains("NO, but the machine was busy\n"), "\(text)")
        #expect(text.contains("Note: other processes kept 1.5 cores busy: times may be wrong.\n"), "\(text)")
    }

    @Test("pictures that were refused and frames that were dropped have a column and a sentence each")
    func words() {
        let text = report(othersCores: nil).text
        #expect(text.contains("refused  dropped  keeps up\n"), "\(text)")
        #expect(text.contains("x264 medium: 1 of 10 pictures were refused for want of room.\n"), "\(text)")
        #expect(text.contains("x264 medium: 1 of 10 frames were dropped for want of bits.\n"), "\(text)")
    }
}
