// SPDX-License-Identifier: MIT

package import PictureQuality

/// A quality to reach: `--vmaf 93`, with the names of the table of metrics.
package struct TargetGoal: Equatable, Sendable {
    package var metric: Metric
    package var value: Double

    package init(metric: Metric, value: Double) {
        self.metric = metric
        self.value = value
    }

    /// The number that has to be reached.
    package var score: Score { metric.scores[0] }

    /// "VMAF 93.00", "PSNR-Y 40.00 dB".
    package var text: String { score.goalText(value) }
}
