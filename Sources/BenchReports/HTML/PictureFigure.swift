// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import FoundationEssentials
import MediaFiles
import PictureQuality

/// The source and two encodes of one picture, with their differences below.
struct PictureFigure {
    let plate: PicturePlate
    let series: [ChartSeries]
    /// Whether the encodes are files that something else made.
    let isOfFiles: Bool

    /// The figure, or a sentence that says why there is none.
    var html: String {
        switch plate.views {
        case .failure(let reason): HTML.paragraph("No pictures: \(reason).")
        case .success(let views): figure(views)
        }
    }

    private func figure(_ views: PicturePlate.Views) -> String {
        let change = (views.test.bitsPerSecond / views.anchor.bitsPerSecond - 1) * 100
        let part =
            views.isPart
            ? ", the \(views.region.width)x\(views.region.height) samples from \(views.region.x), \(views.region.y) on, "
                + "where both err most"
            : ""
        let bits = "\(Format.fixed(abs(change), 1)) % \(change < 0 ? "fewer" : "more") bits"
        let caption =
            "Frame \(views.frame), of median quality\(part). \(isOfFiles ? "" : "Both were encoded once more for this; ")"
            + "\(views.test.variant) at \(views.test.rate) takes \(bits) than \(views.anchor.variant) at "
            + "\(views.anchor.rate). The strips below are of the same two."
        let explanation =
            "Below each encode is how its luma differs from the source’s, \(PicturePlate.amplification) times as strong. "
            + "Mid-gray is no difference."
        let columns = [
            picture(views.source, views, alt: "Frame \(views.frame) of the source", caption: "<b>Source</b>")
                + HTML.element("p", ["class": "soft"], HTML.escaped(explanation)),
            side(views.anchor, views) + difference(views.anchor, views),
            side(views.test, views) + difference(views.test, views),
        ]
        return HTML.paragraph(caption)
            + HTML.element("div", ["class": "pictures"], columns.map { HTML.element("div", $0) }.joined())
    }

    private func side(_ side: PicturePlate.Side, _ views: PicturePlate.Views) -> String {
        let quality = side.decibels.map { "this frame’s PSNR-Y \(Format.fixed($0, 2)) dB" } ?? "equal to the source"
        return picture(
            side.picture, views,
            alt: "The same as \(side.variant) shows it at \(side.rate), \(Format.bitRate(side.bitsPerSecond))",
            caption: key(side) + "<b>\(HTML.escaped(side.variant))</b>, \(HTML.escaped(side.rate)), "
                + HTML.prose("\(Format.bitRate(side.bitsPerSecond)), \(quality)"),
            classes: color(side))
    }

    private func difference(_ side: PicturePlate.Side, _ views: PicturePlate.Views) -> String {
        picture(
            side.difference, views, alt: "Where \(side.variant) at \(side.rate) differs from the source",
            caption: key(side) + HTML.escaped("\(side.variant), \(side.rate) − source, ×\(PicturePlate.amplification)"),
            classes: color(side))
    }

    private func key(_ side: PicturePlate.Side) -> String {
        series.first { $0.label == side.variant }?.key ?? ""
    }

    private func color(_ side: PicturePlate.Side) -> String {
        series.first { $0.label == side.variant }?.classes ?? "s"
    }

    private func picture(
        _ png: [UInt8], _ views: PicturePlate.Views, alt: String, caption: String, classes: String = "s"
    ) -> String {
        let image = HTML.void(
            "img",
            [
                "src": "data:image/png;base64," + Data(png).base64EncodedString(), "alt": alt,
                "width": "\(views.region.width)", "height": "\(views.region.height)",
            ])
        return HTML.element("figure", ["class": classes], image + HTML.element("figcaption", caption)) + "\n"
    }
}
