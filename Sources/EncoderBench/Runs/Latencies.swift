// SPDX-License-Identifier: MIT

/// How long frames took, in seconds: each is the least value that so many of a hundred frames do not exceed.
package struct Latencies: Codable, Equatable, Sendable {
    package var p50: Double
    package var p95: Double
    package var p99: Double
    package var maximum: Double

    enum CodingKeys: String, CodingKey {
        case p50 = "p50_seconds"
        case p95 = "p95_seconds"
        case p99 = "p99_seconds"
        case maximum = "maximum_seconds"
    }

    /// Takes them of the frames' values; nil without values.
    package init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let last = sorted.last else { return nil }
        /// The value in the place of the nearest rank.
        func percentile(_ percent: Int) -> Double { sorted[(percent * sorted.count + 99) / 100 - 1] }
        (p50, p95, p99, maximum) = (percentile(50), percentile(95), percentile(99), last)
    }
}
