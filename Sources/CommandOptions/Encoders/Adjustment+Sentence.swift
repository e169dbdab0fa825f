// SPDX-License-Identifier: MIT

package import EncoderAPI

extension Adjustment {
    /// The adjustment in words, without the native option that ``EncoderKind/constantRateOption`` puts before those
    /// that somebody wrote.
    package var sentence: String {
        guard setting == .nativeOptions else { return description }
        for option in EncoderKind.allCases.compactMap(\.constantRateOption) {
            let first = option.name + ":"
            guard requested.hasPrefix(first), used.hasPrefix(first) else { continue }
            return Adjustment(
                setting, requested: String(requested.dropFirst(first.count)), used: String(used.dropFirst(first.count)),
                reason: reason
            ).description
        }
        return description
    }
}
