// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What holds pictures inside a library: what preset and tune ask for, or what a frame delay or real time leaves of it.
package struct HeldPictures: Equatable, Sendable {
    /// Most B pictures in a row.
    package var bPictures: Int
    /// Pictures that the library looks ahead.
    package var lookahead: Int
    /// Pictures coded at once; nil for the library's choice.
    package var frameThreads: Int?
    /// What holds pictures besides, as nouns.
    package var others: [String]

    /// Takes what the library's parameters say.
    package init(bPictures: Int, lookahead: Int, frameThreads: Int?, others: [String] = []) {
        self.bPictures = bPictures
        self.lookahead = lookahead
        self.frameThreads = frameThreads
        self.others = others
    }

    /// What becomes of a preset and of a tune that are named, where the pictures held are these.
    ///
    /// - Parameters:
    ///   - request: Names both.
    ///   - asked: What preset and tune hold together.
    ///   - untuned: What the preset holds without the tune: a tune is listed only where it adds to that.
    /// - Returns: None where both are kept.
    package func adjustments(
        _ request: SessionConfiguration, asked: HeldPictures, untuned: HeldPictures
    ) -> [Adjustment] {
        let isLess = bPictures < asked.bPictures || lookahead < asked.lookahead
        let isSlower = request.realTime && hasFewerThreads(than: asked)
        let isTuned = asked.bPictures > untuned.bPictures || asked.lookahead > untuned.lookahead
        var names: [(setting: Setting, name: String)] = []
        if let preset = request.preset, isLess || isSlower { names.append((.preset, preset)) }
        if let tune = request.tune, isLess, isTuned { names.append((.tune, tune)) }
        var left = "at most \(bPictures) B pictures in a row and a lookahead of \(lookahead)"
        if request.realTime, let frameThreads { left += ", coding at most \(frameThreads) at once" }
        let reason = request.realTime ? "real time holds no pictures" : "the frame delay allows no more"
        return names.map { setting, name in
            Adjustment(setting, requested: name, used: "\(name) with \(left)", reason: reason)
        }
    }

    private func hasFewerThreads(than asked: HeldPictures) -> Bool {
        guard let frameThreads else { return false }
        return asked.frameThreads.map { frameThreads < $0 } ?? true
    }

    /// What holds the pictures, as the subject of a sentence.
    package var holder: String {
        let threads = frameThreads.map { "\($0) frame threads" } ?? "frame threads"
        let holders = ["\(lookahead) pictures of lookahead", "\(bPictures) B pictures", threads] + others
        return holders.dropLast().joined(separator: ", ") + " and \(holders.last ?? threads)"
    }
}

extension SessionConfiguration {
    /// Refuses an encoder that holds more pictures than may be held, as native options can make it, and lists one that
    /// holds any in real time: threads that are asked for, native options that may hold some, or threads that large
    /// pictures need.
    ///
    /// - Parameters:
    ///   - count: Most pictures that it holds.
    ///   - held: What holds them.
    /// - Returns: None unless real time is asked for.
    /// - Throws: ``EncoderError`` with `.conflictingSettings` that names both numbers.
    package func checkDelay(of count: Int, heldBy held: HeldPictures) throws(EncoderError) -> [Adjustment] {
        if let limit = maxFrameDelayCount, count > limit {
            throw EncoderError(
                .conflictingSettings, reason: "\(held.holder) hold \(count) frames, expected at most \(limit)",
                setting: .maxFrameDelayCount)
        }
        guard realTime, count > 0 else { return [] }
        return [
            Adjustment(
                .realTime, requested: "true", used: "up to \(count) frames held", reason: "\(held.holder) hold them")
        ]
    }
}

extension EncodingPlan {
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
