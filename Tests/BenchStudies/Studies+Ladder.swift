// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderBench
import Glibc

extension Studies {
    /// A clip of 640x320 and 4 frames in three sizes, each encoder at four quantizers.
    package static func ladder(
        encoders: [EncoderKind] = [.x264, .x265], failures: [Study.Failure] = []
    ) -> Study {
        var study = study(encoders: encoders, quantizers: [22, 28, 34, 40])
        (study.clips[0].width, study.clips[0].height) = (640, 320)
        study.failures = failures
        study.points = study.points.filter { !$0.isDefault }.flatMap { point in
            [(640, 320), (320, 160), (160, 80)].map { width, height in
                var point = point
                (point.work.width, point.work.height) = (width, height)
                if width < 640 { point.work.scaledFrom = ScaledFrom(width: 640, height: 320, filter: "none") }
                point.rate = "\(width)x\(height), " + point.rate
                return point
            }
        }
        return study
    }

    /// A result whose size and quality follow from the point: smaller pictures need fewer bytes, and lose what scaling
    /// takes; x265 needs 70 % of x264's bytes.
    package static func ladderResult(of point: PointSpec) -> PointResult {
        let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
        let share = point.work.encoder == "x265" ? 0.7 : 1
        let samples = Double(point.work.width * point.work.height) / (640 * 320)
        let bytes = 4_000_000 * share * pow(samples, 0.8) * pow(2, -quantizer / 6)
        // The errors of coding and of scaling add up.
        let coding = pow(10, -(60 - quantizer * 0.8) / 10)
        let scaling = samples < 1 ? pow(10, -(34 + 10 * samples) / 10) : 0
        return result(of: point, bytes: Int(bytes.rounded()), decibels: -10 * log10(coding + scaling))
    }
}
