// SPDX-License-Identifier: MIT

package import CommandOptions

extension Study {
    /// Variants of encoders and presets, and which are compared: within each preset with the first encoder, or, where
    /// there is but one encoder, with its first preset.
    package static func paired(
        encoders: [EncoderKind], presets: [[String?]]
    ) -> (variants: [Variant], pairs: [Pair]) {
        var variants: [Variant] = []
        var pairs: [Pair] = []
        func place(_ variant: Variant) -> Int {
            if let index = variants.firstIndex(of: variant) { return index }
            variants.append(variant)
            return variants.count - 1
        }
        for names in presets {
            let places = encoders.enumerated().map { index, kind in
                place(
                    Variant(
                        encoder: kind.name, preset: kind.hasPresets ? names[names.count == 1 ? 0 : index] : nil))
            }
            let anchor = encoders.count == 1 ? 0 : places[0]
            for test in places where test != anchor {
                let pair = Pair(anchor: anchor, test: test)
                if !pairs.contains(pair) { pairs.append(pair) }
            }
        }
        return (variants, pairs)
    }
}
