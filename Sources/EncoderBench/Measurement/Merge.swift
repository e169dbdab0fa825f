// SPDX-License-Identifier: MIT

/// Results of several processes or machines, put to the points of one study.
package struct Merge {
    /// The results that the study asks for.
    package let measurements: Measurements
    /// Points without a result, by their indices.
    package let missing: [Int]
    /// What a reader must know of where the points were made, a sentence each.
    package let notes: [String]

    /// Finds a result for each point.
    ///
    /// Processors may differ, since nothing is timed. Where their features do, which encoders choose code by, a note
    /// says so, and the features that an encoder has most results with go first.
    ///
    /// - Throws: ``EncoderBenchError`` where points of one encoder were made with different builds of its library.
    package init(study: Study, results: [PointResult]) throws(EncoderBenchError) {
        let asked = Set(study.points.map(\.work))
        var byWork: [PointWork: PointResult] = [:]
        var builds: [String: String] = [:]
        for result in Self.fromMostCommonFeatures(results.filter { asked.contains($0.work) }) {
            let library = result.build.library
            if let other = builds[result.work.encoder], other != library {
                throw EncoderBenchError(
                    .notComparable,
                    reason:
                        "points of \(result.work.encoder) were made with \(other) and with \(library); they do not compare"
                )
            }
            builds[result.work.encoder] = library
            byWork[result.work] = byWork[result.work] ?? result
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            measurements.results[point] = byWork[point.work]
            if byWork[point.work] == nil { measurements.failures[point] = "there is no result yet" }
        }
        self.measurements = measurements
        notes = Self.notes(on: Array(byWork.values))
        missing = study.points.indices.filter { measurements.results[study.points[$0]] == nil }
    }

    /// Results with the same encoder and features, the largest group of each encoder first.
    private static func fromMostCommonFeatures(_ results: [PointResult]) -> [PointResult] {
        groups(results).sorted {
            ($1.value.count, $0.key.encoder, $0.key.features) < ($0.value.count, $1.key.encoder, $1.key.features)
        }.flatMap(\.value)
    }

    private struct Group: Hashable {
        var encoder: String
        var features: String
    }

    private static func groups(_ results: [PointResult]) -> [Group: [PointResult]] {
        Dictionary(grouping: results) { Group(encoder: $0.work.encoder, features: $0.build.features) }
    }

    /// A sentence for each encoder whose results came from processors of different features.
    private static func notes(on results: [PointResult]) -> [String] {
        Dictionary(grouping: groups(results), by: \.key.encoder).sorted { $0.key < $1.key }.compactMap {
            encoder, groups in
            guard groups.count > 1 else { return nil }
            let features = groups.map { Set($0.key.features.split(separator: " ")) }
            let common = features.dropFirst().reduce(features[0]) { $0.intersection($1) }
            let parts = zip(groups, features).map { group, features in
                let more = features.subtracting(common).sorted().joined(separator: " ")
                return (group.value.count, more.isEmpty ? "none of these" : more)
            }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
            return "points of \(encoder) were made on processors of different features, by which it chooses code: "
                + parts.map { "\($0.0) with \($0.1)" }.joined(separator: ", ")
        }
    }
}
