// SPDX-License-Identifier: MIT

/// What a reader must know of a clip before believing its numbers.
enum ClipNotes {
    /// One sentence each.
    static func lines(_ clip: ClipFacts, _ points: [ComparisonReport.Point]) -> [String] {
        var lines: [String] = []
        if clip.isLossy {
            let rate = clip.bitsPerSecond.map { " at " + Format.bitRate(Double($0)) } ?? ""
            lines.append(
                "the source may have been compressed with loss\(rate): encoders then spend bits on its artefacts")
            let high = points.filter { $0.bitsPerSecond * 2 > Double(clip.bitsPerSecond ?? .max) }
            if !high.isEmpty {
                let names = high.map { "\($0.variant) \($0.rate)" }.joined(separator: ", ")
                lines.append("more than half of the source's own bit rate, where differences vanish: \(names)")
            }
        }
        lines += clip.conversions
        for point in points {
            guard let worst = point.value("psnr_y_worst_frame_db"),
                let mean = point.value("psnr_y_mean_of_frames_db"), worst < mean - 10
            else { continue }
            lines.append("\(point.variant) \(point.rate): the worst frame is 10 dB worse than the mean")
        }
        return lines
    }
}

/// What sessions did otherwise than asked: each sentence once, with the points it is about.
struct AdjustmentNotes {
    let study: Study
    let results: [PointSpec: PointResult]

    /// "x265 medium, crf 18: ..." or, where it is about all points of a variant, "x265 medium: ...".
    var lines: [String] {
        Analysis.unique(study.points.compactMap { results[$0] }.flatMap(\.adjustments)).map { text in
            let names = study.variants.indices.compactMap { name(ofVariant: $0, adjusted: text) }
            return "\(names.joined(separator: "; ")): \(text)"
        }
    }

    private func name(ofVariant index: Int, adjusted text: String) -> String? {
        let points = study.points.filter { $0.variant == index && results[$0] != nil }
        let adjusted = points.filter { results[$0]?.adjustments.contains(text) == true }
        guard !adjusted.isEmpty else { return nil }
        let label = study.variants[index].label
        if adjusted.count == points.count { return label }
        return label + ", " + Analysis.unique(adjusted.map(\.rate)).joined(separator: ", ")
    }
}
