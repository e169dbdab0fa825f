// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport

/// Names that libx264 knows, checked before it sees them: it complains of others on standard error.
enum X264Names {
    /// `x264_tune_names`.
    static let tunes = psychovisualTunes + ["fastdecode", "zerolatency"]

    /// Tunes of which only one can be had.
    private static let psychovisualTunes = ["film", "animation", "grain", "stillimage", "psnr", "ssim"]

    /// What may stand between two tunes.
    private static let tuneSeparators: Set<Character> = [",", ".", "/", "-", "+"]

    /// Refuses names the library does not know.
    ///
    /// - Parameters:
    ///   - preset: One of ``X264Family/presets``, or nil.
    ///   - tune: One or more of ``tunes`` with a comma between them, or nil.
    /// - Throws: ``EncoderError`` that names the legal ones.
    static func check(preset: String?, tune: String?) throws(EncoderError) {
        try X264Family.check(preset: preset)
        guard let tune else { return }
        let parts = tune.split(omittingEmptySubsequences: false, whereSeparator: tuneSeparators.contains)
        guard parts.allSatisfy({ part in tunes.contains { $0 == part } }),
            parts.count(where: { part in psychovisualTunes.contains { $0 == part } }) <= 1
        else {
            throw EncoderError(
                .invalidValue,
                reason: "tune \"\(tune)\", expected one of \(psychovisualTunes.joined(separator: ", ")) and any of "
                    + "fastdecode, zerolatency, with commas", setting: .tune)
        }
    }

    /// The library's name of a profile; nil where it has none.
    static func profile(_ profile: Profile) -> String? {
        switch profile {
        case .h264Baseline, .h264ConstrainedBaseline: "baseline"
        case .h264Main: "main"
        case .h264High, .h264ConstrainedHigh: "high"
        case .h264High10: "high10"
        case .hevcMain, .hevcMain10, .hevcMain12: nil
        }
    }
}
