// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

extension OptionParsing {
    /// Codecs separated by commas, each once.
    static func codecs(_ text: String) throws(OptionError) -> [VideoCodec] {
        try distinctList(text, of: codec)
    }

    /// Refuses a codec where no encoder has a choice.
    static func check(codecs: [VideoCodec]?, of kinds: [EncoderKind]) throws(OptionError) {
        guard let codecs else { return }
        let asked = codecs.map(\.rawValue).joined(separator: ",")
        for kind in kinds {
            guard let only = kind.onlyCodec, !codecs.contains(only) else { continue }
            throw OptionError(
                .conflicting, "--encoder \(kind.name) encodes \(only.rawValue), but --codec asks for \(asked)")
        }
    }
}
