// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

/// What a comparison knows of one back end.
private struct ComparedEncoder {
    let rates: [RateControl]
    var usualRateFactor: Double?
    var usualKeyFrameLimit: Int? = 250
    var shownOption: NativeOption?
    var program: EncoderProgram?
    let installation: String

    static let all: [EncoderKind: ComparedEncoder] = [
        .x264: ComparedEncoder(
            rates: [17, 21, 25, 29, 33].map(RateControl.constantRateFactor), usualRateFactor: 23,
            shownOption: NativeOption("aq-mode", "0"), program: .x264,
            installation: "a libx264 that takes 4:2:0: apt install libx264-dev"),
        .x265: ComparedEncoder(
            rates: [18, 22, 26, 30, 34].map(RateControl.constantRateFactor), usualRateFactor: 28,
            shownOption: NativeOption("aq-mode", "0"), program: .x265,
            installation: "apt install libx265-dev, then build encbench again"),
        .openh264: ComparedEncoder(
            rates: [20, 24, 28, 32, 36].map(RateControl.constantQuantizer), usualKeyFrameLimit: nil,
            installation: "apt install libopenh264-7"),
        .vaapi: ComparedEncoder(
            rates: [22, 26, 30, 34, 38].map(RateControl.constantQuantizer),
            installation: "a GPU that encodes, and its driver"),
    ]
}

extension EncoderKind {
    private var compared: ComparedEncoder {
        guard let compared = ComparedEncoder.all[self] else { preconditionFailure("no comparison knows \(name)") }
        return compared
    }

    /// What to compare at, best first; chosen so that all encoders come to about the same qualities.
    package var rates: [RateControl] { compared.rates }

    /// The rate factor that the library takes unasked; nil where it has none.
    package var usualRateFactor: Double? { compared.usualRateFactor }

    /// Pictures from one key frame to the next at most where nothing is asked for; nil where there is no limit.
    package var usualKeyFrameLimit: Int? { compared.usualKeyFrameLimit }

    /// An option of the library that shows in the stream of any picture; nil where it has none.
    package var shownOption: NativeOption? { compared.shownOption }

    /// The library's own program; nil where it has none.
    package var program: EncoderProgram? { compared.program }

    /// How to get it when it is missing.
    package var installation: String { compared.installation }
}
