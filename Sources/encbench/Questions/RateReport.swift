// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

/// How exactly encoders keep bit rates and data-rate limits.
struct RateReport: QuestionReport, Codable, Equatable {
    /// One encode.
    struct Entry: Codable, Equatable, Sendable {
        var clip: String
        /// "x264 medium".
        var variant: String
        var library: String
        /// What was asked for: "800000 bit/s, peak 1.5x".
        var rate: String
        var askedBitsPerSecond: Int
        var bitsPerSecond: Double
        var bytes: Int
        var seconds: Double
        var frames: Int
        /// Frames that were taken, and that rate control left out of the stream.
        var dropped: Int
        /// The limits that were asked for, or one window without a limit.
        var windows: [Window]
        /// What the session did otherwise than asked.
        var adjustments: [String]

        /// How much more came out than was asked for; -0.1 is 10 % less.
        var deviation: Double { bitsPerSecond / Double(askedBitsPerSecond) - 1 }

        enum CodingKeys: String, CodingKey {
            case clip, variant, library, rate, bytes, seconds, frames, dropped, windows, adjustments
            case askedBitsPerSecond = "asked_bits_per_second"
            case bitsPerSecond = "bits_per_second"
        }
    }

    /// Windows of one length.
    struct Window: Codable, Equatable, Sendable {
        var seconds: Double
        /// Bytes that a window may carry; nil without a limit.
        var limitBytes: Int?
        /// What the largest carries.
        var largest: LargestWindow

        /// Whether the limit is broken.
        var isBroken: Bool { largest.bytes > limitBytes ?? .max }

        enum CodingKeys: String, CodingKey {
            case seconds, largest
            case limitBytes = "limit_bytes"
        }
    }

    var schemaVersion = 1
    /// The version of this program.
    var encbench = VersionText.package
    var entries: [Entry] = []
    var failures: [Study.Failure]
    var isInterrupted: Bool

    enum CodingKeys: String, CodingKey {
        case encbench, entries, failures
        case schemaVersion = "schema_version"
        case isInterrupted = "interrupted"
    }

    /// Bit rates that suit a clip's pictures: around a twentieth of a bit for each sample, in two digits.
    static func usualRates(for clip: ClipFacts) -> [Int] {
        let middle = Double(clip.width * clip.height) * (clip.framesPerSecond ?? 25) / 20
        return [0.5, 1, 2].map { share in
            var (rate, unit) = (middle * share, 1.0)
            while rate / unit >= 100 { unit *= 10 }
            rate = (rate / unit).rounded() * unit
            return min(max(Int(rate), 2 * OptionParsing.bitRates.lowerBound), OptionParsing.bitRates.upperBound)
        }
    }

    /// Takes the streams' measures.
    ///
    /// - Parameters:
    ///   - answers: Streams of points with an average bit rate.
    ///   - window: Length of the window that is looked at where there is no limit, in seconds.
    /// - Throws: ``CommandFailure`` for points that no version of this program planned.
    init(_ answers: Question.Answers<StreamResult>, window: Double) throws {
        (failures, isInterrupted) = (answers.failures, answers.isInterrupted)
        for (point, stream) in answers.points {
            let live = try point.work.configuration().live
            guard let asked = live.averageBitRate else { continue }
            let frames = stream.frames.filter { $0.type != nil }.map {
                (time: MediaTime(value: $0.dts, timescale: $0.dtsTimescale), bytes: $0.bytes)
            }
            let limits = live.dataRateLimits.map { (seconds: $0.seconds, bytes: Optional($0.bytes)) }
            let windows = (limits.isEmpty ? [(window, nil)] : limits).compactMap { seconds, bytes in
                LargestWindow(frames, seconds: seconds).map {
                    Window(seconds: seconds, limitBytes: bytes, largest: $0)
                }
            }
            entries.append(
                Entry(
                    clip: answers.study.clips[point.clip].name, variant: answers.study.variants[point.variant].label,
                    library: stream.build.library, rate: point.rate, askedBitsPerSecond: asked,
                    bitsPerSecond: stream.seconds > 0 ? Double(stream.byteCount) * 8 / stream.seconds : 0,
                    bytes: stream.byteCount, seconds: stream.seconds, frames: stream.frames.count,
                    dropped: stream.droppedCount, windows: windows, adjustments: stream.adjustments))
        }
    }

    var broken: [String] {
        let count = entries.reduce(0) { $0 + $1.windows.count(where: \.isBroken) }
        return count == 0 ? [] : [count == 1 ? "1 limit is broken" : "\(count) limits are broken"]
    }
}

extension RateReport {
    /// The report for people.
    func text(width: Int?) -> String {
        var text = ""
        for clip in Analysis.unique(entries.map(\.clip)) {
            let entries = entries.filter { $0.clip == clip }
            let seconds = entries.map(\.seconds).max() ?? 0
            text += "\(clip): \(entries[0].frames) frames, \(Format.fixed(seconds, 2)) s\n\n"
            text += table(entries).text(width: width)
            text += "\n"
            if seconds < 5 {
                text +=
                    "Note: \(Format.fixed(seconds, 1)) s is short for rate control, which has hardly settled by then.\n"
            }
            for entry in entries where entry.dropped > 0 {
                text +=
                    "\(entry.variant), \(entry.rate): \(entry.dropped) of \(entry.frames) frames were dropped for want of bits.\n"
            }
            for note in Analysis.unique(
                entries.flatMap { entry in entry.adjustments.map { "\(entry.variant), \(entry.rate): \($0)" } })
            {
                text += "Note: \(note).\n"
            }
        }
        let legend =
            "largest window: what the fullest one carries; share: of the limit or, without one, of the asked rate."
        return text + ending(legend, libraries: entries.map(\.library)) + "\n"
    }

    private func table(_ entries: [Entry]) -> TextTable {
        var table = TextTable([
            .words("encoder"), .number("asked bit/s"), .number("bit/s"), .number("off"), .words("limit"),
            .number("largest window"), .number("share"), .words(""),
        ])
        for entry in entries {
            for (place, window) in entry.windows.enumerated() {
                let whole = window.limitBytes.map(Double.init) ?? Double(entry.askedBitsPerSecond) * window.seconds / 8
                let limit = window.limitBytes.map { "\(Format.grouped($0)) in \(Format.shortest(window.seconds)) s" }
                let opening =
                    place > 0
                    ? ["", "", "", ""]
                    : [
                        entry.variant, Format.grouped(entry.askedBitsPerSecond),
                        Format.grouped(Int(entry.bitsPerSecond.rounded())), Format.change(entry.deviation),
                    ]
                table.add(
                    opening + [
                        limit ?? "none", Format.grouped(window.largest.bytes),
                        Format.percent(Double(window.largest.bytes) / whole), window.isBroken ? "BROKEN" : "",
                    ])
            }
        }
        return table
    }
}
