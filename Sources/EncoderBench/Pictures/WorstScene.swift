// SPDX-License-Identifier: MIT

import Glibc
import PictureQuality

/// A part of a clip in which one curve does worse beside another, at one bit rate, than elsewhere.
package struct WorstScene: Codable, Equatable, Sendable {
    /// What it is judged by, as the points' scores name it: "psnr_y_db".
    package var score: String
    /// The anchor's encode at whose bit rate it is: "crf 25".
    package var anchorRate: String
    /// That bit rate in bit/s.
    package var bitsPerSecond: Double
    /// The test's encodes next to that rate, one or two, between which each frame's quality is interpolated along the
    /// logarithm of the rate.
    package var testRates: [String]
    /// Its first frame, from 0, in display order.
    package var firstFrame: Int
    /// Frames, 1 or more.
    package var frames: Int
    /// When it begins, in seconds after the first frame of the clip; where the rate varies, at the mean rate.
    package var seconds: Double
    /// How long it is, in seconds.
    package var duration: Double
    /// The mean of its frames' qualities in the score's unit; a frame that equals its source counts as 100.
    package var anchorQuality: Double
    package var testQuality: Double
    /// The frame of the scene that is worst beside the anchor's.
    package var worstFrame: Int

    /// How much better the test curve is; negative where it is worse.
    package var change: Double { testQuality - anchorQuality }

    enum CodingKeys: String, CodingKey {
        case score, frames, seconds
        case anchorRate = "anchor_rate"
        case bitsPerSecond = "bits_per_second"
        case testRates = "test_rates"
        case firstFrame = "first_frame"
        case duration = "duration_seconds"
        case anchorQuality = "anchor_quality"
        case testQuality = "test_quality"
        case worstFrame = "worst_frame"
    }

    /// The most that are found of one pair on one clip.
    package static let limit = 3
}

extension WorstScene {
    /// One encode of a curve.
    struct Encode {
        /// "crf 25".
        var rate: String
        /// More than 0.
        var bitsPerSecond: Double
        var frames: FrameTable
    }

    /// The scenes in which a curve is worst beside another, worst first, none in another.
    ///
    /// A scene is a second long, or a quarter of a clip that is shorter than four.
    ///
    /// - Parameters:
    ///   - anchors: Encodes of the curve that counts as 100 %, in any order.
    ///   - tests: Those of the other.
    ///   - score: What frames are judged by.
    ///   - framesPerSecond: More than 0; the mean where the rate varies.
    /// - Returns: Up to ``limit`` scenes in which it is worse; the one in which it gains least where there is none,
    ///   and nothing where frames have no values.
    static func all(
        anchors: [Encode], tests: [Encode], score: Score, framesPerSecond: Double
    ) -> [WorstScene] {
        let (anchors, tests) = (sorted(anchors), sorted(tests))
        guard
            let place = EqualRate(
                anchors: anchors.map { log($0.bitsPerSecond) }, tests: tests.map { log($0.bitsPerSecond) })
        else { return [] }
        let anchor = anchors[place.anchor]
        let sides = [tests[place.below]] + (place.below < place.above ? [tests[place.above]] : [])
        guard framesPerSecond > 0, let own = values(anchor, score), let low = values(sides[0], score),
            let high = values(sides[sides.count - 1], score), own.count == low.count, low.count == high.count,
            !own.isEmpty
        else { return [] }
        let other = zip(low, high).map { $0 + place.share * ($1 - $0) }
        let changes = zip(other, own).map { $0 - $1 }
        let length = min(max(Int(framesPerSecond.rounded()), 1), max(own.count / 4, 1))
        let starts = worst(changes, length: length)
        return starts.map { start in
            let range = start..<start + length
            func mean(_ values: [Double]) -> Double { values[range].reduce(0, +) / Double(length) }
            return WorstScene(
                score: score.id, anchorRate: anchor.rate, bitsPerSecond: anchor.bitsPerSecond,
                testRates: sides.map(\.rate), firstFrame: start, frames: length,
                seconds: Double(start) / framesPerSecond, duration: Double(length) / framesPerSecond,
                anchorQuality: mean(own), testQuality: mean(other),
                worstFrame: range.min { changes[$0] < changes[$1] } ?? start)
        }
    }

    private static func sorted(_ encodes: [Encode]) -> [Encode] {
        encodes.filter { $0.bitsPerSecond > 0 }.sorted { $0.bitsPerSecond < $1.bitsPerSecond }
    }

    /// The values of all frames; nil where one has none.
    private static func values(_ encode: Encode, _ score: Score) -> [Double]? {
        var values: [Double] = []
        for frame in 0..<encode.frames.count {
            guard let value = score.value(encode.frames.frame(frame)), !value.isNaN else { return nil }
            values.append(min(value, 100))
        }
        return values
    }

    /// Where parts of so many values begin whose sums are least, none in another: with sums below 0, or the least one.
    private static func worst(_ changes: [Double], length: Int) -> [Int] {
        var sum = changes[..<length].reduce(0, +)
        var sums = [sum]
        for end in length..<max(changes.count, length) {
            sum += changes[end] - changes[end - length]
            sums.append(sum)
        }
        var found: [Int] = []
        while found.count < limit {
            let free = sums.indices.filter { start in found.allSatisfy { abs($0 - start) >= length } }
            guard let next = free.min(by: { sums[$0] < sums[$1] }), found.isEmpty || sums[next] < 0 else { break }
            found.append(next)
        }
        return found
    }
}
