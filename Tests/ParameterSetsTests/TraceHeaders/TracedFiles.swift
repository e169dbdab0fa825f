// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// The media files that FFmpeg can trace.
enum TracedFiles {
    /// The paths below the media folder of a codec's elementary streams whose `trace_headers` column says `ok` for
    /// FFmpeg 5.1; empty without the media.
    static func elementaryStreams(codec: String) -> [String] {
        rows(codec: codec).filter { $0.path.hasPrefix("streams/") && $0.trace.hasPrefix("ok/") }.map(\.path)
    }

    /// The paths of a codec's elementary streams that FFmpeg cannot trace, or not wholly.
    static func untracedStreams(codec: String) -> [String] {
        rows(codec: codec).filter { $0.path.hasPrefix("streams/") && !$0.trace.hasPrefix("ok/") }.map(\.path)
    }

    /// The paths of a codec's container files.
    static func containers(codec: String) -> [String] {
        rows(codec: codec).map(\.path).filter { $0.hasPrefix("containers/") }
    }

    private static func rows(codec: String) -> [TestMedia.Entry] {
        TestMedia.manifest.filter { $0.codec == codec }
    }
}

extension TraceComparison {
    /// Compares a whole file, its extradata first.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: FFmpeg's name of an elementary stream's format; nil for containers.
    ///   - configuration: The NAL units and the length size of the codec's extradata.
    /// - Throws: What FFmpeg says, or reading the extradata throws.
    mutating func compareFile(
        at path: String, format: String?, configuration: ([UInt8]) throws -> (units: [[UInt8]], lengthSize: Int)
    ) async throws {
        let log = try await TraceHeadersLog(path: path, format: format)
        var lengthSize: Int?
        if log.extradata.first == 1 {
            let record = try configuration(log.extradata)
            lengthSize = record.lengthSize
            compare(units: record.units, with: log.extradataUnits, place: "extradata")
        } else {
            let units = AnnexB.nalUnitRanges(in: log.extradata).map { Array(log.extradata[$0]) }
            compare(units: units, with: log.extradataUnits, place: "extradata")
        }
        comparePackets(of: log, lengthSize: lengthSize)
    }

    /// Compares an elementary stream; of the extradata that FFmpeg makes of it only takes up the parameter sets.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - program: The FFmpeg to ask; nil for the system's libraries.
    ///   - format: FFmpeg's name of the format.
    /// - Throws: What FFmpeg says.
    mutating func comparePackets(
        at path: String, program: ExternalProgram? = nil, format: String
    ) async throws {
        let log = try await TraceHeadersLog(path: path, program: program, format: format)
        takeUp(AnnexB.nalUnitRanges(in: log.extradata).map { Array(log.extradata[$0]) })
        comparePackets(of: log, lengthSize: nil)
    }

    private mutating func comparePackets(of log: TraceHeadersLog, lengthSize: Int?) {
        guard log.isComplete else {
            add(difference: "FFmpeg drops packets that it cannot read")
            return
        }
        for (index, packet) in log.packets.enumerated() {
            let ranges =
                if let lengthSize {
                    LengthPrefixed.scan(packet.bytes, lengthSize: lengthSize).ranges
                } else {
                    AnnexB.nalUnitRanges(in: packet.bytes)
                }
            compare(units: ranges.map { Array(packet.bytes[$0]) }, with: packet.units, place: "packet \(index)")
        }
    }
}
