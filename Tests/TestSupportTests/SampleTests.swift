// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@Suite struct SampleTests {
    private func labels(_ row: Int) -> [String] { ["ends with \(row % 10)", row < 50 ? "small" : "large"] }

    @Test("a sample has a row of every kind, the same in each run, in the order of all rows", arguments: 1...20)
    func kinds(seed: Int) {
        let rows = Array(0..<100)
        let sample = Sample.of(rows, seed: UInt64(seed), depth: .usual, turn: nil, labels: labels)
        #expect(Set(sample.flatMap(labels)) == Set(rows.flatMap(labels)))
        // Ten digits, and both sizes among them.
        #expect(sample.count == 10 && sample == sample.sorted())
        #expect(sample == Sample.of(rows, seed: UInt64(seed), depth: .usual, turn: nil, labels: labels))
    }

    @Test("a sample has as many rows as are asked for, a thorough run more or all, and a long one all")
    func counts() {
        let rows = Array(0..<100)
        #expect(Sample.of(rows, least: 30, depth: .usual, turn: nil, labels: labels).count == 30)
        #expect(Sample.of([1, 2], least: 30, depth: .usual, turn: nil, labels: labels) == [1, 2])
        #expect(Sample.of([Int](), depth: .usual, turn: nil, labels: labels).isEmpty)
        #expect(Sample.of(rows, depth: .thorough, turn: nil, labels: labels) == rows)
        #expect(Sample.of(rows, least: 30, thorough: 40, depth: .thorough, turn: nil, labels: labels).count == 40)
        #expect(Sample.of(rows, thorough: 40, depth: .long, labels: labels) == rows)
    }

    @Test("runs that take turns take each row once between them, and none has no row", arguments: [1, 3, 6])
    func turns(count: Int) throws {
        let rows = Array(0..<100)
        let turns = try (0..<count).map { try #require(Turn($0, of: count)) }
        let samples = turns.map { Sample.of(rows, least: 50, depth: .thorough, turn: $0, labels: labels) }
        #expect(samples.joined().sorted() == rows)
        for sample in samples {
            #expect(sample.count <= (100 + count - 1) / count && sample == sample.sorted())
        }
        let last = try #require(turns.last)
        #expect(Sample.of([1, 2], least: 2, depth: .thorough, turn: last).count == (count == 1 ? 2 : 1))
        #expect(Sample.of([Int](), depth: .thorough, turn: last).isEmpty)
        #expect(Sample.of(rows, depth: .long, turn: last) == rows)
        // As many as a thorough run takes, and of each kind, between them too.
        let whole = Sample.of(rows, thorough: 40, depth: .thorough, turn: nil, labels: labels)
        let parts = turns.map { Sample.of(rows, thorough: 40, depth: .thorough, turn: $0, labels: labels) }
        #expect(parts.joined().sorted() == whole)
        let usual = Sample.of(rows, least: 30, depth: .usual, turn: nil, labels: labels)
        let shares = turns.map { Sample.of(rows, least: 30, depth: .usual, turn: $0, labels: labels) }
        #expect(shares.joined().sorted() == usual)
    }

    @Test("each file has one turn")
    func turnsOfFiles() throws {
        let files = (0..<600).map { "SomeTests/File\($0).swift" }
        let turns = try (0..<6).map { try #require(Turn($0, of: 6)) }
        for file in files { #expect(turns.filter { $0.takes(file) }.count == 1, "\(file)") }
        for turn in turns { #expect(files.filter(turn.takes).count > 60, "\(turn)") }
    }

    @Test(
        "a turn is written as two numbers, the first below the second",
        arguments: [("2/6", true), ("0/1", true)]
            + ["", "6/6", "-1/6", "1", "1/", "1/2/3", "/", "a/b", "0/0", "1/-2"].map { ($0, false) })
    func turnText(text: String, isTurn: Bool) {
        #expect(Turn(text)?.description == (isTurn ? text : nil))
    }

    @Test("seeds choose different rows")
    func seeds() {
        let samples = (1...5).map { Sample.of(Array(0..<100), seed: $0, depth: .usual, turn: nil, labels: labels) }
        #expect(Set(samples).count == 5)
    }

    @Test("tests that take samples or are left to thorough runs have the names by which those find them")
    func names() throws {
        var found: [String: Int] = [:]
        for (path, parts) in try Self.files() {
            #expect(Self.kind(parts[0]) == nil, "\(path): a sample or .thorough that is no test's own")
            for part in parts.dropFirst() {
                let name = part.firstMatch(of: #/\bfunc (\w+)/#)?.1 ?? ""
                let named = ["sampled", "thorough"].first { name.hasPrefix($0) }
                let kind = Self.kind(part) ?? "neither sampled nor thorough"
                #expect(Self.kind(part) == named, "\(path): the name of \(name) has to begin with \(kind)")
                found[named ?? "", default: 0] += 1
            }
        }
        #expect(found["sampled", default: 0] > 5 && found["thorough", default: 0] > 5, "\(found)")
    }

    @Test("tests over TLS that have a turn have the one in which continuous integration builds it")
    func turnOfTLS() throws {
        let script = try Self.text(".ci/run")
        let number = try #require(script.firstMatch(of: #/if \[ "\$turn" = (\d) \]/#)?.1)
        let turn = try #require(Turn("\(number)/6"))
        var count = 0
        for (path, parts) in try Self.files() {
            let names = path.split(separator: "/")
            for part in parts.dropFirst() where part.contains(".requiresTLS") {
                guard part.contains(".thorough()") || part.contains(".inTurn()") else { continue }
                #expect(turn.takes("\(names[0])/\(names[names.count - 1])"), "\(path)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: root + "/" + path)), as: UTF8.self)
    }

    /// The files of tests by their paths below `Tests`: what precedes the first test, then each test.
    private static func files() throws -> [(path: String, parts: [Substring])] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/Tests").filter {
            $0.hasSuffix("Tests.swift") && !$0.hasSuffix("/SampleTests.swift")
        }.map { path in
            (path, try text("Tests/" + path).split(separator: "@Test", omittingEmptySubsequences: false))
        }
    }

    /// How the name of a test with this text is to begin; nil for a test of every run.
    private static func kind(_ text: Substring) -> String? {
        if text.contains("Sample.of(") { return "sampled" }
        return text.contains(".thorough()") ? "thorough" : nil
    }
}
