// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension TargetGoal {
    /// Takes the goal out of what the command line has besides its own options.
    ///
    /// - Returns: The goal, and the inputs.
    /// - Throws: ``OptionError`` for no goal or two, for a value that is no number, and for unknown options.
    static func parse(_ words: [String]) throws(OptionError) -> (goal: TargetGoal, inputs: [String]) {
        var goals: [TargetGoal] = []
        var inputs: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                inputs.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let metric = Metric.all.first(where: { "--" + $0.name == parts[0] }) else {
                throw OptionError(.unknownName, "unknown option '\(parts[0])'")
            }
            guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw OptionError(.malformed, "\(parts[0]) lacks its value")
            }
            let maximum = metric.scores[0].maximum
            guard let value = Double(text), value.isFinite, value > 0, value <= maximum ?? .infinity else {
                let range = maximum.map { " and at most \(Format.shortest($0))" } ?? ""
                throw OptionError(.outOfRange, "\(parts[0]) '\(text)', expected a number over 0\(range)")
            }
            goals.append(TargetGoal(metric: metric, value: value))
        }
        guard goals.count == 1 else {
            let names = Metric.all.map { "--" + $0.name }.joined(separator: ", ")
            throw OptionError(
                .conflicting, "\(goals.isEmpty ? "no goal" : "more than one goal"), expected one of \(names)")
        }
        return (goals[0], inputs)
    }
}
