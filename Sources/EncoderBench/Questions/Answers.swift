// SPDX-License-Identifier: MIT

/// What came of the points of a study.
package struct Answers<Result: Sendable>: Sendable {
    package var study: Study
    package var results: [PointSpec: Result] = [:]
    /// What could not be planned or run, and why.
    package var failures: [Study.Failure]
    package var isInterrupted = false

    package init(
        study: Study, results: [PointSpec: Result] = [:], failures: [Study.Failure], isInterrupted: Bool = false
    ) {
        self.study = study
        self.results = results
        self.failures = failures
        self.isInterrupted = isInterrupted
    }

    /// The points with results, in the study's order.
    package var points: [(point: PointSpec, result: Result)] {
        study.points.compactMap { point in results[point].map { (point, $0) } }
    }

    package mutating func fail(_ point: PointSpec, _ error: any Error) {
        failures.append(
            Study.Failure(
                clip: study.clips[point.clip].name,
                point: "\(study.variants[point.variant].label), \(point.rate)", reason: "\(error)"))
    }
}
