// SPDX-License-Identifier: MIT

import EncoderAPI

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
