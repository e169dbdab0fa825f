// SPDX-License-Identifier: MIT

/// Results of several processes or machines, put to the points of one study.
struct Merge {
    /// The results that the study asks for.
    let analysis: Analysis
    /// Points without a result, by their indices.
    let missing: [Int]

    /// Finds a result for each point.
    ///
    /// Processors may differ, since nothing is timed.
    ///
    /// - Throws: ``CommandFailure`` where points of one encoder were made with different builds of its library.
    init(study: Study, results: [PointResult]) throws(CommandFailure) {
        let asked = Set(study.points.map(\.work))
        var byWork: [PointWork: PointResult] = [:]
        var builds: [String: String] = [:]
        for result in results where asked.contains(result.work) {
            let library = result.build.library
            if let other = builds[result.work.encoder], other != library {
                throw CommandFailure(
                    "points of \(result.work.encoder) were made with \(other) and with \(library); they do not compare")
            }
            builds[result.work.encoder] = library
            byWork[result.work] = byWork[result.work] ?? result
        }
        var analysis = Analysis(study: study)
        for point in study.points {
            analysis.results[point] = byWork[point.work]
            if byWork[point.work] == nil { analysis.failures[point] = "there is no result yet" }
        }
        self.analysis = analysis
        missing = study.points.indices.filter { analysis.results[study.points[$0]] == nil }
    }
}
