// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI

/// How exactly encoders keep bit rates and data-rate limits.
package struct RateReport: Codable, Equatable {
    /// One encode.
    package struct Entry: Codable, Equatable, Sendable {
        package var clip: String
        /// "x264 medium".
        package var variant: String
        package var library: String
        /// What was asked for: "800000 bit/s, peak 1.5x".
        package var rate: String
        package var askedBitsPerSecond: Int
        /// What the session gave the library of that, for want of room below limits; nil where it is not known.
        package var givenBitsPerSecond: Int?
        package var bitsPerSecond: Double
        package var bytes: Int
        package var seconds: Double
        package var frames: Int
        /// Frames that were taken, and that rate control left out of the stream.
        package var dropped: Int
        /// The limits that were asked for, or one window without a limit.
        package var windows: [Window]
        /// What the session did otherwise than asked.
        package var adjustments: [String]

        /// How much more came out than was asked for; -0.1 is 10 % less.
        package var deviation: Double { bitsPerSecond / Double(askedBitsPerSecond) - 1 }

        /// The session's part of it: how much less than asked the library was given; nil where that is not known.
        package var sessionDeviation: Double? {
            givenBitsPerSecond.map { Double($0) / Double(askedBitsPerSecond) - 1 }
        }

        /// The library's part: how much more came out than it was given.
        package var libraryDeviation: Double? {
            givenBitsPerSecond.flatMap { $0 > 0 ? bitsPerSecond / Double($0) - 1 : nil }
        }

        enum CodingKeys: String, CodingKey {
            case clip, variant, library, rate, bytes, seconds, frames, dropped, windows, adjustments
            case askedBitsPerSecond = "asked_bits_per_second"
            case givenBitsPerSecond = "given_bits_per_second"
            case bitsPerSecond = "bits_per_second"
        }
    }

    /// Windows of one length.
    package struct Window: Codable, Equatable, Sendable {
        package var seconds: Double
        /// Bytes that a window may carry; nil without a limit.
        package var limitBytes: Int?
        /// What the largest carries.
        package var largest: LargestWindow

        /// Whether the limit is broken.
        package var isBroken: Bool { largest.bytes > limitBytes ?? .max }

        enum CodingKeys: String, CodingKey {
            case seconds, largest
            case limitBytes = "limit_bytes"
        }
    }

    package var schemaVersion = 1
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    package var entries: [Entry] = []
    package var failures: [Study.Failure]
    package var isInterrupted: Bool

    enum CodingKeys: String, CodingKey {
        case encbench, entries, failures
        case schemaVersion = "schema_version"
        case isInterrupted = "interrupted"
    }

    /// Bit rates that suit a clip's pictures: around a twentieth of a bit for each sample, in two digits.
    package static func usualRates(for clip: ClipFacts) -> [Int] {
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
    /// - Throws: ``EncoderBenchError`` for points that no version of this program planned.
    package init(_ answers: Answers<StreamResult>, window: Double) throws {
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
                    givenBitsPerSecond: stream.givenBitsPerSecond,
                    bitsPerSecond: stream.seconds > 0 ? Double(stream.byteCount) * 8 / stream.seconds : 0,
                    bytes: stream.byteCount, seconds: stream.seconds, frames: stream.frames.count,
                    dropped: stream.droppedCount, windows: windows, adjustments: stream.adjustments))
        }
    }

}
