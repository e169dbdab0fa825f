// SPDX-License-Identifier: MIT

import FLV
import MediaFiles
import ParameterSets

/// Something in a file that holds NAL units, in the order of the file.
enum StreamEntry: Sendable {
    /// A unit, without start code or length.
    case unit([UInt8], UnitPlace)
    /// Bytes that should be NAL units and are not.
    case damage(ParameterSetError, UnitPlace)
    /// A part of the container, already taken apart.
    case part(InspectedUnit)
}

/// Takes a file apart into NAL units, piece by piece, so that files of any size need little memory.
protocol NALUnitSource {
    /// What is known before the first piece.
    var summary: StreamSummary { get }

    /// The next piece's entries, perhaps none.
    ///
    /// - Returns: Nil at the end of the file.
    /// - Throws: ``MediaFileError`` where the file cannot be read on.
    mutating func next() throws(MediaFileError) -> [StreamEntry]?
}

/// Opens files by their content.
enum NALUnitSources {
    /// Bytes that decide what a file is.
    private static let headSize = 1 << 16

    /// Opens a file; "-" is standard input.
    static func open(_ path: String) throws(MediaFileError) -> any NALUnitSource {
        let file = try InputFile(path: path)
        let head = Array(try file.peek(headSize))
        guard !head.isEmpty else {
            throw MediaFileError(.truncated, reason: "is empty", path: path, byteOffset: 0)
        }
        if let codec = AnnexBDetection.codec(of: head, isWhole: head.count < headSize) {
            return ElementaryStreamUnits(file, codec: codec)
        }
        if let codec = LengthPrefixedUnits.codec(of: head) {
            return LengthPrefixedUnits(file, codec: codec)
        }
        if head.starts(with: FLVHeader.signature) { return try FLVUnits(file) }
        return try ContainerUnits(try container(file), path: path)
    }

    private static func container(_ file: InputFile) throws(MediaFileError) -> ContainerReader {
        do throws(MediaFileError) {
            return try ContainerReader(file)
        } catch {
            guard error.code == .unsupported else { throw error }
            throw MediaFileError(
                .unsupported,
                reason: "neither start codes or lengths of H.264 or HEVC nor a container with video that "
                    + "libavformat can open", path: error.path, byteOffset: error.byteOffset, status: error.status)
        }
    }
}
