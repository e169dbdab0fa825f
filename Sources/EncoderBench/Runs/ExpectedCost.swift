// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

extension PointWork {
    /// How long an encode of it takes beside others of its clip, roughly; 1 is libx264's medium preset at its default
    /// for each sample of a picture.
    ///
    /// It decides nothing but which is begun first.
    var expectedCost: Double {
        let preset = settings[Setting.preset.rawValue] ?? "medium"
        let usual = Self.presetCosts[encoder]?[preset] ?? 1
        let level = [Setting.constantRateFactor, .constantQuantizer].compactMap {
            settings[$0.rawValue].flatMap(Double.init)
        }.first
        // Fewer bits take less time: two and a half times less between the ends of a usual curve.
        return usual * Double(width * height) * exp2((23 - (level ?? 23)) / 12)
    }

    /// Measured at 640x360 and less, on one thread.
    private static let presetCosts = [
        "x264": [
            "ultrafast": 0.2, "superfast": 0.35, "veryfast": 0.45, "faster": 0.65, "fast": 0.85, "medium": 1,
            "slow": 1.4, "slower": 2.5, "veryslow": 4.3, "placebo": 15,
        ],
        "x265": [
            "ultrafast": 0.7, "superfast": 0.9, "veryfast": 1.5, "faster": 1.5, "fast": 1.7, "medium": 2.1, "slow": 5,
            "slower": 13, "veryslow": 20, "placebo": 50,
        ],
    ]
}

extension Study {
    /// Its pieces clip by clip, of each clip those that take longest first: with as many jobs as cores none of these
    /// is idle while a long encode that was begun last ends.
    var longestFirst: [[PointSpec]] {
        let pieces = pieces
        let costs = pieces.map { $0[0].work.expectedCost }
        return pieces.indices.sorted { first, second in
            let (one, other) = (pieces[first][0].clip, pieces[second][0].clip)
            return (one, -costs[first], first) < (other, -costs[second], second)
        }.map { pieces[$0] }
    }
}
