// SPDX-License-Identifier: MIT

import BenchReports
import BenchStudies
import CommandOptions
import EncoderBench
import Synchronization
import TestSupport
import Testing

@testable import encbench

@Suite struct LiveComparisonTests {
    private final class Page: Sendable {
        private let stored = Mutex("")
        var text: String { stored.withLock { $0 } }
        func write(_ text: String) { stored.withLock { $0 += text } }
    }

    @Test("whatever order points come in, what appears is the report, and every piece as soon as it can")
    func order() throws {
        let study = Studies.study(clips: 2)
        let text = ComparisonText(study: study)
        var random = SeededGenerator()
        for _ in 0..<20 {
            let page = Page()
            let live = LiveComparison(study: study, text: text) { page.write($0) }
            var done: Set<PointSpec> = []
            for point in study.points.shuffled(using: &random) {
                live.take(.finished([point], Studies.result(of: point)))
                done.insert(point)
                let rows = study.points.prefix { done.contains($0) }.count
                let seen = page.text.split(separator: "\n").count {
                    $0.hasPrefix("x26") && !$0.contains("against") && !$0.contains("in.y4m")
                }
                #expect(seen == rows)
            }
            let report = try live.finish(isInterrupted: false)
            #expect(report == Studies.measurements(study).report(isInterrupted: false))
            #expect(page.text == text.text(report))
        }
    }

    @Test("an interrupted or failing comparison shows all that there is", arguments: [false, true])
    func partial(isInterrupted: Bool) throws {
        let study = Studies.study(clips: 3)
        let text = ComparisonText(study: study)
        var random = SeededGenerator()
        for _ in 0..<20 {
            let page = Page()
            let live = LiveComparison(study: study, text: text) { page.write($0) }
            for point in study.points where Bool.random(using: &random) {
                live.take(.finished([point], Studies.result(of: point)))
            }
            if !isInterrupted {
                for point in study.points(ofClip: 1) { live.take(.failed([point], CommandFailure("no"))) }
            }
            let report = try live.finish(isInterrupted: isInterrupted)
            #expect(page.text == text.text(report))
            #expect(report.isInterrupted == isInterrupted)
        }
    }

    @Test("text that cannot be written ends in its error, after everything was measured")
    func brokenPipe() {
        let study = Studies.study()
        let live = LiveComparison(study: study, text: ComparisonText(study: study)) { _ in
            throw CommandFailure("nobody reads")
        }
        for point in study.points { live.take(.finished([point], Studies.result(of: point))) }
        #expect(throws: CommandFailure.self) { try live.finish(isInterrupted: false) }
        #expect(live.results.count == study.points.count)
    }
}
