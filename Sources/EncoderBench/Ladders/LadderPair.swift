// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc

/// What the hull of one curve has before that of another.
package struct LadderPair: Codable, Equatable, Sendable {
    /// Bit rates at which two curves are best sent in different sizes.
    package struct Difference: Codable, Equatable, Sendable {
        /// In bit/s.
        package var from: Double
        /// In bit/s.
        package var to: Double
        package var anchorWidth: Int
        package var anchorHeight: Int
        package var testWidth: Int
        package var testHeight: Int

        enum CodingKeys: String, CodingKey {
            case from, to
            case anchorWidth = "anchor_width"
            case anchorHeight = "anchor_height"
            case testWidth = "test_width"
            case testHeight = "test_height"
        }

        package var anchorSize: PictureSize { PictureSize(width: anchorWidth, height: anchorHeight) }
        package var testSize: PictureSize { PictureSize(width: testWidth, height: testHeight) }

        /// Whether the test is sent in the larger size.
        package var isLarger: Bool { testSize.samples > anchorSize.samples }
    }

    /// What the test needs at the quality of one of the anchor's rungs.
    package struct Share: Codable, Equatable, Sendable {
        /// The rung's place among the clip's encodes.
        package var rung: Int
        /// Bits of the test's front at the rung's quality, as a share of the rung's.
        package var byteShare: Double

        enum CodingKeys: String, CodingKey {
            case rung
            case byteShare = "byte_share"
        }
    }

    /// The label of the curve that counts as 100 %.
    package var anchor: String
    /// The label of the other.
    package var test: String
    /// Bit rates that both hulls reach, in bit/s; nil where there are none.
    package var low: Double?
    package var high: Double?
    /// Where sizes differ, from the least bit rate on.
    package var differences: [Difference]
    /// For the rungs whose quality the test's front reaches.
    package var shares: [Share]

    /// Holds two hulls against each other.
    ///
    /// - Parameters:
    ///   - anchor: The hull of a curve.
    ///   - test: That of another.
    ///   - points: All encodes of the clip.
    ///   - score: The name of the score that is the quality.
    package init?(anchor: LadderHull, test: LadderHull, _ points: [LadderPoint], score: String) {
        guard let anchorName = anchor.variant, let testName = test.variant, !anchor.front.isEmpty,
            !test.front.isEmpty
        else { return nil }
        (self.anchor, self.test) = (anchorName, testName)
        let hulls = [anchor, test]
        let low = hulls.compactMap(\.choices.first?.from).max() ?? 0
        let high = hulls.compactMap(\.choices.last?.to).min() ?? 0
        (self.low, self.high) = low < high ? (low, high) : (nil, nil)
        differences = low < high ? Self.differences(anchor, test, from: low, to: high) : []
        // Both rise along the front, so that bits may be asked by their quality.
        let bits = PolyLine(
            test.front.compactMap { points[$0].place(by: score) }.map { UpperHull.Point(x: $0.y, y: $0.x) })
        shares = anchor.rungs.compactMap { rung in
            guard let place = points[rung].place(by: score), let x = bits.height(at: place.y) else { return nil }
            return Share(rung: rung, byteShare: exp(x - place.x))
        }
    }

    private static func differences(
        _ anchor: LadderHull, _ test: LadderHull, from low: Double, to high: Double
    ) -> [Difference] {
        let borders = Set((anchor.choices + test.choices).map(\.from).filter { $0 > low && $0 < high })
        let ends = [low] + borders.sorted() + [high]
        var found: [Difference] = []
        for (start, end) in zip(ends, ends.dropFirst()) {
            let middle = (start * end).squareRoot()
            guard let first = anchor.choice(at: middle)?.size, let second = test.choice(at: middle)?.size,
                first != second
            else { continue }
            if let last = found.last, last.to == start, last.anchorSize == first, last.testSize == second {
                found[found.count - 1].to = end
                continue
            }
            found.append(
                Difference(
                    from: start, to: end, anchorWidth: first.width, anchorHeight: first.height,
                    testWidth: second.width, testHeight: second.height))
        }
        return found
    }

    enum CodingKeys: String, CodingKey {
        case anchor, test, low, high, shares
        case differences = "size_differences"
    }
}
