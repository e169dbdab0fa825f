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
        guard let (output, complaints) = try Self.probe(file, stream.codec) else {
            FileHandle.standardError.write(Data("SKIPPED: ffprobe is not installed: nothing was decoded\n".utf8))
            return nil
        }
        let lines = output.split(separator: "\n")
        pictures = lines.filter { $0.hasPrefix("frame") }.map { Picture(fields: Self.fields($0)) }
        profile = lines.last { $0.hasPrefix("stream") }.map { Self.fields($0)["profile"] ?? "" } ?? ""
        self.complaints = complaints
    }

    private static func probe(_ file: URL, _ codec: ElementaryStream.Codec) throws -> (String, String)? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffprobe", "-v", "error", "-threads", "1", "-f", codec.rawValue, "-show_frames", "-show_entries",
            "frame=key_frame,width,height,pix_fmt,color_range,color_transfer:stream=profile", "-of", "compact",
            file.path,
        ]
        // Files, not pipes: two pipes that fill would wait for each other.
        let outputs = ["output", "complaints"].map { file.appendingPathExtension($0) }
        defer { for output in outputs { try? FileManager.default.removeItem(at: output) } }
        for output in outputs { try Data().write(to: output) }
        process.standardOutput = try FileHandle(forWritingTo: outputs[0])
        process.standardError = try FileHandle(forWritingTo: outputs[1])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        // What env answers for a program that is not there.
        if process.terminationStatus == 127 { return nil }
        return (
            try String(contentsOf: outputs[0], encoding: .utf8), try String(contentsOf: outputs[1], encoding: .utf8)
        )
    }

    private static func fields(_ line: Substring) -> [String: String] {
        var fields: [String: String] = [:]
        for field in line.split(separator: "|") {
            guard let equals = field.firstIndex(of: "=") else { continue }
            fields[String(field[..<equals])] = String(field[field.index(after: equals)...])
        }
        return fields
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
