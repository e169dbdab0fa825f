// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import encbench

/// What is told of values that are refused.
@Suite struct OptionNamesTests {
    private static let seeds = "expected a whole number in 0...18446744073709551615"
    private static let folders = "expected the name of a folder"

    private static let rows: [(command: any ParsableCommand.Type, words: [String], option: String, reason: String)] = [
        (CompareCommand.self, ["--seed", "-1"], "--seed", seeds),
        (CompareCommand.self, ["--seed", "18446744073709551616"], "--seed", seeds),
        (OverheadCommand.self, ["--seed", "x"], "--seed", seeds),
        (TargetCommand.self, ["--psnr", "40", "--sample", "3", "--sample-seed", "-1"], "--sample-seed", seeds),
        (CompareCommand.self, ["--store", ""], "--store", folders),
        (RateCommand.self, ["--resume", ""], "--resume", folders),
        (PlanCommand.self, ["--out", ""], "--out", folders),
        (RunPointCommand.self, ["--index", "0", "--out", ""], "--out", folders),
        (MergeCommand.self, [""], "<folder>", folders),
        (SubmitCommand.self, ["--slurm", ""], "<folder>", folders),
    ]

    @Test("seeds out of range and folders without a name are refused by option and range", arguments: rows.indices)
    func refusals(index: Int) {
        let row = Self.rows[index]
        let error = #expect(throws: (any Error).self) { try row.command.parse(row.words) }
        let message = error.map { row.command.message(for: $0) } ?? ""
        #expect(message.contains(row.option) && message.contains(row.reason), "\(message)")
        #expect(error.map { row.command.exitCode(for: $0) } == .validationFailure)
    }
}
