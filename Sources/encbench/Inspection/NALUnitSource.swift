// SPDX-License-Identifier: MIT

import EncoderAPI
import FLV
import MediaFiles
import ParameterSets

/// Where a NAL unit stands.
enum UnitPlace: Equatable, Sendable {
    /// In a byte stream: the start code, in bytes from the start of the file.
    case stream(startCode: Int, startCodeLength: Int)
    /// In a container: the packet from 0 on, and the start code or length in bytes from the start of its data.
    case packet(Int, position: Int)
    /// In an FLV file: the tag from 0 on, nil before the first, and the structure, or the unit's length, in bytes from
    /// the start of the file.
    case tag(Int?, position: Int)
    /// In a bare stream of units with lengths: the length in bytes from the start of the file.
    case length(position: Int)
    /// In a container's avcC or hvcC: the length in bytes from the start of the record.
    case record(position: Int)

    /// The position in bytes, from where the place counts.
    var position: Int {
        switch self {
        case .stream(let position, _), .packet(_, let position), .tag(_, let position), .length(let position),
            .record(let position):
            position
        }
    }

    /// The packet or tag; nil outside of them.
    var container: Int? {
        switch self {
        case .packet(let number, _): number
        case .tag(let number, _): number
        case .stream, .length, .record: nil
        }
    }
}

/// Something in a file that holds NAL units, in the order of the file.
enum StreamEntry: Sendable {
    /// A unit, without start code or length.
    case unit([UInt8], UnitPlace)
    /// Bytes that should be NAL units and are not.
    case damage(ParameterSetError, UnitPlace)
    /// A part of the container, already taken apart.
    case part(InspectedUnit)
}

/// What a file says about itself before its NAL units.
struct StreamSummary: Equatable, Sendable {
    /// What holds units in a container.
    enum Container: Sendable {
        case packets
        case tags
    }

    /// The file as it was named.
    var path: String
    /// What the file is, for people.
    var format: String
    /// The codec of all its units.
    var codec: VideoCodec
    /// What units come in; nil for a byte stream.
    var container: Container?
    /// avcC or hvcC field by field; empty where there is none.
    var record: [SyntaxElement] = []
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
