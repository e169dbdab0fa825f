// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing

/// How far a broadcast is, in a line: time, and of each output its state, the rate out and the age of its queue.
struct ProgressText {
    /// What of an output a line shows.
    struct Place: Equatable, Sendable {
        var name: String
        var state: String
        var byteCount: Int
        /// Seconds of media that wait.
        var queueAge: Double
    }

    private var last: (clock: Double, bytes: [String: Int])?

    /// What to show now.
    ///
    /// - Parameters:
    ///   - media: Seconds of the stream that were given.
    ///   - pictures: Pictures that were given.
    ///   - places: The outputs in their order.
    ///   - now: The clock's time in seconds; rates are those since the line before.
    /// - Returns: The line, without its end.
    mutating func line(media: Double, pictures: Int, places: [Place], now: Double) -> String {
        var words = ["\(Format.duration(media)), \(pictures) pictures"]
        for place in places {
            let before = last?.bytes[place.name] ?? 0
            let passed = last.map { now - $0.clock } ?? 0
            let rate =
                passed > 0 ? " " + Format.bitRate(Double(max(0, place.byteCount - before)) * 8 / passed) : ""
            let age = place.queueAge > 0 ? ", \(Format.fixed(place.queueAge, 1)) s wait" : ""
            words.append("\(place.name): \(place.state)\(rate)\(age)")
        }
        last = (now, Dictionary(places.map { ($0.name, $0.byteCount) }) { first, _ in first })
        return words.joined(separator: " | ")
    }
}

extension ProgressText.Place {
    init(_ statistics: OutputStatistics) {
        let state =
            switch statistics.state {
            case .idle: "waits"
            case .connecting: "connects"
            case .publishing: "on"
            case .backingOff: "tries again"
            case .failed: "failed"
            case .ended: "ended"
            }
        self.init(
            name: statistics.name, state: state, byteCount: statistics.byteCount,
            queueAge: statistics.queueAge.seconds)
    }
}
