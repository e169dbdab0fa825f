// SPDX-License-Identifier: MIT

import MediaFiles
import ParameterSets

/// The NAL units of a byte stream.
struct ElementaryStreamUnits: NALUnitSource {
    let summary: StreamSummary
    private let file: InputFile
    private var reader = AnnexBStreamReader(maximumUnitSize: maximumUnitSize)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var isAtEnd = false

    /// Bytes a unit may have; pictures of the highest levels stay below.
    private static let maximumUnitSize = 1 << 26

    /// Reads a file from its start.
    init(_ file: InputFile, codec: VideoCodec) {
        self.file = file
        summary = StreamSummary(
            path: file.path, format: "\(codec) byte stream (Annex B)", codec: codec)
    }

    mutating func next() throws(MediaFileError) -> [StreamEntry]? {
        guard !isAtEnd else { return nil }
        let count = try readChunk()
        var units: [AnnexBStreamReader.Unit]
        do throws(ParameterSetError) {
            units = try reader.append(buffer.prefix(count))
        } catch {
            throw MediaFileError(
                .corrupt, reason: error.reason, path: file.path, byteOffset: error.bitOffset.map { Int64($0 / 8) })
        }
        if count < buffer.count {
            isAtEnd = true
            units += reader.finish().map { [$0] } ?? []
        }
        return units.map {
            .unit($0.bytes, .stream(startCode: $0.startCodeOffset, startCodeLength: $0.startCodeLength))
        }
    }

    /// Fills the buffer; fewer bytes only at the end of the file.
    private mutating func readChunk() throws(MediaFileError) -> Int {
        let file = file
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(MediaFileError) in try file.read(into: bytes) }
        }
        return try result.get()
    }
}
