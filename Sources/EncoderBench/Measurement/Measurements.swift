// SPDX-License-Identifier: MIT

/// What was measured of a study's points.
package struct Measurements: Sendable {
    package let study: Study
    /// Results there are, by their points.
    package var results: [PointSpec: PointResult] = [:]
    /// Points that failed, in any order.
    package var failures: [PointSpec: String] = [:]

    package init(study: Study, results: [PointSpec: PointResult] = [:], failures: [PointSpec: String] = [:]) {
        self.study = study
        self.results = results
        self.failures = failures
    }
}
