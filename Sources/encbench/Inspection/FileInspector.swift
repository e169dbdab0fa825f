// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets

/// Takes a file apart, whatever it is.
enum FileInspector {
    /// Lists a file's NAL units; what was found before an error is in the report, with the error.
    ///
    /// - Parameter path: The file; "-" for an elementary stream on standard input.
    /// - Returns: The report.
    /// - Throws: ``MediaFileError`` or ``CommandFailure`` when it cannot be told what the file is.
    static func inspect(_ path: String) throws -> InspectReport {
        let file = try InputFile(path: path)
        let start = try file.peek(StreamGuess.byteCount)
        if start.isEmpty { throw CommandFailure("\(path): the file is empty") }
        guard StreamGuess.isAnnexB(start) else {
            guard path != "-" else {
                throw CommandFailure("standard input is no elementary stream; name a file to inspect a container")
            }
            return try inspectContainer(path)
        }
        switch StreamGuess.codec(start) {
        case .h264: return inspectStream(file, .h264, UnitInspector<H264NALUnit>())
        case .hevc: return inspectStream(file, .hevc, UnitInspector<HEVCNALUnit>())
        case nil: throw CommandFailure("\(path): has start codes, but its units fit neither H.264 nor HEVC")
        }
    }

    private static func inspectStream<Unit>(
        _ file: InputFile, _ codec: VideoCodec, _ inspector: UnitInspector<Unit>
    ) -> InspectReport {
        var inspector = inspector
        var failure: (any Error)?
        do {
            var reader = AnnexBStreamReader()
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = try chunk.withUnsafeMutableBytes { bytes throws(MediaFileError) in
                    try file.read(into: bytes)
                }
                if count == 0 { break }
                for unit in try reader.append(chunk[..<count]) {
                    inspector.add(unit.bytes, offset: unit.startCodeOffset)
                }
            }
            if let unit = reader.finish() { inspector.add(unit.bytes, offset: unit.startCodeOffset) }
        } catch {
            failure = error
        }
        return report(file.path, "elementary stream", codec, inspector, failure)
    }

    private static func inspectContainer(_ path: String) throws -> InspectReport {
        let reader = try ContainerReader(path: path)
        switch reader.codec {
        case .h264:
            return inspect(reader, path, UnitInspector<H264NALUnit>()) { record in
                let record = try AVCDecoderConfiguration(bytes: record)
                return (
                    record.nalUnitLengthSize,
                    record.sequenceParameterSets + (record.high?.sequenceParameterSetExtensions ?? [])
                        + record.pictureParameterSets
                )
            }
        case .hevc:
            return inspect(reader, path, UnitInspector<HEVCNALUnit>()) { record in
                let record = try HEVCDecoderConfiguration(bytes: record)
                return (record.nalUnitLengthSize, record.arrays.flatMap(\.nalUnits))
            }
        case nil: throw CommandFailure("\(path): holds \(reader.codecName), expected H.264 or HEVC")
        }
    }

    private static func inspect<Unit>(
        _ reader: ContainerReader, _ path: String, _ inspector: UnitInspector<Unit>,
        readRecord: (_ record: [UInt8]) throws -> (lengthSize: Int, units: [[UInt8]])
    ) -> InspectReport {
        var inspector = inspector
        var failure: (any Error)?
        do {
            var lengthSize: Int?
            if reader.isLengthPrefixed {
                let record = try readRecord(reader.configurationRecord)
                lengthSize = record.lengthSize
                for unit in record.units { inspector.addHeader(unit) }
            }
            var packet = 0
            while let next = try reader.next() {
                try add(next.data, lengthSize: lengthSize, packet: packet, to: &inspector)
                packet += 1
            }
        } catch {
            failure = error
        }
        return report(path, reader.formatName, reader.codec, inspector, failure)
    }

    private static func add<Unit>(
        _ data: [UInt8], lengthSize: Int?, packet: Int, to inspector: inout UnitInspector<Unit>
    ) throws {
        guard let lengthSize else {
            for range in AnnexB.nalUnitRanges(in: data) { inspector.add(Array(data[range]), packet: packet) }
            return
        }
        let scan = LengthPrefixed.scan(data, lengthSize: lengthSize)
        for range in scan.ranges { inspector.add(Array(data[range]), packet: packet) }
        if let error = scan.error { throw CommandFailure("packet \(packet): \(error)") }
    }

    private static func report<Unit>(
        _ path: String, _ format: String, _ codec: VideoCodec?, _ inspector: UnitInspector<Unit>,
        _ failure: (any Error)?
    ) -> InspectReport {
        InspectReport(
            file: path, format: format, codec: codec?.description ?? "unknown", units: inspector.units,
            parameterSets: inspector.parameterSets, error: failure.map { "\($0)" })
    }
}
