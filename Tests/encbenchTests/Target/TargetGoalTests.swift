// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct TargetGoalTests {
    @Test("each metric of the table is a goal by its own name", arguments: Metric.all)
    func names(metric: Metric) throws {
        for words in [["in.y4m", "--\(metric)", "0.93"], ["--\(metric)=0.93", "in.y4m"]] {
            let (goal, inputs) = try TargetGoal.parse(words)
            #expect(goal == TargetGoal(metric: metric, value: 0.93) && inputs == ["in.y4m"])
        }
        #expect(try TargetGoal.parse(["--\(metric)", "1", "-"]).inputs == ["-"])
    }

    @Test(
        "what is no goal is refused with its name",
        arguments: [
            (["in.y4m"], "no goal, expected one of --psnr, --ssim, "), (["--psnr"], "--psnr lacks its value"),
            (["--psnr", "x"], "--psnr 'x', expected a number over 0"), (["--psnr", "-3"], "--psnr '-3', expected"),
            (["--psnr", "1", "--vmaf", "2"], "more than one goal, expected"),
            (["--vmaf", "100.1"], "--vmaf '100.1', expected a number over 0 and at most 100"),
            (["--ssim", "40"], "--ssim '40', expected a number over 0 and at most 1"),
            (["--vmav", "3"], "unknown option '--vmav'"),
        ])
    func refusals(words: [String], message: String) {
        let error = #expect(throws: OptionError.self) { try TargetGoal.parse(words) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}
