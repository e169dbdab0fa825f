// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchStudies
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// A format is one file and one line: everything else follows from the option.
@Suite struct ReportOptionsTests {
    @Test("a format's constant is named in its own file and in one line beside it")
    func oneLine() async throws {
        let files = try await SourceFiles.bench()
        var names: [String] = []
        for (path, text) in files {
            for match in text.matches(of: #/static let (\w+) = ReportFormat\(/#) {
                let name = String(match.1)
                names.append(name)
                let lines = files.flatMap { file in
                    file.value.split(separator: "\n").filter { $0.contains("ReportFormat.\(name).") }
                }
                #expect(lines.count == 1 && lines[0].contains("@Option"), "\(name) of \(path): \(lines)")
            }
        }
        let words = names.sorted().flatMap { ["--" + $0, "/tmp/" + $0] }
        #expect(try ReportOptions.parse(words).files.map(\.path).sorted() == names.sorted().map { "/tmp/" + $0 })
        #expect(names.count >= 4)
    }

    @Test("each format writes its file, and two cannot have the same")
    func files() async throws {
        try await withTemporaryDirectory { folder in
            let report = Studies.measurements(Studies.study()).report(isInterrupted: false)
            let names = ["json", "csv", "markdown", "html"]
            let options = try ReportOptions.parse(names.flatMap { ["--" + $0, folder.path($0)] })
            try options.write(report)
            #expect(Set(try names.map { try folder.read($0) }).count == names.count && !options.usesStandardOutput)
            let plain = try ReportOptions.parse(["--csv", "-"])
            #expect(options.wantsPictures && !plain.wantsPictures)
            #expect(plain.usesStandardOutput)
            #expect(throws: (any Error).self) { try ReportOptions.parse(["--csv", "-", "--json", "-"]) }
        }
    }
}
