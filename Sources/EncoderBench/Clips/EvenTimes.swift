// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles

/// Times in coarse ticks that come from a constant rate, as Matroska's whole milliseconds do: 0, 33, 67, 100 are those
/// of 30 frames a second.
package enum EvenTimes {
    /// Rates that are tried where the file states another, in frames per second.
    private static let usualRates: [FrameRate] = [
        FrameRate(numerator: 24_000, denominator: 1001), FrameRate(numerator: 24), FrameRate(numerator: 25),
        FrameRate(numerator: 30_000, denominator: 1001), FrameRate(numerator: 30), FrameRate(numerator: 48),
        FrameRate(numerator: 50), FrameRate(numerator: 60_000, denominator: 1001), FrameRate(numerator: 60),
        FrameRate(numerator: 15), FrameRate(numerator: 12), FrameRate(numerator: 10), FrameRate(numerator: 100),
        FrameRate(numerator: 120),
    ]

    /// The rate that times come from; nil where they come from none.
    ///
    /// Each time may be rounded, up or down, to a tick of its own scale, and so may the first. That tells rates apart
    /// only where a tick is a small part of a picture's time; in coarser ticks times have to be exact.
    ///
    /// - Parameters:
    ///   - times: When pictures are shown, in any order; two or more for an answer.
    ///   - stated: The rate that the file states, which is tried first.
    /// - Returns: The stated rate, or a usual one.
    package static func rate(of times: [MediaTime], stated: FrameRate?) -> FrameRate? {
        let times = times.sorted()
        guard times.count > 1, let first = times.first else { return nil }
        let candidates = [stated].compactMap { $0 } + usualRates
        return candidates.first { rate in
            guard rate.isLegal else { return false }
            return times.enumerated().allSatisfy { isNear($1, after: first, number: $0, rate) }
        }
    }

    /// Whether a picture of this number is shown when it would be at a rate, but for rounding to ticks.
    private static func isNear(_ time: MediaTime, after first: MediaTime, number: Int, _ rate: FrameRate) -> Bool {
        let exact = Int64(number).multipliedReportingOverflow(by: Int64(rate.denominator))
        if !exact.overflow, let scale = Int32(exactly: rate.numerator),
            time - first == MediaTime(value: exact.partialValue, timescale: scale)
        {
            return true
        }
        let tick = 1 / Double(min(time.timescale, first.timescale))
        guard tick * 4 * rate.framesPerSecond < 1 else { return false }
        let due = Double(number) * Double(rate.denominator) / Double(rate.numerator)
        // A rounding of either time is half a tick where it is to the nearest, and less than one where it is not.
        return abs((time - first).seconds - due) < tick * (1 + 1e-6)
    }

    /// What is known of a file whose times come from a constant rate.
    package struct Found: Equatable, Sendable {
        package var rate: FrameRate
        /// Its pictures, or more than are used where these are fewer.
        package var count: Int
    }

    /// The rate that a file's times come from; nil where they come from none, or the file has none.
    ///
    /// - Parameters:
    ///   - path: Where the file is read from.
    ///   - stated: The rate that it states.
    ///   - frameLimit: Pictures that are used; nil for all.
    ///   - interruption: Ends the reading when it happens.
    /// - Returns: The stated rate or a usual one, and how many pictures there are.
    /// - Throws: ``Interrupted``.
    package static func rate(
        ofFile path: String, stated: FrameRate?, frameLimit: Int?, interruption: OneShotEvent
    ) throws(Interrupted) -> Found? {
        guard let reader = try? ContainerReader(path: path) else { return nil }
        let limit = frameLimit ?? .max
        var times: [MediaTime] = []
        // Packets come in the order in which they are decoded: some are shown before others that come earlier.
        while times.count < limit.addingReportingOverflow(64).partialValue || limit == .max {
            if interruption.hasHappened { throw Interrupted() }
            // What is wrong with the file is found by whoever decodes it.
            guard let packet = try? reader.next() else { break }
            guard let time = packet.presentationTime else { return nil }
            times.append(time)
        }
        let count = times.count
        return rate(of: Array(times.sorted().prefix(limit)), stated: stated).map { Found(rate: $0, count: count) }
    }
}

/// A source whose pictures are shown at a constant rate from which the file's own times were rounded.
package final class EvenlyTimedSource: VideoSource {
    /// The file.
    package let original: any VideoSource
    private let rate: FrameRate
    private var first: MediaTime?

    /// - Parameters:
    ///   - original: What is read.
    ///   - rate: What its times come from.
    package init(_ original: any VideoSource, rate: FrameRate) {
        self.original = original
        self.rate = rate
    }

    package var info: VideoSourceInfo {
        var info = original.info
        (info.frameRate, info.isConstantRate) = (rate, true)
        info.timescale = Int32(clamping: rate.numerator)
        return info
    }

    package var byteOffset: Int64 { original.byteOffset }

    package func next() throws(MediaFileError) -> SourceFrame? {
        guard var frame = try original.next() else { return nil }
        let start = first ?? frame.presentationTime
        first = start
        // A picture that is missing leaves its gap.
        let number = ((frame.presentationTime - start).seconds * rate.framesPerSecond).rounded()
        frame.presentationTime = rate.time(ofFrame: Int64(number))
        frame.duration = rate.time(ofFrame: 1)
        return frame
    }
}

extension FrameRate {
    /// As options write it: "30000/1001", "25/1".
    package var optionText: String { "\(numerator)/\(denominator)" }

    /// When a picture is shown whose number is counted from 0 on.
    fileprivate func time(ofFrame number: Int64) -> MediaTime {
        MediaTime(value: number * Int64(denominator), timescale: Int32(clamping: numerator))
    }
}
