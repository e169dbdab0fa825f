// SPDX-License-Identifier: MIT

public import EncoderAPI

/// The `ffmpeg` program as the decoder that scenarios compare with: no library is linked, the program has to be there.
///
/// Streams pass through temporary files that have no name, so nothing is left on disk. A stream that ffmpeg reports
/// an error for counts as damaged.
public struct FFmpegDecoder: ReferenceDecoder {
    /// The program's path.
    public let path: String

    /// Finds the program.
    ///
    /// - Parameter name: A file name in one of the folders of `PATH`, or a path.
    /// - Throws: ``DecoderError`` when there is no such program.
    public init(_ name: String = "ffmpeg") throws(DecoderError) {
        guard let path = ChildProgram.path(of: name) else {
            throw DecoderError("no program \"\(name)\"; install it, or name its path")
        }
        self.path = path
    }

    /// Decodes a whole stream.
    ///
    /// - Parameter stream: Starts with a sync frame.
    /// - Returns: The pictures in display order, cropped as the stream says, in i420, i010 or i012.
    /// - Throws: ``DecoderError`` with what ffmpeg says; `CancellationError`, after ending the program.
    public func decode(_ stream: EncodedStream) async throws -> [PixelBuffer] {
        let format =
            switch stream.codec {
            case .h264: "h264"
            case .hevc: "hevc"
            }
        // Every picture comes out as it was decoded: none is dropped, repeated or converted for a frame rate.
        let arguments = [
            "-v", "error", "-nostdin", "-threads", "1", "-err_detect", "explode", "-f", format, "-i", "pipe:0", "-an",
            "-fps_mode", "passthrough", "-strict", "-1", "-f", "yuv4mpegpipe", "pipe:1",
        ]
        let output = try await ChildProgram(path: path, arguments: arguments).run(
            input: stream.annexBUnits.flatMap { $0 })
        let messages = String(decoding: output.standardError, as: UTF8.self)
        guard output.status == 0, messages.isEmpty else {
            // The first line names the damage, the others what follows from it.
            let first = messages.split(separator: "\n").first ?? "no message"
            throw DecoderError("\(path) ended with status \(output.status): \(first)")
        }
        return try Y4MPictures(output.standardOutput).pictures
    }
}

/// Why a stream could not be decoded.
public struct DecoderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, in the decoder's words where it has some.
    public let reason: String

    /// Makes an error.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
