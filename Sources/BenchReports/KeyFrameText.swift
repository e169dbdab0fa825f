// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench
import PictureQuality

extension KeyFrameReport: QuestionReport {
    package var broken: [String] {
        entries.flatMap { entry in
            let missing = entry.keyFrames.filter { !$0.isIDR }.map { "\($0.frame)" }
            let name = "\(entry.clip), \(entry.variant): "
            let lost = missing.isEmpty ? [] : [name + "no IDR at " + missing.joined(separator: ", ")]
            return lost + entry.intervals.filter { !$0.isKept }.map { name + $0.text }
        }
    }

    /// The report for people.
    package func text(width: Int?) -> String {
        var text = ""
        for entry in entries { text += self.text(entry, width: width) + "\n" }
        let legend = """
            without: the same picture where no key frame is forced.
            dip: the largest fall of PSNR-Y in the half second from there, or up to the next forced key frame.
            """
        return text + ending(legend, libraries: entries.map(\.library)) + "\n"
    }

    private func text(_ entry: Entry, width: Int?) -> String {
        var table = TextTable([
            .number("frame"), .number("s"), .words("IDR"), .number("bytes"), .number("without"), .number("PSNR-Y dB"),
            .number("without"), .number("dip dB"),
        ])
        for key in entry.keyFrames {
            table.add([
                "\(key.frame)", Format.fixed(key.seconds, 2), key.isIDR ? "yes" : "NO", Format.grouped(key.bytes),
                Format.grouped(key.plainBytes), Format.fixed(key.psnr, 2), Format.fixed(key.plainPSNR, 2),
                Format.fixed(key.dip, 2),
            ])
        }
        let honored = entry.keyFrames.count(where: \.isIDR)
        var text =
            "\(entry.clip), \(entry.variant), \(entry.rate), \(Format.counted(entry.frames, "frame"))\n\n"
            + table.text(width: width) + "\n"
        let isOne = entry.keyFrames.count == 1
        text += "\(honored) of \(Format.counted(entry.keyFrames.count, "forced key frame")) "
        text += "\(honored == 1 ? "is" : "are") IDR"
        if !entry.otherKeyFrames.isEmpty {
            text += "; \(entry.otherKeyFrames.count) more at \(Self.list(entry.otherKeyFrames))"
        }
        text += ".\n"
        text += entry.equalQualityText + "\n"
        let change = Format.change(Double(entry.bytes) / Double(max(entry.plainBytes, 1)) - 1)
        text += "At the same setting \(isOne ? "it costs" : "they cost") \(change) of the bytes "
        text += "(\(Format.grouped(entry.bytes)), "
        text += "without \(Format.grouped(entry.plainBytes)))"
        if let psnr = entry.psnr, let plain = entry.plainPSNR {
            text += " and \(psnr > plain ? "+" : "")\(Format.fixed(psnr - plain, 2)) dB of PSNR-Y"
        }
        text += ".\n"
        for interval in entry.intervals { text += "Asked for \(interval.text).\n" }
        for adjustment in entry.adjustments { text += "Note: \(adjustment).\n" }
        return text
    }

    /// Numbers, with "..." for the middle of a long list.
    private static func list(_ numbers: [Int]) -> String {
        let words = numbers.map(String.init)
        let shown = words.count <= 12 ? words : words.prefix(10) + ["...", words[words.count - 1]]
        return shown.joined(separator: ", ")
    }
}

extension KeyFrameReport.Entry {
    /// What all forced key frames cost at equal quality, with its full stop; or why that is not known.
    var equalQualityText: String {
        let isOne = keyFrames.count == 1
        let subject = Format.counted(keyFrames.count, "forced key frame")
        guard let bytesAtEqualQuality, let plainPSNR, plainBytes > 0 else {
            return "What \(subject) \(isOne ? "costs" : "cost") at the same quality is not known: no two encodes lie "
                + "around it."
        }
        let change = bytesAtEqualQuality / Double(plainBytes) - 1
        let amount = "\(Format.percent(abs(change))) \(change < 0 ? "fewer" : "more") bytes"
        let pace = spacing.map { ", one every \(Format.fixed($0, 2)) s," } ?? ""
        return "At the same quality (PSNR-Y \(Format.fixed(plainPSNR, 2)) dB), \(subject)\(pace) "
            + "take\(isOne ? "s" : "") \(amount), between \(equalQualityRates.joined(separator: " and "))."
    }

    /// The time from one key frame to the next, from the clip's beginning on; nil where these times differ by more than
    /// a tenth.
    private var spacing: Double? {
        let times = [0] + keyFrames.map(\.seconds)
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        guard let least = steps.min(), let most = steps.max(), least > 0, most <= 1.1 * least else { return nil }
        return steps.reduce(0, +) / Double(steps.count)
    }
}

extension KeyFrameInterval {
    /// "a key frame every 30 frames: kept".
    var text: String {
        let promise = frames.map { Format.counted($0, "frame") } ?? "\(Format.shortest(seconds ?? 0)) s"
        return "a key frame every \(promise): " + (brokenAt.map { "missing at frame \($0)" } ?? "kept")
    }
}
