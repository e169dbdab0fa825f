// SPDX-License-Identifier: MIT

/// Curves that differ by the preset alone: what an encoder needs between two of them can be interpolated.
package struct CurveFamily: Codable, Hashable, Sendable {
    /// The encoder's name in options.
    package var encoder: String
    /// "h264" or "hevc".
    package var codec: String
    /// The library's tune; nil for none.
    package var tune: String?
    /// What is set besides, by the names in the API or of the library: "NAME=VALUE".
    package var settings: [String]

    package init(encoder: String, codec: String, tune: String? = nil, settings: [String] = []) {
        self.encoder = encoder
        self.codec = codec
        self.tune = tune
        self.settings = settings
    }

    /// As few words as tell it from others: the encoder; its codec where another family has another one; tune and
    /// settings where one of the same encoder and codec has others.
    package func name(among families: some Sequence<CurveFamily>) -> String {
        let same = families.filter { $0.encoder == encoder }
        var words = [encoder]
        if same.contains(where: { $0.codec != codec }) { words.append(codec) }
        if same.contains(where: { $0.codec == codec && ($0.tune, $0.settings) != (tune, settings) }) {
            words += [tune].compactMap { $0 } + settings
        }
        return words.joined(separator: " ")
    }
}

extension ComparisonReport.Point {
    /// The curves that differ from the point's by the preset alone.
    package var family: CurveFamily {
        CurveFamily(encoder: encoder, codec: codec, tune: tune, settings: settings)
    }
}

extension ComparisonReport {
    /// The family of each curve, by its label.
    package var families: [String: CurveFamily] {
        Dictionary(clips.flatMap(\.points).map { ($0.variant, $0.family) }, uniquingKeysWith: { first, _ in first })
    }
}
