// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

extension OptionParsing {
    /// Codecs separated by commas, each once.
    static func codecs(_ text: String) throws(OptionError) -> [VideoCodec] {
        let codecs = try list(text) { item throws(OptionError) in try codec(item) }
        guard Set(codecs).count == codecs.count else { throw OptionError(.repeated, "'\(text)' names a codec twice") }
        return codecs
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
