// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension OptionParsing {
    /// What a search goes through.
    static func targetScale(_ text: String) throws(OptionError) -> TargetScale {
        if let scale = TargetScale(rawValue: text) { return scale }
        throw OptionError(
            .unknownName, "'\(text)', expected \(TargetScale.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}
