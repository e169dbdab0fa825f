// SPDX-License-Identifier: MIT

import EncoderAPI
import OpenH264Backend
import VAAPIBackend
import X264Backend
import X265Backend

/// What this program knows of one back end.
struct EncoderKind: Sendable {
    /// Its name in options and reports.
    let name: String
    /// What it encodes to, where there is no choice.
    var onlyCodec: VideoCodec?
    /// Whether its library has presets to choose from.
    var hasPresets = true
    /// What to compare at, best first; chosen so that all encoders come to about the same qualities.
    let rates: [RateControl]
    /// The library's option for input whose timestamps say nothing new; it makes no use of the number of frames then.
    var constantRateOption: NativeOption?
    /// What the library calls options for what a source says of its pictures; nil where it has none.
    var metadataOptions: SourceMetadata.OptionNames?
    /// The command line of the library's own program, without input and output; nil where it has none.
    var program: (@Sendable (ResolvedSettings) -> [String])?
    /// How to get it when it is missing.
    let installation: String
    /// Makes the back end; nothing is opened yet.
    let makeBackend: @Sendable () -> any EncoderBackend
    /// Makes it for one device; nil where it has none to choose from.
    var makeBackendOnDevice: (@Sendable (VADevice) -> any EncoderBackend)?
}

extension EncoderKind: CaseIterable, Hashable, CustomStringConvertible {
    /// libx264.
    static let x264 = EncoderKind(
        name: "x264", onlyCodec: .h264, rates: [17, 21, 25, 29, 33].map(RateControl.constantRateFactor),
        constantRateOption: NativeOption("force-cfr"),
        metadataOptions: .init(masteringDisplay: "mastering-display", contentLightLevel: "cll"),
        program: ProgramCommand.x264,
        installation: "apt install libx264-dev, then build encbench again", makeBackend: { X264Backend() })

    /// libx265.
    static let x265 = EncoderKind(
        name: "x265", onlyCodec: .hevc, rates: [18, 22, 26, 30, 34].map(RateControl.constantRateFactor),
        metadataOptions: .init(masteringDisplay: "master-display", contentLightLevel: "max-cll"),
        program: ProgramCommand.x265, installation: "apt install libx265-dev, then build encbench again",
        makeBackend: { X265Backend() })

    /// libopenh264.
    static let openh264 = EncoderKind(
        name: "openh264", onlyCodec: .h264, rates: [20, 24, 28, 32, 36].map(RateControl.constantQuantizer),
        installation: "apt install libopenh264-dev, then build encbench again", makeBackend: { OpenH264Backend() })

    /// The GPU, through VA-API.
    static let vaapi = EncoderKind(
        name: "vaapi", hasPresets: false, rates: [22, 26, 30, 34, 38].map(RateControl.constantQuantizer),
        installation: "a GPU that encodes, and its driver; encbench probe says what this machine lacks",
        makeBackend: { VAAPIBackend() }, makeBackendOnDevice: { VAAPIBackend(devices: [$0]) })

    /// The encoders this program has.
    static let allCases = [x264, x265, openh264, vaapi]

    /// The encoder for a codec when the user names none.
    static func preferred(for codec: VideoCodec) -> EncoderKind {
        allCases.first { $0.onlyCodec == codec } ?? x264
    }

    static func == (left: EncoderKind, right: EncoderKind) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    var description: String { name }
}

extension EncoderKind {
    /// Makes the back end, for one device where one is named.
    ///
    /// - Throws: ``OptionError`` for a device that it cannot use.
    func backend(on device: VADevice?) throws(OptionError) -> any EncoderBackend {
        guard let device else { return makeBackend() }
        guard let makeBackendOnDevice else {
            throw OptionError("--device \(device) is for --encoder vaapi; \(name) runs on the CPU")
        }
        return makeBackendOnDevice(device)
    }
}

extension EncoderBackend {
    /// The first encoder with a codec; the error for one that is not there names those that are.
    func encoder(naming codec: VideoCodec) async throws(EncoderError) -> EncoderDescription {
        let listed = try await encoders
        if let encoder = listed.first(where: { $0.codec == codec }) { return encoder }
        throw EncoderError(
            .noEncoder,
            reason:
                "\(identifier) has no encoder of \(codec) here, but \(listed.map(\.displayName).joined(separator: ", ")); "
                + "'encbench probe' says what is missing")
    }
}

extension OptionParsing {
    /// An encoder's name.
    static func encoder(_ text: String) throws(OptionError) -> EncoderKind {
        if let kind = EncoderKind.allCases.first(where: { $0.name == text }) { return kind }
        throw OptionError("'\(text)', expected one of \(encoderNames)")
    }

    /// The names of all encoders, for messages and help.
    static var encoderNames: String { EncoderKind.allCases.map(\.name).joined(separator: ", ") }

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
            throw OptionError("--encoder \(kind.name) encodes \(only), but \(door) \(wanted)")
        }
        guard let codec = wanted ?? kind.onlyCodec else {
            throw OptionError("--encoder \(kind.name) encodes both H.264 and HEVC; say which with --codec")
        }
        self.kind = kind
        self.codec = codec
    }
}
