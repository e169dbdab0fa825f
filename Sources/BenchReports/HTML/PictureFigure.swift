// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import FoundationEssentials
import MediaFiles
import PictureQuality

/// The source and two encodes of a typical picture and of the worst one, with their differences below.
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

    /// The worst picture of the worst scene; nil where it is the one above, or not known.
    var worst: String? {
        plate.worst.map { worst in
            let (scene, names) = (worst.scene, (plate.test, plate.anchor))
            let verb = scene.change < 0 ? "is worst beside" : "gains least on"
            let lead =
                "Frame \(worst.views.frame), of the scene from \(scene.times[0]) to \(scene.times[1]) s, in which "
                + "\(names.0) \(verb) \(names.1)\(part(worst.views)). "
            return figure(worst.views, caption: lead + bits(worst.views) + ".")
        }
    }

    private func figure(_ views: PicturePlate.Views) -> String {
        figure(
            views,
            caption: "Frame \(views.frame), of median quality\(part(views)). "
                + "\(isOfFiles ? "" : "Both were encoded once more for this; ")\(bits(views)). The strips below are of the "
                + "same two.")
    }

    /// ", the 320x180 samples from 0, 16 on, where both err most"; empty where all of a picture is shown.
    private func part(_ views: PicturePlate.Views) -> String {
        guard views.isPart else { return "" }
        let region = views.region
        return ", the \(region.width)x\(region.height) samples from \(region.x), \(region.y) on, where both err most"
    }

    /// "x265 medium at crf 26 takes 2.0 % fewer bits than x264 medium at crf 25".
    private func bits(_ views: PicturePlate.Views) -> String {
        let change = (views.test.bitsPerSecond / views.anchor.bitsPerSecond - 1) * 100
        let bits = "\(Format.fixed(abs(change), 1)) % \(change < 0 ? "fewer" : "more") bits"
        return "\(views.test.variant) at \(views.test.rate) takes \(bits) than \(views.anchor.variant) at "
            + "\(views.anchor.rate)"
    }

    private func figure(_ views: PicturePlate.Views, caption: String) -> String {
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
