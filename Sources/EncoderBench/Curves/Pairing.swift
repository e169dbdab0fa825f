// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
import Glibc
package import MediaFiles

/// A ready-made comparison of H.265 with H.264: two curves, with the settings and the bit rates that belong to the
/// question.
///
/// A pairing is a constant, and its line in ``all``.
package struct Pairing: Sendable {
    /// Its name in options.
    package let name: String
    /// What it is for, in words.
    package let summary: String
    package let anchor: Variant
    package let test: Variant
    /// What to compare at, best first: for an encoder and a clip.
    package let rates: @Sendable (EncoderKind, VideoSourceInfo) -> [RateControl]

    /// The pairings there are.
    package static let all = [lowDelay, best]

    /// As applications send live video through VideoToolbox: nothing waits for a later picture, and few frames are
    /// held.
    package static let lowDelay = Pairing(
        name: "low-delay",
        summary:
            "H.264 Baseline with CAVLC against HEVC Main, both in real time without reordering, holding 3 frames at "
            + "most, around 2 Mbit/s at 1280x720 and 30 frames/s",
        anchor: Variant(
            encoder: EncoderKind.x264.name,
            settings: live + ["ProfileLevel=h264-baseline-auto", "H264EntropyMode=cavlc"],
            name: "H.264 low delay"),
        test: Variant(
            encoder: EncoderKind.x265.name, settings: live + ["ProfileLevel=hevc-main-auto"], name: "H.265 low delay"),
        rates: { _, clip in
            let samples = Double(clip.width * clip.height) * (clip.frameRate?.framesPerSecond ?? 25)
            let middle = 2_000_000 * samples / (1280 * 720 * 30)
            return [4, 2, 1, 0.5, 0.25].map { .averageBitRate(Int((middle * $0 / 1000).rounded(.up)) * 1000) }
        })

    private static let live = ["RealTime=true", "AllowFrameReordering=false", "MaxFrameDelayCount=3"]

    /// Each library at its slowest common preset, veryslow.
    package static let best = Pairing(
        name: "best", summary: "x264 against x265, both at preset veryslow",
        anchor: Variant(encoder: EncoderKind.x264.name, preset: "veryslow", name: "H.264 best"),
        test: Variant(encoder: EncoderKind.x265.name, preset: "veryslow", name: "H.265 best"),
        rates: { kind, _ in kind.rates })
}
