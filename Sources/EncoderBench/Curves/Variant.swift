// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

/// One way to encode: an encoder with a preset and whatever else is set apart from the others.
package struct Variant: Codable, Hashable, Sendable {
    /// The encoder's name in options.
    package var encoder: String
    /// What an encoder that has several codecs encodes to: "h264" or "hevc"; nil for one that has no choice, or for
    /// H.264.
    package var codec: String?
    /// The library's preset; nil where it has none.
    package var preset: String?
    /// The library's tune; nil for that of all variants.
    package var tune: String?
    /// Settings by their names in the API, and options of the library: "NAME=VALUE".
    package var settings: [String] = []
    /// A name in place of all that; nil for none.
    package var name: String?

    package init(
        encoder: String, codec: String? = nil, preset: String? = nil, tune: String? = nil, settings: [String] = [],
        name: String? = nil
    ) {
        self.encoder = encoder
        self.codec = codec
        self.preset = preset
        self.tune = tune
        self.settings = settings
        self.name = name
    }

    /// What reports call it: "x264 medium", "vaapi hevc", "x265 slow psnr aq-mode=2", or its name.
    package var label: String {
        if let name { return name }
        return description
    }

    /// What it is made of, whatever its name.
    package var description: String {
        ([encoder, codec, preset, tune].compactMap { $0 } + settings).joined(separator: " ")
    }

    /// This variant with preset medium where nobody named one, unless it is set up for real time: libraries have
    /// presets for that.
    package func withUsualPreset(realTime: Bool) throws(OptionError) -> Variant {
        guard preset == nil, !realTime, !settings.contains("RealTime=true"), try kind.hasPresets else { return self }
        var variant = self
        variant.preset = "medium"
        return variant
    }

    /// The encoder.
    package var kind: EncoderKind { get throws(OptionError) { try OptionParsing.encoder(encoder) } }

    /// Makes a configuration this variant's.
    package func apply(to configuration: inout SessionConfiguration) throws {
        configuration.preset = preset
        if let tune { configuration.tune = tune }
        try EncoderRecipe.apply(settings, to: &configuration)
    }
}
