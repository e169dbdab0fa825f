// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import EncoderBench
import TestSupport
import Testing

@testable import encbench

@Suite struct LiveComparisonTests {
    @Test("whatever order points come in, the report is the same")
    func order() {
        let study = Studies.study(clips: 2)
        var random = SeededGenerator()
        for _ in 0..<20 {
            let live = LiveComparison(study: study)
            for point in study.points.shuffled(using: &random) {
                live.take(.finished([point], Studies.result(of: point)))
            }
            let report = live.finish(isInterrupted: false)
            #expect(report == Studies.measurements(study).report(isInterrupted: false))
            #expect(live.results.count == study.points.count)
        }
    }

    @Test("an interrupted or failing comparison has all that there is", arguments: [false, true])
    func partial(isInterrupted: Bool) {
        let study = Studies.study(clips: 3)
        var random = SeededGenerator()
        for _ in 0..<20 {
            let live = LiveComparison(study: study)
            var measurements = Measurements(study: study)
            for point in study.points where Bool.random(using: &random) {
                measurements.results[point] = Studies.result(of: point)
                live.take(.finished([point], Studies.result(of: point)))
            }
            for point in study.points(ofClip: 1) where measurements.results[point] == nil {
                measurements.failures[point] = "no"
                live.take(.failed([point], CommandFailure("no")))
            }
            #expect(live.finish(isInterrupted: isInterrupted) == measurements.report(isInterrupted: isInterrupted))
        }
    }
}
