// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension Latencies {
    /// The values in milliseconds, in their order, as cells of a table.
    var cells: [String] { [p50, p95, p99].map { Format.fixed($0 * 1000, 1) } }

    /// What stands above them.
    static let titles = ["p50 ms", "p95 ms", "p99 ms"]
}
