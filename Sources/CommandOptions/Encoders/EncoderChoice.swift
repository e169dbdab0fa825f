// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Which encoder encodes to which codec.
package struct EncoderChoice: Equatable, Sendable {
    package var kind: EncoderKind
    package var codec: VideoCodec

    /// Decides from what was asked and what the output's name promises.
    ///
    /// - Parameters:
    ///   - encoder: `--encoder`, if given.
    ///   - codec: `--codec`, if given.
    ///   - promised: The codec of the output's extension, where it has one.
    /// - Throws: ``OptionError`` where these exclude each other or leave it open.
    package init(encoder: EncoderKind?, codec: VideoCodec?, promised: VideoCodec?) throws(OptionError) {
        if let codec, let promised, codec != promised {
            throw OptionError(.conflicting, "--codec \(codec.rawValue), but the output's extension says \(promised)")
        }
        let wanted = codec ?? promised
        let kind = encoder ?? wanted.map(EncoderKind.preferred) ?? .x264
        if let only = kind.onlyCodec, let wanted, only != wanted {
            let door = codec == nil ? "the output's extension says" : "--codec asks for"
            throw OptionError(.conflicting, "--encoder \(kind.name) encodes \(only), but \(door) \(wanted)")
        }
        guard let codec = wanted ?? kind.onlyCodec else {
            throw OptionError(
                .conflicting, "--encoder \(kind.name) encodes both H.264 and HEVC; say which with --codec")
        }
        self.kind = kind
        self.codec = codec
    }
}
