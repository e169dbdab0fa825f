// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

/// All that a page has of one clip.
struct ClipSection {
    let report: ComparisonReport
    let clip: ComparisonReport.Clip
    /// The clip's place in the report, from 1.
    let number: Int
    let series: [ChartSeries]

    /// The section.
    var html: String {
        let title = "clip-\(number)-title"
        var html = HTML.element("h2", ["id": title], HTML.breakable(clip.name))
        let charts = report.scores.shown.compactMap { score in
            RateQualityChart(clip: clip, score: score, series: series).svg.map { HTML.element("figure", $0) }
        }
        html += HTML.element("div", ["class": "charts"], charts.joined())
        html += report.details(of: clip).html()
        for pair in clip.pairs {
            let plate = report.pictures.first {
                $0.clip == clip.digest && $0.anchor == pair.anchor && $0.test == pair.test
            }
            html += pictures(pair, plate) + strips(pair, plate)
        }
        return HTML.element("section", ["id": "clip-\(number)", "aria-labelledby": title], html)
    }

    private func title(_ text: String, _ pair: PairComparison) -> String {
        let names = clip.pairs.count > 1 ? ": \(pair.test) against \(pair.anchor)" : ""
        return HTML.element("h3", HTML.escaped(text + names))
    }

    private func pictures(_ pair: PairComparison, _ plate: PicturePlate?) -> String {
        guard let plate else { return "" }
        let figure = PictureFigure(plate: plate, series: series, isOfFiles: report.processors.isEmpty)
        return title("Side by side at about equal bit rate", pair) + figure.html
            + (figure.worst.map { title("The worst scene at about equal bit rate", pair) + $0 } ?? "")
    }

    /// The encodes that the pictures show, frame by frame; without pictures, points of nearest bit rate.
    private func strips(_ pair: PairComparison, _ plate: PicturePlate?) -> String {
        guard let (anchor, test) = plate?.stripEncodes ?? clip.nearestPoints(pair) else { return "" }
        let knowsTypes = !(anchor.frames.types + test.frames.types).contains("")
        let rates = [anchor, test].map { "\($0.name), \(Format.bitRate($0.bitsPerSecond))" }
        var notes = [rates.joined(separator: ", and ") + (plate?.stripEncodes == nil ? "." : ", as in the pictures.")]
        if knowsTypes { notes.append("Bars are full for I frames, paler for P, and hollow for B.") }
        if anchor.frames.quantizers != nil {
            notes.append(
                "Quantizers are the picture's mean where the encoder reports one, as x265 does; otherwise what its slices start from."
            )
        }
        let strips = FrameStrips(anchor: anchor, test: test, scores: report.scores.compared, series: series).svg
        return title("Frame by frame", pair)
            + HTML.element(
                "figure", ["class": "strips"],
                HTML.scrolling(
                    "Frame by frame on \(clip.name): \(pair.test) against \(pair.anchor)", strips)
                    + HTML.element("figcaption", HTML.prose(notes.joined(separator: " "))))
    }
}

extension ComparisonReport.Clip {
    /// The anchor's point in the middle of its bit rates, and the test's of the nearest; nil where one has none.
    func nearestPoints(_ pair: PairComparison) -> (anchor: FrameStrips.Encode, test: FrameStrips.Encode)? {
        func curve(_ label: String) -> [ComparisonReport.Point] {
            points.filter { $0.variant == label && !$0.isDefault && $0.bitsPerSecond > 0 }.sorted {
                $0.bitsPerSecond < $1.bitsPerSecond
            }
        }
        let anchors = curve(pair.anchor)
        guard !anchors.isEmpty else { return nil }
        let anchor = anchors[anchors.count / 2]
        func distance(_ point: ComparisonReport.Point) -> Double {
            let ratio = point.bitsPerSecond / anchor.bitsPerSecond
            return max(ratio, 1 / ratio)
        }
        func encode(_ point: ComparisonReport.Point) -> FrameStrips.Encode {
            FrameStrips.Encode(
                variant: point.variant, rate: point.rate, bitsPerSecond: point.bitsPerSecond, frames: point.frames)
        }
        return curve(pair.test).min { distance($0) < distance($1) }.map { (encode(anchor), encode($0)) }
    }
}

extension PicturePlate {
    /// The encodes that its pictures are of; nil without pictures.
    fileprivate var stripEncodes: (anchor: FrameStrips.Encode, test: FrameStrips.Encode)? {
        guard case .success(let views) = views else { return nil }
        func encode(_ side: Side) -> FrameStrips.Encode {
            FrameStrips.Encode(
                variant: side.variant, rate: side.rate, bitsPerSecond: side.bitsPerSecond, frames: side.frames)
        }
        return (encode(views.anchor), encode(views.test))
    }
}
