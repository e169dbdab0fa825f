// SPDX-License-Identifier: MIT

import EncoderConformance
import FoundationEssentials

/// Rows of tests that are too many for every run: a few of each kind, in a thorough run more or all, in a long one all.
///
/// Runs that take turns, usual or thorough, have a part of these rows each.
///
/// What it chooses depends on the rows, the depth, the seed and the turn alone, so that a row that fails today fails
/// tomorrow.
/// Functions of tests that use it have names that begin with `sampled`, those with the trait `.thorough` names that
/// begin with `thorough`, so that a filter finds them by these names; `SampleTests` checks that they have them.
public enum Sample {
    /// How much a run may take.
    public enum Depth: Comparable, CaseIterable, Sendable {
        /// Minutes, as often as somebody changes something.
        case usual
        /// Once before a change lands: ``Sample/environmentVariable`` is 1.
        case thorough
        /// Hours, as steps of `dev/long` do: `ENCODERKIT_LONG` is 1.
        case long
    }

    /// The environment variable that asks for a thorough run, by the value 1.
    public static let environmentVariable = "ENCODERKIT_THOROUGH"

    /// How much this run may take.
    public static let depthOfRun: Depth = {
        let environment = ProcessInfo.processInfo.environment
        if environment["ENCODERKIT_LONG"] == "1" { return .long }
        return environment[environmentVariable] == "1" ? .thorough : .usual
    }()

    /// How much the tests of a file may take: where thorough runs take turns, those whose turn it is not take no more
    /// than in any other run.
    ///
    /// - Parameter fileID: The file; the caller's by default.
    /// - Returns: The depth.
    public static func depth(fileID: String = #fileID) -> Depth {
        guard depthOfRun == .thorough, let turn = Turn.current else { return depthOfRun }
        return turn.takes(fileID) ? .thorough : .usual
    }

    /// Chooses rows so that every label of any row is that of a chosen one, in one run or in all that take turns, and
    /// prints how many of how many they are.
    ///
    /// - Parameters:
    ///   - rows: All rows.
    ///   - least: How many a usual run chooses at least, as far as there are so many; 1 by default.
    ///   - thorough: How many a thorough run chooses at least; nil, the default, for all.
    ///   - seed: What the choice follows from; 1 by default.
    ///   - depth: How much the run may take: a long one chooses all.
    ///   - turn: Which part of these rows the run takes, whatever their labels, and one where that is none; nil for
    ///     all. A long run takes no turns.
    ///   - fileID: The file to name in the printed line.
    ///   - line: The line to name in the printed line.
    ///   - labels: What a row is one of, in words that are the same for all of its kind; by default all are of one
    ///     kind.
    /// - Returns: The chosen rows in their order.
    public static func of<Row>(
        _ rows: [Row], least: Int = 1, thorough: Int? = nil, seed: UInt64 = 1, depth: Depth = Self.depthOfRun,
        turn: Turn? = Turn.current, fileID: String = #fileID, line: Int = #line, labels: (Row) -> [String] = { _ in [] }
    ) -> [Row] {
        let labels = rows.map(labels)
        let count =
            switch depth {
            case .usual: least
            case .thorough: thorough ?? rows.count
            case .long: rows.count
            }
        var chosen = count >= rows.count ? Array(rows.indices) : choose(labels, least: count, seed: seed)
        var ofTurn = ""
        if depth != .long, let turn {
            let part = turn.part(of: chosen)
            chosen = part.isEmpty ? choose(labels.map { _ in [] }, least: 1, seed: seed) : part
            ofTurn = ", turn \(turn)"
        }
        print("\(fileID):\(line): Sample: \(chosen.count) of \(rows.count) rows, seed \(seed)\(ofTurn)")
        return chosen.map { rows[$0] }
    }

    /// Places of rows with these labels: in random order each that brings the most labels that are not there yet.
    private static func choose(_ labels: [[String]], least: Int, seed: UInt64) -> [Int] {
        var random = SplitMix64(state: seed)
        var chosen: [Int] = []
        var rest = labels.indices.shuffled(using: &random)
        var missing = Set(labels.joined())
        while !missing.isEmpty {
            let gains = rest.map { missing.intersection(labels[$0]).count }
            guard let best = gains.indices.max(by: { gains[$0] < gains[$1] }) else { break }
            let place = rest.remove(at: best)
            missing.subtract(labels[place])
            chosen.append(place)
        }
        return (chosen + rest.prefix(max(least - chosen.count, 0))).sorted()
    }
}
