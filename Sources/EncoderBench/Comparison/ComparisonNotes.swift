// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import PictureQuality

/// What a reader must know of a clip before believing its numbers.
package enum ClipNotes {
    /// One sentence each.
    package static func lines(_ clip: ClipFacts, _ points: [ComparisonReport.Point]) -> [String] {
        var lines: [String] = []
        if clip.isLossy {
            let rate = clip.bitsPerSecond.map { " at " + Format.bitRate(Double($0)) } ?? ""
            lines.append(
                "the source may have been compressed with loss\(rate): encoders then spend bits on its artifacts")
            let high = points.filter { $0.bitsPerSecond * 2 > Double(clip.bitsPerSecond ?? .max) }
            if !high.isEmpty {
                let names = high.map { "\($0.variant) \($0.rate)" }.joined(separator: ", ")
                lines.append("more than half of the source's own bit rate, where differences vanish: \(names)")
            }
        }
        lines += clip.conversions
        lines += depths(clip, points)
        for point in points {
            guard let other = points.standIn(for: point) else { continue }
            lines.append(
                "\(point.variant) \(point.rate): comes out as \(other.rate) does, which is on the curve in its place")
        }
        for point in points {
            guard let worst = point.value("psnr_y_worst_frame_db"),
                let mean = point.value("psnr_y_mean_of_frames_db"), worst < mean - 10
            else { continue }
            lines.append(
                "\(point.variant) \(point.rate): the worst frame is more than 10 dB worse than the mean of frames")
        }
        return lines
    }
}

extension ClipNotes {
    /// Encodes of more bits than the clip has, a sentence for each number.
    private static func depths(_ clip: ClipFacts, _ points: [ComparisonReport.Point]) -> [String] {
        let own = PixelFormat(rawValue: clip.pixelFormat)?.bitDepth ?? 8
        return Set(points.map(\.frames.bitDepth)).filter { $0 != own }.sorted().map { depth in
            let curves = distinct(points.filter { $0.frames.bitDepth == depth }.map(\.variant))
            // The largest sample against the largest of the clip, shifted.
            let peak = Double(1 << depth - 1) / Double((1 << own - 1) << (depth - own))
            return "\(curves.joined(separator: ", ")): compared with \(depth) bits, to which the clip's \(own) were "
                + "shifted; PSNR is \(Format.fixed(20 * log10(peak), 2)) dB more for the larger peak alone"
        }
    }
}

/// What sessions did otherwise than asked: each sentence once, with the points it is about.
package struct AdjustmentNotes {
    package let study: Study
    package let results: [PointSpec: PointResult]

    /// What the names of curves stand for.
    package var definitions: [String] {
        study.variants.compactMap { variant in variant.name.map { "\($0) is \(variant.description)" } }
    }

    /// "x265 medium, crf 18: ..." or, where it is about all points of some clips, "a.y4m: ...".
    package var lines: [String] {
        let known = study.points.filter { results[$0] != nil }
        return distinct(known.flatMap { results[$0]?.adjustments ?? [] }).map { text in
            let adjusted = known.filter { results[$0]?.adjustments.contains(text) == true }
            let clips = Set(adjusted.map(\.clip))
            let inTheseClips = known.filter { clips.contains($0.clip) }
            var names: [String] = []
            if clips.count < Set(known.map(\.clip)).count {
                names.append(clips.sorted().map { study.clips[$0].name }.joined(separator: ", "))
            }
            if names.isEmpty || adjusted.count < inTheseClips.count {
                names.append(Self.name(adjusted, among: inTheseClips, of: study))
            }
            return (names + [text]).joined(separator: ": ")
        }
    }

    /// The variants, with those of their rates that are meant unless it is all of them.
    private static func name(_ points: [PointSpec], among all: [PointSpec], of study: Study) -> String {
        study.variants.indices.compactMap { variant in
            let meant = points.filter { $0.variant == variant }
            guard !meant.isEmpty else { return nil }
            let label = study.variants[variant].label
            let own = all.filter { $0.variant == variant }
            guard meant.count < own.count else { return label }
            guard own.contains(where: { $0.work.scaledFrom != nil }) else {
                return label + ", " + distinct(meant.map(\.rate)).joined(separator: ", ")
            }
            return label + ", " + sizes(meant, among: own)
        }.joined(separator: "; ")
    }

    /// The sizes of a ladder, with those of their rates that are meant unless it is all of them.
    private static func sizes(_ points: [PointSpec], among all: [PointSpec]) -> String {
        func size(_ point: PointSpec) -> String { "\(point.work.width)x\(point.work.height)" }
        return distinct(points.map(size)).map { one in
            let meant = points.filter { size($0) == one }
            guard meant.count < all.count(where: { size($0) == one }) else { return one }
            return "\(one) at \(distinct(meant.map(\.work.rateLabel)).joined(separator: ", "))"
        }.joined(separator: ", ")
    }
}
