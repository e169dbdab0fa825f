// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import BenchStudies
import CommandOptions
import TestSupport
import Testing

@testable import PictureQuality
@testable import EncoderBench
@testable import encbench

/// A metric is one file and one line: everything else follows from the table.
@Suite struct MetricOptionsTests {
    @Test("a metric's columns and scores are named in its own file alone")
    func oneFile() async throws {
        let table = try await SourceFiles.all(of: "PictureQuality")
        // The report of a probe has a name of its own, and a note warns of a frame far worse than the others.
        let exceptions = ["encbench/Doctor/SelfTest.swift", "EncoderBench/Comparison/ComparisonNotes.swift"]
        let files = try await SourceFiles.bench().filter { !exceptions.contains($0.key) }
        #expect(files.count > 100)
        for metric in Metric.all {
            let names = metric.columns + metric.scores.map(\.id)
            let (owners, users) = (self.users(of: names, in: table), self.users(of: names, in: files))
            #expect(owners.count <= 1 && users.isEmpty, "\(metric): \(owners), \(users)")
        }
    }

    /// The files that have one of the names as a text.
    private func users(of names: [String], in files: [String: String]) -> [String] {
        files.filter { _, text in names.contains { text.contains("\"\($0)\"") } }.keys.sorted()
    }

    @Test("a metric's constant is used in the table, and beside it only for the default")
    func oneLine() async throws {
        let table = try await SourceFiles.all(of: "PictureQuality")
        let files = table.merging(try await SourceFiles.bench()) { first, _ in first }
        let own = Set(files.filter { $0.value.contains("extension Metric {\n    package static let ") }.keys)
        let names = try #require(
            table["Metric.swift"]?.firstMatch(of: #/package static let all: \[Metric\] = \[([^\]]*)\]/#))
        let constants = names.1.split(separator: ",").map { $0.trimming { " \n.".contains($0) } }.filter { !$0.isEmpty }
        #expect(constants.count == Metric.all.count)
        for constant in constants {
            let users = files.filter { !own.contains($0.key) && $0.value.contains("Metric.\(constant)") }.keys
            #expect(users.isEmpty, "\(constant) in \(users.sorted())")
        }
    }

    @Test("the option takes the table's names, each once, and the default measures what costs little")
    func option() throws {
        #expect(try OptionParsing.metrics("vmaf,psnr") == [.vmaf, .squaredError])
        #expect(try OptionParsing.metrics(Metric.all.map(\.name).joined(separator: ",")) == Metric.all)
        for (text, message) in [
            ("psnr,psnr", "'psnr' is listed twice"), ("vmav", "'vmav', expected one of psnr, ssim, ms-ssim, vmaf"),
            ("psnr,", "'psnr,' has an empty item"),
        ] {
            let error = #expect(throws: OptionError.self) { try OptionParsing.metrics(text) }
            #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        }
        #expect(try MetricOptions.parse([]).metric == Metric.usual)
    }

    @Test("what a model was made for is said where pictures are otherwise", arguments: [false, true])
    func scale(isScaled: Bool) {
        let study = Studies.study(metrics: [.vmaf])
        var report = Studies.measurements(study).report(isInterrupted: false)
        if isScaled { report.metrics[0].measuredBy += ", scaled to 1080 rows" }
        let text = ComparisonText(report, isVerbose: false).text
        #expect(text.contains("its model was made for 1080 rows") == !isScaled, "\(text)")
        report.clips[0].height = 1080
        #expect(!ComparisonText(report, isVerbose: false).text.contains("its model was made for"))
        #expect((try? MetricOptions.parse(["--vmaf-scale", "--metric", "vmaf"]).tools.scalesPictures) == true)
        let error = #expect(throws: (any Error).self) { try MetricOptions.parse(["--vmaf-scale", "--metric", "ssim"]) }
        #expect(error.map { MetricOptions.message(for: $0) }?.contains("--vmaf-scale is for vmaf") == true)
    }

    @Test("where VMAF v1 was not measured beside VMAF, the report says what it takes")
    func newer() {
        func text(_ metrics: [Metric]) -> String {
            let report = Studies.measurements(Studies.study(metrics: metrics)).report(isInterrupted: false)
            return ComparisonText(report, isVerbose: false).text
        }
        #expect(text([.vmaf]).contains("VMAF v1 was not measured: it takes libvmaf 3.2 or later."))
        #expect(!text([.vmafV1, .vmaf]).contains("VMAF v1 was not measured"))
        #expect(text([.vmafV1, .vmaf]).contains("quality is VMAF v1, what viewers would say"))
        #expect(!text([.xpsnr]).contains("VMAF"))
    }

    @Test("tables, curves and files show what was measured and nothing else, the first as the headline")
    func reports() throws {
        let study = Studies.study(clips: 3, metrics: [.vmaf, .multiScaleSimilarity])
        let report = Studies.measurements(study).report(isInterrupted: false)
        let text = ComparisonText(report, isVerbose: true).text
        #expect(text.contains("(VMAF, BD-rate -20.0 %)") && text.contains("VMAF by version 1, of pictures"), "\(text)")
        #expect(text.contains("bit/s   VMAF  MS-SSIM\n") && !text.contains("PSNR"), "\(text)")
        let csv = String(decoding: try ReportFormat.csv.bytes(report), as: UTF8.self)
        #expect(csv.contains("bits_per_second,vmaf,vmaf_worst_frame,ms_ssim_y,ms_ssim_y_db,library\r\n"))
        let markdown = String(decoding: try ReportFormat.markdown.bytes(report), as: UTF8.self)
        #expect(markdown.contains("| VMAF | MS-SSIM |") && markdown.contains("VMAF by version 1, of pictures"))
        #expect(report.overall.map(\.score) == ["vmaf", "ms_ssim_y", "ms_ssim_y_db"])
        #expect(report.clips[0].points[0].frames.values.keys.sorted() == ["ms_ssim_y", "vmaf"])
    }
}
