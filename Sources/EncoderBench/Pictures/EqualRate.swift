// SPDX-License-Identifier: MIT

/// Where two curves are held against each other at one bit rate: the anchor's encode in the middle of the rates that
/// both reach, and the test's encodes next to its rate.
struct EqualRate: Equatable {
    /// The encode's place among the anchor's.
    let anchor: Int
    /// The place of the nearest among the test's.
    let test: Int
    /// The place among the test's of the last that takes no more than the anchor's encode, or of the first.
    let below: Int
    /// The place of the first that takes no less, or of the last.
    let above: Int
    /// How far the anchor's rate is from the one to the other, 0 to 1.
    let share: Double

    /// Chooses among encodes by the logarithms of their bit rates; nil where a curve has no encodes.
    ///
    /// - Parameters:
    ///   - anchors: The anchor's, rising.
    ///   - tests: The test's, rising.
    init?(anchors: [Double], tests: [Double]) {
        guard let firstAnchor = anchors.first, let lastAnchor = anchors.last, let firstTest = tests.first,
            let lastTest = tests.last
        else { return nil }
        let middle = (max(firstAnchor, firstTest) + min(lastAnchor, lastTest)) / 2
        anchor = Self.nearest(middle, in: anchors)
        let rate = anchors[anchor]
        test = Self.nearest(rate, in: tests)
        below = tests.lastIndex { $0 <= rate } ?? 0
        above = tests.firstIndex { $0 >= rate } ?? tests.count - 1
        share = below < above ? (rate - tests[below]) / (tests[above] - tests[below]) : 0
    }

    private static func nearest(_ rate: Double, in rates: [Double]) -> Int {
        rates.indices.min { abs(rates[$0] - rate) < abs(rates[$1] - rate) } ?? 0
    }
}
