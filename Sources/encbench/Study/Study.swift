// SPDX-License-Identifier: MIT

import PictureQuality

/// What a comparison is made of: clips times variants times rates, and which curves are held against each other.
struct Study: Codable, Hashable, Sendable {
    /// Two curves, by the places of their variants; the anchor counts as 100 %.
    struct Pair: Codable, Hashable, Sendable {
        var anchor: Int
        var test: Int
    }

    /// A clip or an encode that is missing, and why.
    struct Failure: Codable, Hashable, Sendable {
        var clip: String
        /// The variant, and its rate where not all of them fail; nil when the clip is to blame.
        var point: String?
        var reason: String

        /// What is missing: "a.y4m, x264 medium, crf 21".
        var name: String { clip + (point.map { ", " + $0 } ?? "") }
    }

    var clips: [ClipFacts] = []
    var variants: [Variant]
    var pairs: [Pair]
    /// Threads each encoder is given; nil is the library's choice.
    var threadsPerEncoder: Int?
    /// Names of the metrics whose values are taken, the headline's first.
    var metrics = Metric.usual.map(\.name)
    /// Clips by clip, then variant by variant, then rate by rate, best first.
    var points: [PointSpec] = []
    /// What could not be planned.
    var failures: [Failure] = []

    enum CodingKeys: String, CodingKey {
        case clips, variants, pairs, metrics, points, failures
        case threadsPerEncoder = "threads_per_encoder"
    }

    /// What its points are compared by; the first that is compared makes the headline.
    var scores: [Score] { metrics.compactMap(Metric.named).scores }

    /// What a point is called in messages: "a.y4m, x264 medium, crf 21".
    func name(of point: PointSpec) -> String {
        "\(clips[point.clip].name), \(variants[point.variant].label), \(point.rate)"
    }

    /// The points of one clip.
    func points(ofClip clip: Int) -> [PointSpec] { points.filter { $0.clip == clip } }
}
