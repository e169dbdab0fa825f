// SPDX-License-Identifier: MIT

import Foundation

/// What FFmpeg's decoder makes of a stream.
public struct DecodedStream: Sendable {
    /// One decoded picture.
    public struct Picture: Sendable, Equatable {
        /// Whether the decoder calls it a key frame.
        public var isKey: Bool
        /// Columns.
        public var width: Int
        /// Rows.
        public var height: Int
        /// FFmpeg's name.
        public var pixelFormat: String
        /// "tv", "pc" or "unknown".
        public var range: String
        /// FFmpeg's name of the transfer characteristics.
        public var transfer: String
    }

    /// Pictures in the order in which they are shown.
    public let pictures: [Picture]
    /// What the decoder complained of; empty for a stream without a fault.
    public let complaints: String
    /// The stream's profile by name.
    public let profile: String

    /// Places of key frames.
    public var keyFrames: [Int] { pictures.indices.filter { pictures[$0].isKey } }

    /// Decodes a stream; nil, with a line on standard error, where ffprobe is not installed.
    public init?(_ stream: ElementaryStream) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).\(stream.codec.rawValue)")
        try stream.data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let asked = "frame=key_frame,width,height,pix_fmt,color_range,color_transfer:stream=profile"
        let found = try FFprobe.run(file, ["-f", stream.codec.rawValue, "-show_frames", "-show_entries", asked])
        guard let found else { return nil }
        pictures = FFprobe.lines("frame", of: found.output).map { Picture(fields: $0) }
        profile = FFprobe.lines("stream", of: found.output).last?["profile"] ?? ""
        complaints = found.complaints
    }
}

extension DecodedStream.Picture {
    fileprivate init(fields: [String: String]) {
        isKey = fields["key_frame"] == "1"
        width = Int(fields["width"] ?? "") ?? 0
        height = Int(fields["height"] ?? "") ?? 0
        pixelFormat = fields["pix_fmt"] ?? ""
        range = fields["color_range"] ?? ""
        transfer = fields["color_transfer"] ?? ""
    }
}
