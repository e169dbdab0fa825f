// SPDX-License-Identifier: MIT

/// Finds, among numbered settings of rising quality, the first that reaches a goal, with as few trials as it can.
///
/// Steps of twice the length lead to a setting on either side of the goal; between them the curve through all that was
/// tried is asked, and the middle is taken where that does not halve the gap in two trials. The answer holds whatever
/// the curve: it reaches the goal, and the setting before it was tried and does not.
package struct TargetSearch: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// The first setting that reaches the goal.
        case reached(Int)
        /// None does; the best of those that were tried, the last among them.
        case unreachable(best: Int)
    }

    /// How many settings there are.
    package let count: Int
    /// The quality to reach.
    package let goal: Double
    /// What was tried, with its quality.
    package private(set) var tried: [Int: Double] = [:]
    private var stride: Int
    private let first: Int
    /// The last setting known to fall short; -1 before any does.
    private var low = -1
    /// The first setting known to reach the goal; ``count`` before any does.
    private var high: Int
    /// How wide the gap was after each trial between two sides.
    private var gaps: [Int] = []

    /// - Parameters:
    ///   - count: Settings, numbered from 0 on, 1 or more.
    ///   - goal: What is to be reached.
    ///   - first: The setting to begin with.
    ///   - stride: How far to step until the goal lies between two settings.
    package init(count: Int, goal: Double, first: Int, stride: Int) {
        self.count = count
        self.goal = goal
        self.first = min(max(first, 0), count - 1)
        self.stride = max(stride, 1)
        high = count
    }

    /// The answer; nil while ``next`` has something to try.
    package var outcome: Outcome? {
        guard high - low == 1 else { return nil }
        guard high == count else { return .reached(high) }
        return .unreachable(best: tried.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? low)
    }

    /// What to try now; nil when there is an answer.
    package var next: Int? {
        if outcome != nil { return nil }
        if tried.isEmpty { return first }
        if high == count { return min(low + stride, count - 1) }
        if low < 0 { return max(high - stride, 0) }
        let middle = (low + high) / 2
        if gaps.count > 2, gaps[gaps.count - 1] * 2 > gaps[gaps.count - 3] { return middle }
        guard let crossing else { return middle }
        return min(max(Int(crossing.rounded(.up)), low + 1), high - 1)
    }

    /// Takes up the quality of ``next``.
    package mutating func add(_ quality: Double, of index: Int) {
        tried[index] = quality
        if quality >= goal { high = min(high, index) } else { low = max(low, index) }
        if low >= 0, high < count {
            gaps.append(high - low)
        } else if tried.count > 1 {
            stride *= 2
        }
    }

    /// Where the curve through what was tried crosses the goal; nil where it does not rise between the two sides.
    private var crossing: Double? {
        var points = [(index: low, quality: tried[low] ?? 0), (index: high, quality: tried[high] ?? 0)]
        guard points[0].quality < points[1].quality, points[1].quality.isFinite else { return nil }
        // Further points on both sides shape the curve as long as it rises.
        for index in tried.keys.sorted(by: >) where index < low {
            guard let quality = tried[index], quality < points[0].quality else { break }
            points.insert((index, quality), at: 0)
        }
        for index in tried.keys.sorted() where index > high {
            guard let quality = tried[index], quality > points[points.count - 1].quality, quality.isFinite else {
                break
            }
            points.append((index, quality))
        }
        return PiecewiseCubic(x: points.map(\.quality), y: points.map { Double($0.index) }, method: .pchip)
            .value(at: goal)
    }
}
