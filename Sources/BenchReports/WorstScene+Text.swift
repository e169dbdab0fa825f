// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension ComparisonReport {
    /// Where each pair's curve is worst beside its anchor on a clip; without rows where frames have no values.
    func worstScenes(of clip: Clip) -> TextTable {
        let score = scores.compared.first
        var table = TextTable([
            .words("worst scenes"), .words("at"), .number("from s"), .number("to s"),
            .number(score?.heading ?? "quality"), .number("beside"), .number("change"),
        ])
        for pair in clip.pairs {
            for scene in pair.worstScenes {
                table.add(
                    ["\(pair.test) against \(pair.anchor)", scene.anchorRate] + scene.times
                        + [scene.testQuality, scene.anchorQuality].map { Format.fixed($0, score?.decimals ?? 2) }
                        + [scene.changeText(score)])
            }
        }
        return table
    }

    /// What that table is of, with its full stop.
    var worstScenesNote: String {
        "Worst scenes: where a curve is worst beside the one that it is held against, at the bit rate of the encode that "
            + "is named; or where it gains least, if it is nowhere worse."
    }
}

extension WorstScene {
    /// When it begins and ends: "1.25", "2.25".
    var times: [String] { [seconds, seconds + duration].map { Format.fixed($0, 2) } }

    /// "-1.20", "+0.35".
    func changeText(_ score: Score?) -> String {
        (change > 0 ? "+" : "") + Format.fixed(change, score?.decimals ?? 2)
    }
}
