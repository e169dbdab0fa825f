// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench
package import PictureQuality

extension TargetReport: TextReport {
    /// The report for people.
    package func text(width: Int?) -> String {
        guard let score = Score.named(score) else { return "" }
        let frames = answers.first.map { ", " + Format.counted($0.frames, "frame") } ?? ""
        var text = "\(clip)\(frames): \(score.goalText(goal)) or more\n\n"
        var table = TextTable([
            .words("encoder"), .words("tried"), .number("bytes"), .number("bit/s"), .number(score.heading),
        ])
        let tried = answers.map { ($0.variant, $0.trials) } + unfinished.map { ($0.variant, $0.trials) }
        for (variant, trials) in tried {
            for trial in trials {
                table.add([
                    variant, trial.rate, Format.grouped(trial.bytes),
                    Format.grouped(Int(trial.bitsPerSecond.rounded())), trial.text(score, goal: goal),
                ])
            }
        }
        if tried.contains(where: { !$0.1.isEmpty }) { text += table.text(width: width) + "\n" }
        for answer in answers {
            let (found, value) = (answer.found, answer.found.text(score, goal: goal))
            if answer.isReached {
                text += "\(answer.variant) reaches it at \(found.rate) (\(answer.step)): \(value), "
                text += "\(Format.bitRate(found.bitsPerSecond)), \(Format.grouped(found.bytes)) bytes"
                if let next = answer.next {
                    text += "; \(next.rate) has \(next.text(score, goal: goal)).\n"
                } else {
                    text += "; there is no cheaper setting.\n"
                }
            } else {
                let worst = answer.trials.min { $0.score ?? .infinity < $1.score ?? .infinity } ?? found
                let unit = score.unit.map { " " + $0 } ?? ""
                text += "\(answer.variant) does not reach it: the best is \(value) at \(found.rate); "
                text += "tried from \(worst.text(score, goal: goal)) to \(value)\(unit).\n"
            }
            if let prediction = answer.prediction { text += prediction.sentences(variant: answer.variant, score) }
            text += TextFold.command(answer.command, width: width) + "\n"
            if let command = answer.programCommand { text += TextFold.command(command, width: width) + "\n" }
            if let obstacle = answer.programObstacle { text += "  Note: \(obstacle).\n" }
            for adjustment in answer.adjustments { text += "  Note: \(adjustment).\n" }
        }
        if let disturbance { text += disturbance + "\n" }
        for share in shares {
            let need = "\(share.test) needs \(Format.percent(share.byteShare)) of \(share.anchor)'s bytes"
            text +=
                share.isAtGoal
                ? "At \(score.goalText(goal)) itself, between the two settings next to it, \(need).\n"
                : "At those settings, whose qualities are not equal, \(need).\n"
        }
        for failure in failures { text += "No answer for \(failure.point ?? failure.clip): \(failure.reason).\n" }
        for search in unfinished { text += "No answer for \(search.variant): interrupted.\n" }
        if answers.isEmpty { return text }
        return text
            + "\n\(score.title) by \(measuredBy). \(distinct(answers.map(\.library)).joined(separator: "; ")).\n"
    }
}

extension SamplePrediction {
    /// How sure the size and the quality of the whole are, and what encoding it takes.
    fileprivate func sentences(variant: String, _ score: Score) -> String {
        let bytes = [bytes.value, bytes.low, bytes.high].map { Format.grouped(Int($0.rounded())) }
        var text =
            "\(variant): the whole clip, \(Format.grouped(clipFrames)) frames, is predicted to take \(bytes[0]) bytes "
            + "[\(bytes[1]), \(bytes[2])]"
        if let quality {
            let values = [quality.value, quality.low, quality.high].map { Format.fixed($0, score.decimals) }
            text += ", to have \(score.title) of \(values[0]) [\(values[1]), \(values[2])]"
        }
        if let time = encodeSeconds {
            let times = [time.value, time.low, time.high].map { Format.duration($0) }
            text += " and \(times[0]) [\(times[1]), \(times[2])] of encoding on this machine"
        }
        let total = Format.grouped(scenes * sceneFrames)
        return text + ": 95 % intervals, from \(scenes) scenes, \(total) frames together, by seed \(seed).\n"
    }
}

extension TargetReport.Trial {
    /// Its quality, for people: with as many decimals as tell it from the goal.
    package func text(_ score: Score, goal: Double) -> String {
        self.score.map { Format.fixed($0, score.decimals, tellingFrom: goal) } ?? "equal"
    }
}
