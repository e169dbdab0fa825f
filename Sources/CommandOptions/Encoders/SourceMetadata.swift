// SPDX-License-Identifier: MIT

package import EncoderAPI
package import MediaFiles
import ParameterSets

/// What a source says of its pictures that no setting of a session says, and that libraries write by options of their
/// own.
package struct SourceMetadata: Equatable, Sendable {
    /// What a library calls the options.
    package struct OptionNames: Equatable, Sendable {
        /// Takes chroma_sample_loc_type.
        package var chromaSampleLocation = "chromaloc"
        /// Takes "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)".
        package var masteringDisplay: String
        /// Takes "max,average".
        package var contentLightLevel: String
    }

    /// chroma_sample_loc_type; nil for 0 (left), which decoders assume where the stream has no value, and where the
    /// file does not say.
    package var chromaSampleLocation: Int?
    package var masteringDisplay: MasteringDisplay?
    package var contentLightLevel: ContentLightLevel?

    /// What a file says.
    package init(_ info: VideoSourceInfo) {
        // Without a word, chroma samples lie left, which is 0.
        chromaSampleLocation = info.chromaSampleLocation.flatMap { (1...5).contains($0) ? $0 : nil }
        masteringDisplay = info.masteringDisplay
        contentLightLevel = info.contentLightLevel
    }

    /// Nothing.
    package init() {}

    /// All of it in a library's options.
    package func options(_ names: OptionNames) -> [NativeOption] {
        var options: [NativeOption] = []
        if let chromaSampleLocation {
            options.append(NativeOption(names.chromaSampleLocation, "\(chromaSampleLocation)"))
        }
        if let display = masteringDisplay, display.displayPrimaries.count == 3 {
            let points = zip(["G", "B", "R", "WP"], display.displayPrimaries + [display.whitePoint])
            let luminance = "L(\(display.maxDisplayMasteringLuminance),\(display.minDisplayMasteringLuminance))"
            options.append(
                NativeOption(
                    names.masteringDisplay, points.map { "\($0)(\($1.x),\($1.y))" }.joined() + luminance))
        }
        if let light = contentLightLevel {
            options.append(
                NativeOption(
                    names.contentLightLevel, "\(light.maxContentLightLevel),\(light.maxPicAverageLightLevel)"))
        }
        return options
    }

    /// What a library without such options leaves out; a sentence each.
    package var omissions: [String] {
        let places = [1: "center", 2: "top left", 3: "top", 4: "bottom left", 5: "bottom"]
        var notes =
            chromaSampleLocation.flatMap { places[$0] }.map {
                ["its chroma samples lie \($0), which the stream does not say: players take them to lie left"]
            } ?? []
        if masteringDisplay != nil || contentLightLevel != nil {
            notes.append("its HDR metadata, mastering display and light levels, are not carried over")
        }
        return notes
    }
}
