// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV

/// What holds the tracks of an output.
@nonexhaustive
public enum Container: String, Sendable, Hashable, CaseIterable {
    /// MP4, complete only when it ends: what is left after a crash cannot be read.
    case mp4
    /// MP4 in fragments, each of one group of pictures, readable up to the last whole one at any time.
    case fragmentedMP4
    /// QuickTime, complete only when it ends.
    case mov
    /// QuickTime in fragments.
    case fragmentedMOV
    /// Matroska in clusters of half a second, readable at any time.
    case matroska
    /// MPEG-2 transport stream.
    case transportStream
    /// Flash Video; HEVC in it by Enhanced RTMP's FourCC `hvc1`.
    case flv
    /// Advanced Systems Format, for H.264 only.
    case asf
    /// One track's pictures with start codes and nothing around them.
    case annexB
    /// One track's AAC in packets with ADTS headers (ISO/IEC 14496-3).
    case adts

    /// Chooses by the extension of a path: `.mp4` and `.mov` are written in fragments.
    ///
    /// - Throws: ``PublishingError`` with `.unsupported`, naming the most common extensions.
    public init(path: String) throws(PublishingError) {
        let name = path.split(separator: "/").last ?? ""
        let fileExtension = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        switch fileExtension {
        case "mp4", "m4v", "m4a", "m4s": self = .fragmentedMP4
        case "mov": self = .fragmentedMOV
        case "mkv", "mka": self = .matroska
        case "ts", "mts", "m2ts": self = .transportStream
        case "flv": self = .flv
        case "asf", "wmv": self = .asf
        case "h264", "264", "avc", "hevc", "h265", "265": self = .annexB
        case "aac", "adts": self = .adts
        default:
            throw PublishingError(
                .unsupported,
                reason: "extension \"\(fileExtension)\", expected \(Self.usualExtensions)", output: path)
        }
    }

    /// The most common of the extensions that say a container, for people.
    package static let usualExtensions = ".mp4, .mov, .mkv, .ts, .flv, .asf, .h264, .hevc or .aac"

    /// The name people know it by.
    public var name: String {
        switch self {
        case .mp4: "MP4"
        case .fragmentedMP4: "fragmented MP4"
        case .mov: "MOV"
        case .fragmentedMOV: "fragmented MOV"
        case .matroska: "Matroska"
        case .transportStream: "an MPEG-2 transport stream"
        case .flv: "FLV"
        case .asf: "ASF"
        case .annexB: "an elementary stream"
        case .adts: "ADTS"
        }
    }

    /// The container of libavformat; nil where the bytes are made here.
    var libAVContainer: LibAVContainer? {
        switch self {
        case .mp4, .fragmentedMP4: .mp4
        case .mov, .fragmentedMOV: .mov
        case .matroska: .matroska
        case .transportStream: .transportStream
        case .flv: .flv
        case .asf: .asf
        case .annexB, .adts: nil
        }
    }

    var isFragmented: Bool { self == .fragmentedMP4 || self == .fragmentedMOV }

    /// Whether it can only be completed where one can go back.
    var needsSeeking: Bool { self == .mp4 || self == .mov }

    /// Whether a later format of the same codec can follow in it: in band, or as another header.
    func takesNewFormats(carryingSets: Bool) -> Bool {
        switch self {
        case .transportStream, .flv, .annexB: true
        case .mp4, .fragmentedMP4, .mov, .fragmentedMOV: carryingSets
        case .matroska, .asf, .adts: false
        }
    }

    /// Whether it holds a track of a format, as far as is known without the library.
    ///
    /// - Throws: ``PublishingError`` with `.unsupported`, which names what would do.
    func check(_ formats: [TrackFormat]) throws(PublishingError) {
        for format in formats {
            switch format {
            case .video(let video) where !holds(video.codec):
                throw refused(
                    video.codec == .hevc ? "HEVC" : "H.264",
                    self == .asf ? "H.264, or another container: players read HEVC back as unknown" : "sound")
            case .audio(let audio) where !holds(audio.codec):
                let expected = holds(.aac) ? "AAC" : "pictures"
                throw refused(
                    audio.codec == .aac ? "AAC" : "Opus",
                    audio.codec == .opus ? "\(expected), MP4 or Matroska" : expected)
            default: break
            }
        }
        let pictures = formats.count { $0.kind == .video }
        let (most, what): (Int, String) =
            switch self {
            case .annexB: (1, "one track of pictures")
            case .adts: (1, "one track of sound")
            case .flv: (2, "one track of pictures and one of sound")
            default: (.max, "")
            }
        guard formats.count <= most, self != .flv || pictures <= 1 && formats.count - pictures <= 1 else {
            throw refused("\(formats.count) tracks", what)
        }
        guard !formats.isEmpty else { throw refused("no track", "one or more that it can hold") }
    }

    /// Whether it holds pictures of a codec.
    func holds(_ codec: VideoCodec) -> Bool {
        switch self {
        case .mp4, .fragmentedMP4, .mov, .fragmentedMOV, .matroska, .transportStream, .flv, .annexB: true
        case .asf: codec == .h264
        case .adts: false
        }
    }

    /// Whether it holds sound of a codec.
    ///
    /// libavformat 59 writes Opus into transport streams too, with a descriptor that few players know, and refuses it
    /// in MOV.
    func holds(_ codec: AudioCodec) -> Bool {
        switch self {
        case .mp4, .fragmentedMP4, .matroska: true
        case .mov, .fragmentedMOV, .transportStream, .flv, .asf, .adts: codec == .aac
        case .annexB: false
        }
    }

    /// Whether it takes a track: elementary streams leave the others to other outputs.
    func takes(_ track: TrackID) -> Bool {
        switch self {
        case .annexB: track.kind == .video
        case .adts: track.kind == .audio
        default: true
        }
    }

    private func refused(_ what: String, _ expected: String) -> PublishingError {
        PublishingError(.unsupported, reason: "\(what) in \(name), expected \(expected)")
    }
}
