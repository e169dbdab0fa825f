// SPDX-License-Identifier: MIT

package import EncoderAPI
import LibAV

/// How an output file holds the access units.
package enum OutputFormat: String, Sendable, Hashable, CaseIterable {
    /// The access units as they are, nothing around them.
    case elementaryStream
    /// ISO base media file (MPEG-4 part 14).
    case mp4
    /// Matroska.
    case matroska
    /// Flash Video.
    case flv
    /// MPEG-2 transport stream.
    case transportStream

    /// The name people know it by.
    package var name: String {
        switch self {
        case .elementaryStream: "an elementary stream"
        case .mp4: "MP4"
        case .matroska: "Matroska"
        case .flv: "FLV"
        case .transportStream: "an MPEG-2 transport stream"
        }
    }

    /// The container that libavformat writes; nil for an elementary stream, which is none.
    var container: LibAVContainer? {
        switch self {
        case .elementaryStream: nil
        case .mp4: .mp4
        case .matroska: .matroska
        case .flv: .flv
        case .transportStream: .transportStream
        }
    }

    /// Chooses by the extension of a path; "-" is an elementary stream.
    ///
    /// - Throws: ``MediaFileError`` with `.unsupported`, naming the extensions there are.
    package init(path: String) throws(MediaFileError) {
        let name = path.split(separator: "/").last ?? ""
        let fileExtension = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        switch fileExtension {
        case _ where path == "-": self = .elementaryStream
        case "h264", "264", "avc", "hevc", "h265", "265": self = .elementaryStream
        case "mp4", "m4v": self = .mp4
        case "mkv": self = .matroska
        case "flv": self = .flv
        case "ts": self = .transportStream
        default:
            throw MediaFileError(
                .unsupported,
                reason: "extension \"\(fileExtension)\", expected .h264, .264, .hevc, .265, .mp4, .mkv, .flv or .ts",
                path: path)
        }
    }

    /// The codec that an elementary stream's extension promises; nil where the extension fits both.
    package static func codec(ofElementaryStream path: String) -> VideoCodec? {
        let name = path.lowercased()
        if [".h264", ".264", ".avc"].contains(where: name.hasSuffix) { return .h264 }
        return [".hevc", ".h265", ".265"].contains(where: name.hasSuffix) ? .hevc : nil
    }
}
