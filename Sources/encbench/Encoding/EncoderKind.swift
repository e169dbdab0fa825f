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
    /// An option of the library that shows in the stream of any picture; nil where it has none.
    var shownOption: NativeOption?
    /// The library's option for input whose timestamps say nothing new; it makes no use of the number of frames then.
    var constantRateOption: NativeOption?
    /// What the library calls options for what a source says of its pictures; nil where it has none.
    var metadataOptions: SourceMetadata.OptionNames?
    /// The command line of the library's own program, without input and output; nil where it has none, or no words for
    /// an option.
    var program: (@Sendable (ResolvedSettings) -> [String]?)?
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
        shownOption: NativeOption("aq-mode", "0"), constantRateOption: NativeOption("force-cfr"),
        metadataOptions: .init(masteringDisplay: "mastering-display", contentLightLevel: "cll"),
        program: ProgramCommand.x264,
        installation: "a libx264 that takes 4:2:0: apt install libx264-dev", makeBackend: { X264Backend() })

    /// libx265.
    static let x265 = EncoderKind(
        name: "x265", onlyCodec: .hevc, rates: [18, 22, 26, 30, 34].map(RateControl.constantRateFactor),
        shownOption: NativeOption("aq-mode", "0"),
        metadataOptions: .init(masteringDisplay: "master-display", contentLightLevel: "max-cll"),
        program: ProgramCommand.x265, installation: "apt install libx265-dev, then build encbench again",
        makeBackend: { X265Backend() })

    /// libopenh264.
    static let openh264 = EncoderKind(
        name: "openh264", onlyCodec: .h264, rates: [20, 24, 28, 32, 36].map(RateControl.constantQuantizer),
        installation: "apt install libopenh264-7", makeBackend: { OpenH264Backend() })

    /// The GPU, through VA-API.
    static let vaapi = EncoderKind(
        name: "vaapi", hasPresets: false, rates: [22, 26, 30, 34, 38].map(RateControl.constantQuantizer),
        installation: "a GPU that encodes, and its driver",
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
