// SPDX-License-Identifier: MIT

import MediaFiles
import ParameterSets

/// The NAL units of a container's video: those of its avcC or hvcC, then those of its packets.
struct ContainerUnits: NALUnitSource {
    let summary: StreamSummary
    private let reader: ContainerReader
    private let path: String
    /// Bytes of each length; nil for start codes.
    private let lengthSize: Int?
    private var recordEntries: [StreamEntry]?
    private var packets = 0

    /// Starts with the configuration record.
    ///
    /// - Throws: ``MediaFileError`` with `.unsupported` for other codecs, `.corrupt` where lengths have no size.
    init(_ reader: ContainerReader, path: String) throws(MediaFileError) {
        guard let codec = reader.codec else {
            throw MediaFileError(
                .unsupported, reason: "its video is \(reader.codecName), expected H.264 or HEVC", path: path)
        }
        self.reader = reader
        self.path = path
        var format = "\(reader.formatName), \(codec), \(reader.width)x\(reader.height)"
        var record: ConfigurationRecord?
        if reader.isLengthPrefixed {
            let read = try Self.record(reader, codec: codec, path: path)
            format += ", lengths of \(read.lengthSize) bytes"
            record = read
        } else {
            format += ", start codes"
        }
        lengthSize = record?.lengthSize
        recordEntries = record?.entries { .record(position: $0) }
        summary = StreamSummary(
            path: path, format: format, codec: codec, container: .packets, record: record?.elements ?? [])
    }

    private static func record(
        _ reader: ContainerReader, codec: VideoCodec, path: String
    ) throws(MediaFileError) -> ConfigurationRecord {
        do throws(ParameterSetError) {
            return try ConfigurationRecord(reader.configurationRecord, codec: codec)
        } catch {
            throw MediaFileError(.corrupt, reason: error.reason, path: path)
        }
    }

    mutating func next() throws(MediaFileError) -> [StreamEntry]? {
        if let entries = recordEntries {
            recordEntries = nil
            return entries
        }
        guard let packet = try reader.next() else { return nil }
        defer { packets += 1 }
        var entries = lengthSize.map { lengthPrefixed(packet.data, $0) } ?? startCoded(packet.data)
        if packet.isDamaged {
            let error = ParameterSetError(.endOfData, reason: "the container says that data of the packet is missing")
            entries.append(.damage(error, .packet(packets, position: packet.data.count)))
        }
        return entries
    }

    private func lengthPrefixed(_ data: [UInt8], _ lengthSize: Int) -> [StreamEntry] {
        let (ranges, error) = LengthPrefixed.scan(data, lengthSize: lengthSize)
        var entries: [StreamEntry] = ranges.map {
            .unit(Array(data[$0]), .packet(packets, position: $0.lowerBound - lengthSize))
        }
        if let error {
            entries.append(.damage(error, .packet(packets, position: error.length?.offset ?? 0)))
        }
        return entries
    }

    private func startCoded(_ data: [UInt8]) -> [StreamEntry] {
        let ranges = AnnexB.nalUnitRanges(in: data)
        var entries: [StreamEntry] = ranges.map { range in
            let hasZero = range.lowerBound > 3 && data[range.lowerBound - 4] == 0
            return .unit(Array(data[range]), .packet(packets, position: range.lowerBound - (hasZero ? 4 : 3)))
        }
        let junk = data.prefix((ranges.first?.lowerBound ?? data.count + 3) - 3)
        if junk.contains(where: { $0 != 0 }) {
            let error = ParameterSetError(
                .missingStartCode, bitOffset: 0, reason: "\(junk.count) bytes stand before the first start code")
            entries.insert(.damage(error, .packet(packets, position: 0)), at: 0)
        }
        return entries
    }
}
