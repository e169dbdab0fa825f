// SPDX-License-Identifier: MIT

package import EncoderAPI

extension OptionParsing {
    /// An encoder's name.
    package static func encoder(_ text: String) throws(OptionError) -> EncoderKind {
        if let kind = EncoderKind.allCases.first(where: { $0.name == text }) { return kind }
        throw OptionError(.unknownName, "'\(text)', expected one of \(encoderNames)")
    }

    /// The names of all encoders, for messages and help.
    package static var encoderNames: String { EncoderKind.allCases.map(\.name).joined(separator: ", ") }

    /// Encoders separated by commas, each once.
    package static func encoders(_ text: String) throws(OptionError) -> [EncoderKind] {
        try distinctList(text, of: encoder)
    }

    /// A codec's name.
    package static func codec(_ text: String) throws(OptionError) -> VideoCodec {
        switch text {
        case "h264", "avc": .h264
        case "hevc", "h265": .hevc
        default: throw OptionError(.unknownName, "'\(text)', expected h264 or hevc")
        }
    }
}
