// SPDX-License-Identifier: MIT

package import EncoderAPI
import OpenH264Backend
package import VAAPIBackend
import X264Backend
import X265Backend

/// What executables know of one back end.
package struct EncoderKind: Sendable {
    /// Its name in options and reports.
    package let name: String
    /// What it encodes to, where there is no choice.
    package var onlyCodec: VideoCodec?
    /// Whether its library has presets to choose from.
    package var hasPresets = true
    /// The library's option for input of a constant frame rate, whose timestamps the encoder need not look at.
    package var constantRateOption: NativeOption?
    /// The library's names of the options that describe a source's pictures, such as their HDR10 values; nil where it
    /// has none.
    package var metadataOptions: SourceMetadata.OptionNames?
    /// Makes the back end; nothing is opened yet.
    package let makeBackend: @Sendable () -> any EncoderBackend
    /// Makes it for one device; nil where it has none to choose from.
    package var makeBackendOnDevice: (@Sendable (VADevice) -> any EncoderBackend)?
}

extension EncoderKind: CaseIterable, Hashable, CustomStringConvertible {
    /// libx264.
    package static let x264 = EncoderKind(
        name: "x264", onlyCodec: .h264, constantRateOption: NativeOption("force-cfr"),
        metadataOptions: .init(masteringDisplay: "mastering-display", contentLightLevel: "cll"),
        makeBackend: { X264Backend() })

    /// libx265.
    package static let x265 = EncoderKind(
        name: "x265", onlyCodec: .hevc,
        metadataOptions: .init(masteringDisplay: "master-display", contentLightLevel: "max-cll"),
        makeBackend: { X265Backend() })

    /// libopenh264.
    package static let openh264 = EncoderKind(
        name: "openh264", onlyCodec: .h264, makeBackend: { OpenH264Backend() })

    /// The GPU, through VA-API.
    package static let vaapi = EncoderKind(
        name: "vaapi", hasPresets: false, makeBackend: { VAAPIBackend() },
        makeBackendOnDevice: { VAAPIBackend(devices: [$0]) })

    /// All encoders that there are here.
    package static let allCases = [x264, x265, openh264, vaapi]

    /// The encoder for a codec when the user names none.
    package static func preferred(for codec: VideoCodec) -> EncoderKind {
        allCases.first { $0.onlyCodec == codec } ?? x264
    }

    package static func == (left: EncoderKind, right: EncoderKind) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    package var description: String { name }
}

extension EncoderKind {
    /// Makes the back end, for one device where one is named.
    ///
    /// - Throws: ``OptionError`` for a device that it cannot use.
    package func backend(on device: VADevice?) throws(OptionError) -> any EncoderBackend {
        guard let device else { return makeBackend() }
        guard let makeBackendOnDevice else {
            throw OptionError(.conflicting, "--device \(device) is for --encoder vaapi; \(name) runs on the CPU")
        }
        return makeBackendOnDevice(device)
    }
}

extension EncoderBackend {
    /// The first encoder with a codec; the error for one that is not there names those that are.
    package func encoder(naming codec: VideoCodec) async throws(EncoderError) -> EncoderDescription {
        let listed: [EncoderDescription]
        do throws(EncoderError) {
            listed = try await encoders
        } catch {
            // What is wrong with a device is a long story.
            let isOnDevice = EncoderKind.allCases.contains { $0.name == identifier && $0.makeBackendOnDevice != nil }
            let advice = isOnDevice ? "; 'encbench probe' says what is wrong" : ""
            throw EncoderError(error.code, reason: error.reason + advice, status: error.status)
        }
        if let encoder = listed.first(where: { $0.codec == codec }) { return encoder }
        throw EncoderError(
            .noEncoder,
            reason:
                "\(identifier) has no encoder of \(codec) here, but \(listed.map(\.displayName).joined(separator: ", ")); "
                + "'encbench probe' says what is missing")
    }
}
