// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderBench
import Testing

@testable import BenchReports

@Suite struct ReportFormatTests {
    private let report = Studies.measurements(Studies.study(clips: 2)).report(isInterrupted: false)

    @Test("the lines of the CSV have a value for each title, with quotes where they must be")
    func csv() throws {
        #expect(CSV.field("a,\"b\"") == "\"a,\"\"b\"\"\"" && CSV.field("plain") == "plain")
        let lines = String(decoding: try ReportFormat.csv.bytes(report), as: UTF8.self).split(separator: "\r\n")
        #expect(lines.count == 1 + 20)
        let counts = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(Set(counts).count == 1)
        #expect(lines[0].contains("clip,width") && lines[0].contains("psnr_y_db") && lines[1].contains("clip0.y4m,64"))
    }

    @Test("Markdown has a table of points and one of answers for each clip, and escapes what names may have")
    func markdown() throws {
        let text = String(decoding: try ReportFormat.markdown.bytes(report), as: UTF8.self)
        #expect(Markdown.escaped("a|b_c") == "a\\|b\\_c")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| x26") && $0.contains("qp") }
        #expect(rows.count { !$0.contains("against") } == 16)
        // Below the points of each clip, where one curve is worst beside the other.
        #expect(rows.count { $0.contains("x265 medium against x264 medium | qp ") } == 2)
        for part in ["## clip0.y4m", "| x265 medium against x264 medium | PSNR-Y | -20.0 % |", "## All clips"] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }
}
