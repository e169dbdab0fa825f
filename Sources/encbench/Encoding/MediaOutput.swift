// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles

/// Where encoded frames go.
enum MediaOutput {
    /// The format for a path: by its extension, and a bare stream for standard output and for pipes and devices
    /// without.
    static func format(path: String) throws(MediaFileError) -> OutputFormat {
        do throws(MediaFileError) {
            return try OutputFormat(path: path)
        } catch {
            var status = stat()
            guard stat(path.fileName, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { throw error }
            return .elementaryStream
        }
    }

    /// Creates the file that the path's extension asks for.
    static func open(
        path: String, configuration: SessionConfiguration
    ) throws(MediaFileError) -> any EncodedFrameWriter {
        let format = try format(path: path)
        if format == .elementaryStream { return try ElementaryStreamWriter(path: path) }
        return try ContainerWriter(
            path: path, format: format, codec: configuration.codec, frameRate: configuration.live.expectedFrameRate)
    }

    /// Throws when a file could not be written now; makes and changes nothing.
    static func checkWritable(_ path: String) throws(MediaFileError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard path != "-", access(path.fileName, W_OK) != 0, errno != ENOENT || access(folder.fileName, W_OK) != 0
        else { return }
        let status = errno
        throw MediaFileError(
            .cannotOpen, reason: "cannot open for writing: \(String(cString: strerror(status)))", path: path,
            status: Int(status))
    }
}

extension OutputFormat {
    /// What separates NAL units in a file of this format.
    var framing: StreamFraming {
        switch self {
        case .elementaryStream, .transportStream: .annexB
        case .mp4, .matroska, .flv: .lengthPrefixed()
        }
    }

    /// Where a file of this format keeps the parameter sets.
    var parameterSets: ParameterSetPlacement {
        switch self {
        case .elementaryStream, .transportStream: .everySyncFrame
        case .mp4, .matroska, .flv: .outOfBand
        }
    }
}

extension OptionParsing {
    /// What separates NAL units.
    static func framing(_ text: String) throws(OptionError) -> StreamFraming {
        switch text {
        case "annexb": .annexB
        case "length-prefixed": .lengthPrefixed()
        default: throw OptionError(.unknownName, "'\(text)', expected annexb or length-prefixed")
        }
    }
}
