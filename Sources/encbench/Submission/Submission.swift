// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

/// What is left of a plan, for an engine that runs commands on other cores and machines.
struct Submission: Equatable, Sendable {
    /// This program's path, the same on every machine.
    var program: String
    /// The path of the folder with plan and results, the same on every machine.
    var folder: String
    /// Numbers of points, a list for each task; one or more tasks.
    var tasks: [[Int]]
    /// Cores that a point keeps busy; nil where the encoder's library decides.
    var threads: Int?
    /// Options of the engine's own program.
    var engineOptions: [String] = []
    /// Options of `merge`.
    var mergeOptions: [String] = []
    /// Programs that take metrics' values where they are not those in `PATH`: the variables that name them.
    var programs: [String: String] = [:]
}

extension Submission {
    /// Numbers of the points to encode: one for each piece of work that has no result.
    static func missing(_ merge: Merge) -> [Int] {
        let points = merge.measurements.study.points
        var seen: Set<PointWork> = []
        return merge.missing.filter { seen.insert(points[$0].work).inserted }
    }

    /// Deals points out to tasks, in their order, so that the points of a task share clips.
    ///
    /// - Parameters:
    ///   - points: Numbers of points.
    ///   - least: Points of a task at least, 1 or more, as long as there are so many.
    ///   - most: Tasks at most, 1 or more.
    /// - Returns: Points of each task; no task without points.
    static func tasks(_ points: [Int], least: Int, most: Int) -> [[Int]] {
        let share = max(least, points.count / most + (points.count % most == 0 ? 0 : 1))
        return stride(from: 0, to: points.count, by: share).map { start in
            Array(points[start..<min(start + share, points.count)])
        }
    }

    /// The words that encode points.
    func runPoint(_ points: String) -> String {
        "\(program.shellWord) run-point --out \(folder.shellWord) --index \(points)"
    }

    /// Lines of a shell that have tasks find metrics' programs; empty where they find them anyway.
    var environment: String {
        programs.sorted { $0.key < $1.key }.map { "export \($0.key)=\($0.value.shellWord)\n" }.joined()
    }

    /// The words that make the report.
    var merge: String {
        ([program, "merge", folder] + mergeOptions).map(\.shellWord).joined(separator: " ")
    }

    /// Each task's points, one task after the other, as words of a shell.
    var taskWords: [String] { tasks.map { "\"" + $0.map(String.init).joined(separator: " ") + "\"" } }
}
