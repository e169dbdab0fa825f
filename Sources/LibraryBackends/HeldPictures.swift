// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What of a preset holds pictures, and what a frame delay or real time leaves of it: pure.
package struct HeldPictures: Equatable, Sendable {
    /// Most B pictures in a row.
    package var bPictures: Int
    /// Pictures that the library looks ahead.
    package var lookahead: Int

    /// What a preset holds, or what is left of it.
    package init(bPictures: Int, lookahead: Int) {
        self.bPictures = bPictures
        self.lookahead = lookahead
    }

    /// What becomes of real time and of a preset that is named, where the pictures held are these and not those of the
    /// preset.
    package func adjustments(_ request: SessionConfiguration, preset: HeldPictures) -> [Adjustment] {
        guard let name = request.preset else { return [] }
        var adjustments: [Adjustment] = []
        if request.realTime {
            adjustments.append(
                Adjustment(
                    .realTime, requested: "true", used: "preset \(name), with the delay it has",
                    reason: "a preset that is asked for wins"))
        }
        if bPictures < preset.bPictures || lookahead < preset.lookahead {
            adjustments.append(
                Adjustment(
                    .preset, requested: name,
                    used: "\(name) with at most \(bPictures) B pictures in a row and a lookahead of \(lookahead)",
                    reason: "the frame delay allows no more"))
        }
        return adjustments
    }
}

extension SessionConfiguration {
    /// Whether real time decides how fast the library is: a preset that is asked for wins.
    package var isLive: Bool { realTime && preset == nil }

    /// Refuses an encoder that holds more pictures than may be held, as native options can make it.
    ///
    /// - Parameters:
    ///   - count: Most pictures that it holds.
    ///   - holder: What holds them, as the subject of a sentence.
    /// - Throws: ``EncoderError`` with `.conflictingSettings` that names both numbers.
    package func checkDelay(of count: Int, heldBy holder: String) throws(EncoderError) {
        guard let limit = maxFrameDelayCount, count > limit else { return }
        throw EncoderError(
            .conflictingSettings, reason: "\(holder) hold \(count) frames, expected at most \(limit)",
            setting: .maxFrameDelayCount)
    }
}

extension EncodingPlan {
    /// Refuses B pictures that native options bring where frames must not be reordered.
    package func check(bPictures count: some BinaryInteger) throws(EncoderError) {
        guard !allowFrameReordering, count != 0 else { return }
        throw EncoderError(
            .conflictingSettings, reason: "\(count) B pictures where frames must not be reordered",
            setting: .allowFrameReordering)
    }

    /// The terms of the frame rate, as libraries have them.
    ///
    /// - Throws: ``EncoderError`` with `.invalidValue` where they are not 1 to 2^32 - 1.
    package func frameRateTerms() throws(EncoderError) -> (numerator: UInt32, denominator: UInt32) {
        let terms = (UInt32(clamping: frameRate.numerator), UInt32(clamping: frameRate.denominator))
        guard terms.0 > 0, terms.1 > 0, terms.0 == frameRate.numerator, terms.1 == frameRate.denominator else {
            throw EncoderError(
                .invalidValue, reason: "frame rate \(frameRate), expected terms in 1...\(UInt32.max)",
                setting: .expectedFrameRate)
        }
        return terms
    }
}
