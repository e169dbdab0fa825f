// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

extension Study {
    /// Variants of encoders and presets, and which are compared: within each preset with the first encoder, or, where
    /// there is but one encoder, with its first preset.
    ///
    /// - Parameters:
    ///   - encoders: The encoders.
    ///   - codecs: What those encode to that have several; each has a curve for each of them.
    ///   - presets: For each comparison one name for all encoders, or one for each.
    /// - Returns: The curves, and which are held against each other.
    package static func paired(
        encoders: [EncoderKind], codecs: [VideoCodec] = [.h264], presets: [[String?]]
    ) -> (variants: [Variant], pairs: [Pair]) {
        let curves = encoders.enumerated().flatMap { index, kind in
            (kind.onlyCodec == nil ? codecs.map(Optional.some) : [nil]).map { (index: index, kind: kind, codec: $0) }
        }
        var variants: [Variant] = []
        var pairs: [Pair] = []
        func place(_ variant: Variant) -> Int {
            if let index = variants.firstIndex(of: variant) { return index }
            variants.append(variant)
            return variants.count - 1
        }
        for names in presets {
            let places = curves.map { curve in
                place(
                    Variant(
                        encoder: curve.kind.name, codec: curve.codec?.rawValue,
                        preset: curve.kind.hasPresets ? names[names.count == 1 ? 0 : curve.index] : nil))
            }
            let anchor = curves.count == 1 ? 0 : places[0]
            for test in places where test != anchor {
                let pair = Pair(anchor: anchor, test: test)
                if !pairs.contains(pair) { pairs.append(pair) }
            }
        }
        return (variants, pairs)
    }
}
