// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
import Glibc
package import MediaFiles

/// A ready-made comparison of H.265 with H.264: a curve of H.264 and some of H.265, with the settings and the bit rates
/// that belong to the question.
///
/// Several curves of H.265 tell what it needs with as much CPU time as H.264 takes (``EqualCost``). A pairing is a
/// constant, and its line in ``all``.
package struct Pairing: Sendable {
    /// Its name in options.
    package let name: String
    /// What it is for, in words.
    package let summary: String
    package let anchor: Variant
    package let tests: [Variant]
    /// What to compare at, best first: for an encoder and a clip.
    package let rates: @Sendable (EncoderKind, VideoSourceInfo) -> [RateControl]

    /// All curves, the anchor first.
    package var curves: [Variant] { [anchor] + tests }

    /// The pairings there are.
    package static let all = [live, best, lowDelay]

    /// Live video at its best: nothing waits for a later picture, each encoder has the profile that it chooses, and
    /// H.265 the presets around the CPU time that H.264 takes.
    ///
    /// Without a lookahead and B pictures x264's presets are closer together than otherwise. On six clips of 176x144 to
    /// 1268x960 slower took 1.0 to 1.5 times what slow took, x265 ultrafast 0.66 to 0.85 times what slower took, and
    /// x265 slow 2.0 to 2.8 times: on some clips no preset of x265 takes as little as x264 slow.
    package static let live = Pairing(
        name: "live",
        summary: "x264 slower against x265 ultrafast, superfast, medium and slow, all in real time without "
            + "reordering, around 2 Mbit/s at 1280x720 and 30 frames/s, and at equal CPU time",
        anchor: Variant(encoder: EncoderKind.x264.name, preset: "slower", settings: realTime, name: "H.264 live"),
        tests: ["ultrafast", "superfast", "medium", "slow"].map { (preset: String) in
            Variant(
                encoder: EncoderKind.x265.name, preset: preset, settings: realTime, name: "H.265 live \(preset)")
        },
        rates: { _, clip in liveRates(clip) })

    /// Each library at its slow presets, around the CPU time that x264 takes at its slowest common one.
    package static let best = Pairing(
        name: "best",
        summary: "x264 veryslow against x265 medium, slow and veryslow, and at equal CPU time",
        anchor: Variant(encoder: EncoderKind.x264.name, preset: "veryslow", name: "H.264 best"),
        tests: ["medium", "slow", "veryslow"].map { (preset: String) in
            Variant(encoder: EncoderKind.x265.name, preset: preset, name: "H.265 best \(preset)")
        },
        rates: { kind, _ in kind.rates })

    /// As applications send live video through VideoToolbox, whatever that costs: `live` is the fair question.
    package static let lowDelay = Pairing(
        name: "low-delay",
        summary: "H.264 Baseline with CAVLC against HEVC Main, both in real time holding 3 frames at most, which gives "
            + "H.265 several times the CPU time; for one release more",
        anchor: Variant(
            encoder: EncoderKind.x264.name,
            settings: threeFrames + ["ProfileLevel=h264-baseline-auto", "H264EntropyMode=cavlc"],
            name: "H.264 low delay"),
        tests: [
            Variant(
                encoder: EncoderKind.x265.name, settings: threeFrames + ["ProfileLevel=hevc-main-auto"],
                name: "H.265 low delay")
        ],
        rates: { _, clip in liveRates(clip) })

    private static let realTime = ["RealTime=true", "AllowFrameReordering=false"]
    private static let threeFrames = realTime + ["MaxFrameDelayCount=3"]

    /// As many bits for each sample as 2 Mbit/s are at 1280x720 and 30 frames/s, and four times and a quarter of it.
    private static func liveRates(_ clip: VideoSourceInfo) -> [RateControl] {
        let samples = Double(clip.width * clip.height) * (clip.frameRate?.framesPerSecond ?? 25)
        let middle = 2_000_000 * samples / (1280 * 720 * 30)
        return [4, 2, 1, 0.5, 0.25].map { .averageBitRate(Int((middle * $0 / 1000).rounded(.up)) * 1000) }
    }
}
