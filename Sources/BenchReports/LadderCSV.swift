// SPDX-License-Identifier: MIT

package import EncoderBench
import PictureQuality

/// A ladder as lines of values.
package enum LadderCSV {
    /// A line of titles, then one for each encode, as RFC 4180 writes them; a score is empty where pictures equal their
    /// sources.
    package static func bytes(_ report: LadderReport) -> [UInt8] {
        let known = Set(report.clips.flatMap { $0.points.flatMap(\.scores.keys) })
        let scores = Metric.all.scores.map(\.id).filter(known.contains)
        var lines = [titles + scores]
        for clip in report.clips {
            let (corners, rungs) = (Set(clip.curves.flatMap(\.corners)), Set(clip.curves.flatMap(\.rungs)))
            let (best, front) = (Set(clip.best?.corners ?? []), Set(clip.curves.flatMap(\.front)))
            for (place, point) in clip.points.enumerated() {
                let source = [clip.name, "\(clip.width)", "\(clip.height)", "\(clip.frames)", "\(clip.seconds)"]
                let encode = [
                    point.variant, point.codec, "\(point.width)", "\(point.height)", point.rate, "\(point.bytes)",
                    "\(point.bitsPerSecond)",
                ]
                let places = [corners, best, front, rungs].map { "\($0.contains(place))" }
                lines.append(source + encode + places + scores.map { id in point.value(id).map { "\($0)" } ?? "" })
            }
        }
        return Array(lines.map { $0.map(CSV.field).joined(separator: ",") + "\r\n" }.joined().utf8)
    }

    private static let titles = [
        "clip", "clip_width", "clip_height", "frames", "seconds", "variant", "codec", "width", "height", "rate",
        "bytes",
        "bits_per_second", "on_hull", "on_best_hull", "on_front", "rung",
    ]
}
