// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@Suite struct SampleTests {
    private func labels(_ row: Int) -> [String] { ["ends with \(row % 10)", row < 50 ? "small" : "large"] }

    @Test("a sample has a row of every kind, the same in each run, in the order of all rows", arguments: 1...20)
    func kinds(seed: Int) {
        let rows = Array(0..<100)
        let sample = Sample.of(rows, seed: UInt64(seed), depth: .usual, labels: labels)
        #expect(Set(sample.flatMap(labels)) == Set(rows.flatMap(labels)))
        // Ten digits, and both sizes among them.
        #expect(sample.count == 10 && sample == sample.sorted())
        #expect(sample == Sample.of(rows, seed: UInt64(seed), depth: .usual, labels: labels))
    }

    @Test("a sample has as many rows as are asked for, a thorough run more or all, and a long one all")
    func counts() {
        let rows = Array(0..<100)
        #expect(Sample.of(rows, least: 30, depth: .usual, labels: labels).count == 30)
        #expect(Sample.of([1, 2], least: 30, depth: .usual, labels: labels) == [1, 2])
        #expect(Sample.of([Int](), depth: .usual, labels: labels).isEmpty)
        #expect(Sample.of(rows, depth: .thorough, third: nil, labels: labels) == rows)
        #expect(Sample.of(rows, least: 30, thorough: 40, depth: .thorough, labels: labels).count == 40)
        #expect(Sample.of(rows, thorough: 40, depth: .long, labels: labels) == rows)
    }

    @Test("three runs of a third each take all rows, and each has a row of every kind")
    func thirds() {
        let rows = Array(0..<100)
        let samples = (0..<3).map { Sample.of(rows, least: 5, depth: .thorough, third: $0, labels: labels) }
        #expect(Set(samples.joined()) == Set(rows))
        for sample in samples {
            #expect(sample.count < 40 && sample == sample.sorted())
            #expect(Set(sample.flatMap(labels)) == Set(rows.flatMap(labels)))
        }
        // One row alone has a label: it is in each.
        let rare = (0..<3).map { third in
            Sample.of(rows, depth: .thorough, third: third) { [$0 == 7 ? "rare" : "common"] }
        }
        #expect(rare.allSatisfy { $0.contains(7) })
        #expect(Sample.of([1, 2], least: 2, depth: .thorough, third: 2) == [1, 2])
        #expect(Sample.of(rows, least: 30, thorough: 40, depth: .thorough, third: 1).count == 40)
        #expect(Sample.of(rows, depth: .long, third: 1) == rows)
    }

    @Test("seeds choose different rows")
    func seeds() {
        let samples = (1...5).map { Sample.of(Array(0..<100), seed: $0, depth: .usual, labels: labels) }
        #expect(Set(samples).count == 5)
    }

    @Test("tests that take samples or are left to thorough runs have the names by which those find them")
    func names() throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        var found: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where path.hasSuffix("Tests.swift") && !path.hasSuffix("/SampleTests.swift") {
            let text = String(decoding: try Data(contentsOf: URL(filePath: folder + "/" + path)), as: UTF8.self)
            let parts = text.split(separator: "@Test", omittingEmptySubsequences: false)
            #expect(Self.kind(parts[0]) == nil, "\(path): a sample or .thorough that is no test's own")
            for part in parts.dropFirst() {
                let name = part.firstMatch(of: #/\bfunc (\w+)/#)?.1 ?? ""
                let named = ["sampled", "thorough"].first { name.hasPrefix($0) }
                #expect(Self.kind(part) == named, "\(path): \(name)")
                found[named ?? "", default: 0] += 1
            }
        }
        #expect(found["sampled", default: 0] > 5 && found["thorough", default: 0] > 5, "\(found)")
    }

    /// How the name of a test with this text is to begin; nil for a test of every run.
    private static func kind(_ text: Substring) -> String? {
        if text.contains("Sample.of(") { return "sampled" }
        // The trait, among others in brackets; not a depth that is compared or switched over.
        return text.contains(#/[(,]\s*\.thorough\b(?!:)/#) ? "thorough" : nil
    }
}
