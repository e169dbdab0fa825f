// SPDX-License-Identifier: MIT

import MediaFiles
import ParameterSets

/// The NAL units of a bare stream with four bytes of length before each, as `encode --framing length-prefixed` writes
/// it.
struct LengthPrefixedUnits: NALUnitSource {
    let summary: StreamSummary
    private let file: InputFile

    private static let prefixSize = 4

    /// Reads a file from its start.
    init(_ file: InputFile, codec: VideoCodec) {
        self.file = file
        summary = StreamSummary(path: file.path, format: "\(codec) stream with lengths of 4 bytes", codec: codec)
    }

    /// Looks at a file's first bytes.
    ///
    /// - Parameter head: The bytes; units may go on behind them.
    /// - Returns: The codec of which there is a sequence parameter set; nil when lengths do not lead from unit to unit.
    static func codec(of head: [UInt8]) -> VideoCodec? {
        var (h264, hevc, position) = (0, 0, 0)
        while position + prefixSize <= head.count {
            let start = position + prefixSize
            let length = value(of: head[position..<start])
            guard length > 0 else { return nil }
            guard length <= head.count - start else { break }
            h264 += H264NALUnit.likelihood(head[start..<start + length])
            hevc += HEVCNALUnit.likelihood(head[start..<start + length])
            position = start + length
        }
        guard max(h264, hevc) >= 100 else { return nil }
        return h264 >= hevc ? .h264 : .hevc
    }

    private static func value(of prefix: some Sequence<UInt8>) -> Int { prefix.reduce(0) { $0 << 8 | Int($1) } }

    mutating func next() throws(MediaFileError) -> [StreamEntry]? {
        let position = file.position
        let prefix = try read(Self.prefixSize)
        if prefix.isEmpty { return nil }
        let length = Self.value(of: prefix)
        guard prefix.count == Self.prefixSize, length > 0, Int64(length) <= (file.size ?? .max) - file.position else {
            throw MediaFileError(
                .truncated, reason: "no whole NAL unit follows", path: file.path, byteOffset: position)
        }
        return [.unit(try read(length), .length(position: Int(position)))]
    }

    private func read(_ count: Int) throws(MediaFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let file = file
        let result = bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(MediaFileError) in try file.read(into: bytes) }
        }
        let received = try result.get()
        bytes.removeLast(count - received)
        return bytes
    }
}
