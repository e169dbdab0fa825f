// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials

/// A study as lines of JSON, so that any engine can hand out its points: the study first, then one point a line.
///
/// Each line has a "type"; readers ignore names they do not know.
package enum Manifest {
    /// The file's name beside the results.
    package static let fileName = "plan.ndjson"
    package static let schemaVersion = 2
    /// Bytes that a result or a plan may have: those of a million frames and more.
    package static let sizeLimit = 1 << 28

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
    package static func bytes(_ study: Study) throws -> [UInt8] {
        var header = Header(pointCount: study.points.count, study: study)
        header.study.points = []
        var bytes = try JSONDocument.canonicalBytes(header) + [UInt8(ascii: "\n")]
        for (index, point) in study.points.enumerated() {
            bytes += try JSONDocument.canonicalBytes(Line(index: index, point: point)) + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    /// Reads a study from a file.
    ///
    /// - Throws: ``MediaFileError``, ``EncoderBenchError`` that names the line or field that is missing or wrong.
    package static func read(_ path: String) throws -> Study {
        try study(try WholeFile.read(path, limit: sizeLimit), path: path)
    }

    /// Reads a study.
    ///
    /// - Throws: ``EncoderBenchError`` that names the line or field that is missing or wrong.
    package static func study(_ bytes: [UInt8], path: String) throws(EncoderBenchError) -> Study {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first else { throw EncoderBenchError(.invalidPlan, reason: "\(path): an empty plan") }
        do {
            let header = try JSONDecoder().decode(Header.self, from: Data(first))
            guard header.type == "study" else {
                throw EncoderBenchError(.invalidPlan, reason: "type '\(header.type)', expected 'study'")
            }
            guard header.schemaVersion == schemaVersion else {
                throw EncoderBenchError(
                    .invalidPlan, reason: "schema version \(header.schemaVersion), expected \(schemaVersion)")
            }
            var study = header.study
            study.points = try lines.dropFirst().enumerated().map { place, bytes in
                let line = try JSONDecoder().decode(Line.self, from: Data(bytes))
                guard line.type == "point", line.index == place else {
                    throw EncoderBenchError(
                        .invalidPlan, reason: "line \(place + 2) is \(line.type) \(line.index), expected point \(place)"
                    )
                }
                return line.point
            }
            guard study.points.count == header.pointCount else {
                throw EncoderBenchError(.invalidPlan, reason: "\(study.points.count) of \(header.pointCount) points")
            }
            try study.checkAgreement()
            return study
        } catch {
            throw EncoderBenchError(.invalidPlan, reason: "\(path): no plan of encbench: \(error)")
        }
    }
}
