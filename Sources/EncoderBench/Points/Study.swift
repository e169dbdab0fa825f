// SPDX-License-Identifier: MIT

package import PictureQuality

/// What a comparison is made of: clips times variants times rates, and which curves are held against each other.
package struct Study: Codable, Hashable, Sendable {
    /// Two curves, by the places of their variants; the anchor counts as 100 %.
    package struct Pair: Codable, Hashable, Sendable {
        package var anchor: Int
        package var test: Int

        package init(anchor: Int, test: Int) {
            self.anchor = anchor
            self.test = test
        }
    }

    /// A clip or an encode that is missing, and why.
    package struct Failure: Codable, Hashable, Sendable {
        package var clip: String
        /// The variant, and its rate where not all of them fail; nil when the clip is to blame.
        package var point: String?
        package var reason: String

        package init(clip: String, point: String? = nil, reason: String) {
            self.clip = clip
            self.point = point
            self.reason = reason
        }

        /// What is missing: "a.y4m, x264 medium, crf 21".
        package var name: String { clip + (point.map { ", " + $0 } ?? "") }
    }

    package var clips: [ClipFacts] = []
    package var variants: [Variant]
    package var pairs: [Pair]
    /// Threads each encoder is given; nil is the library's choice.
    package var threadsPerEncoder: Int?
    /// Names of the metrics whose values are taken, the headline's first.
    package var metrics: [String] = Metric.usual.map(\.name)
    /// Clips by clip, then variant by variant, then rate by rate, best first.
    package var points: [PointSpec] = []
    /// What could not be planned.
    package var failures: [Failure] = []

    package init(
        clips: [ClipFacts] = [], variants: [Variant], pairs: [Pair], threadsPerEncoder: Int? = nil,
        metrics: [String] = Metric.usual.map(\.name), points: [PointSpec] = [], failures: [Failure] = []
    ) {
        self.clips = clips
        self.variants = variants
        self.pairs = pairs
        self.threadsPerEncoder = threadsPerEncoder
        self.metrics = metrics
        self.points = points
        self.failures = failures
    }

    enum CodingKeys: String, CodingKey {
        case clips, variants, pairs, metrics, points, failures
        case threadsPerEncoder = "threads_per_encoder"
    }

    /// What its points are compared by; the first that is compared makes the headline.
    package var scores: [Score] { metrics.compactMap(Metric.named).scores }

    /// What a point is called in messages: "a.y4m, x264 medium, crf 21".
    package func name(of point: PointSpec) -> String {
        "\(clips[point.clip].name), \(variants[point.variant].label), \(point.rate)"
    }

    /// The points of one clip.
    package func points(ofClip clip: Int) -> [PointSpec] { points.filter { $0.clip == clip } }
}
