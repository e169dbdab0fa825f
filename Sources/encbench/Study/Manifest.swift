// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A study as lines of JSON, so that any engine can hand out its points: the study first, then one point a line.
///
/// Each line has a "type"; readers ignore names they do not know.
enum Manifest {
    /// The file's name beside the results.
    static let fileName = "plan.ndjson"
    static let schemaVersion = 2

    private struct Header: Codable {
        var type = "study"
        var schemaVersion = Manifest.schemaVersion
        var pointCount: Int
        var study: Study

        enum CodingKeys: String, CodingKey {
            case type, study
            case schemaVersion = "schema_version"
            case pointCount = "point_count"
        }
    }

    private struct Line: Codable {
        var type = "point"
        var index: Int
        var point: PointSpec
    }

    /// Writes a study.
    static func bytes(_ study: Study) throws -> [UInt8] {
        var header = Header(pointCount: study.points.count, study: study)
        header.study.points = []
        var bytes = try JSONDocument.canonicalBytes(header) + [UInt8(ascii: "\n")]
        for (index, point) in study.points.enumerated() {
            bytes += try JSONDocument.canonicalBytes(Line(index: index, point: point)) + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    /// Reads a study.
    ///
    /// - Throws: ``CommandFailure`` that names the line that is missing or wrong.
    static func study(_ bytes: [UInt8], path: String) throws(CommandFailure) -> Study {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first else { throw CommandFailure("\(path): an empty plan") }
        do {
            let header = try JSONDecoder().decode(Header.self, from: Data(first))
            guard header.schemaVersion == schemaVersion else {
                throw CommandFailure("schema version \(header.schemaVersion), expected \(schemaVersion)")
            }
            var study = header.study
            study.points = try lines.dropFirst().map { try JSONDecoder().decode(Line.self, from: Data($0)).point }
            guard study.points.count == header.pointCount else {
                throw CommandFailure("\(study.points.count) of \(header.pointCount) points")
            }
            guard
                study.points.allSatisfy({
                    study.clips.indices.contains($0.clip) && study.variants.indices.contains($0.variant)
                }),
                study.pairs.allSatisfy({
                    study.variants.indices.contains($0.anchor) && study.variants.indices.contains($0.test)
                })
            else { throw CommandFailure("a clip or variant that is not listed") }
            return study
        } catch {
            throw CommandFailure("\(path): no plan of encbench: \(error)")
        }
    }
}
