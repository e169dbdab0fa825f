// SPDX-License-Identifier: MIT

import CommandOptions

/// How long frames took, in seconds: each is the least value that so many of a hundred frames do not exceed.
struct Latencies: Codable, Equatable, Sendable {
    var p50: Double
    var p95: Double
    var p99: Double
    var maximum: Double

    enum CodingKeys: String, CodingKey {
        case p50 = "p50_seconds"
        case p95 = "p95_seconds"
        case p99 = "p99_seconds"
        case maximum = "maximum_seconds"
    }

    /// Takes them of the frames' values; nil without values.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let last = sorted.last else { return nil }
        /// The value in the place of the nearest rank.
        func percentile(_ percent: Int) -> Double { sorted[(percent * sorted.count + 99) / 100 - 1] }
        (p50, p95, p99, maximum) = (percentile(50), percentile(95), percentile(99), last)
    }

    /// The values in milliseconds, in their order, as cells of a table.
    var cells: [String] { [p50, p95, p99].map { Format.fixed($0 * 1000, 1) } }

    /// What stands above them.
    static let titles = ["p50 ms", "p95 ms", "p99 ms"]
}
