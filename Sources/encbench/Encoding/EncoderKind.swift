// SPDX-License-Identifier: MIT

import EncoderAPI
import VAAPIBackend
import X264Backend
import X265Backend

/// The encoders this program has, by the names of its options.
enum EncoderKind: String, CaseIterable, Sendable {
    /// libx264.
    case x264
    /// libx265.
    case x265
    /// The GPU, through VA-API.
    case vaapi

    /// Makes the back end; nothing is opened yet.
    func makeBackend() -> any EncoderBackend {
        switch self {
        case .x264: X264Backend()
        case .x265: X265Backend()
        case .vaapi: VAAPIBackend()
        }
    }

    /// What it encodes to, where there is no choice.
    var onlyCodec: VideoCodec? {
        switch self {
        case .x264: .h264
        case .x265: .hevc
        case .vaapi: nil
        }
    }

    /// The encoder for a codec when the user names none.
    static func preferred(for codec: VideoCodec) -> EncoderKind { codec == .h264 ? .x264 : .x265 }

    /// How to get it when it is missing.
    var installation: String {
        switch self {
        case .x264: "apt install libx264-dev, then build encbench again"
        case .x265: "apt install libx265-dev, then build encbench again"
        case .vaapi: "a version of encbench that encodes with VA-API, a GPU, and its driver (apt install va-driver-all)"
        }
    }
}

extension OptionParsing {
    /// An encoder's name.
    static func encoder(_ text: String) throws(OptionError) -> EncoderKind {
        if let kind = EncoderKind(rawValue: text) { return kind }
        let names = EncoderKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionError("'\(text)', expected one of \(names)")
    }

    /// Encoders separated by commas, each once.
    static func encoders(_ text: String) throws(OptionError) -> [EncoderKind] {
        let kinds = try list(text, of: encoder)
        if Set(kinds).count < kinds.count { throw OptionError("'\(text)' names an encoder twice") }
        return kinds
    }

    /// A codec's name.
    static func codec(_ text: String) throws(OptionError) -> VideoCodec {
        switch text {
        case "h264", "avc": .h264
        case "hevc", "h265": .hevc
        default: throw OptionError("'\(text)', expected h264 or hevc")
        }
    }
}

/// Which encoder encodes to which codec.
struct EncoderChoice: Equatable, Sendable {
    var kind: EncoderKind
    var codec: VideoCodec

    /// Decides from what was asked and what the output's name promises.
    ///
    /// - Parameters:
    ///   - encoder: `--encoder`, if given.
    ///   - codec: `--codec`, if given.
    ///   - promised: The codec of the output's extension, where it has one.
    /// - Throws: ``OptionError`` where these exclude each other or leave it open.
    init(encoder: EncoderKind?, codec: VideoCodec?, promised: VideoCodec?) throws(OptionError) {
        if let codec, let promised, codec != promised {
            throw OptionError("--codec \(codec.rawValue), but the output's extension says \(promised)")
        }
        let wanted = codec ?? promised
        let kind = encoder ?? wanted.map(EncoderKind.preferred) ?? .x264
        if let only = kind.onlyCodec, let wanted, only != wanted {
            let door = codec == nil ? "the output's extension says" : "--codec asks for"
            throw OptionError("--encoder \(kind.rawValue) encodes \(only), but \(door) \(wanted)")
        }
        guard let codec = wanted ?? kind.onlyCodec else {
            throw OptionError("--encoder \(kind.rawValue) encodes both H.264 and HEVC; say which with --codec")
        }
        self.kind = kind
        self.codec = codec
    }
}
