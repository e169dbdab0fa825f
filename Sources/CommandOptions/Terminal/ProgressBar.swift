// SPDX-License-Identifier: MIT

import Glibc

/// How far work is, on standard error: one line that is drawn over and over on a terminal, else nothing or plain lines.
package struct ProgressBar {
    /// How it is shown.
    package enum Style: Equatable {
        /// One line of at most so many characters, drawn over and over.
        case bar(width: Int)
        /// A line of its own each time so many seconds have passed.
        case lines(interval: Double)
        case hidden

        fileprivate var isBar: Bool {
            if case .bar = self { return true }
            return false
        }
    }

    private let style: Style
    private let unit: String
    private let start: Double
    private var lastDrawn: Double
    private var drawn: StatusLine

    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - program: Whose name begins a plain line.
    ///   - unit: What is counted, such as "frames".
    ///   - plainInterval: Seconds between lines where standard error is no terminal; nil shows nothing there.
    package init(of program: Program, unit: String = "frames", plainInterval: Double? = nil) {
        // The last column stays free: some terminals break the line after it.
        let bar = Terminal.width(of: STDERR_FILENO).map { Style.bar(width: $0 - 1) }
        self.init(of: program, unit: unit, style: bar ?? plainInterval.map { .lines(interval: $0) } ?? .hidden)
    }

    init(of program: Program, unit: String, style: Style) {
        let limit: Int? = if case .bar(let width) = style { width } else { nil }
        drawn = StatusLine(program: program.name, limit: limit)
        self.unit = unit
        self.style = style
        start = ResourceUsage.now().wallSeconds
        lastDrawn = start
    }

    /// Whether there is anything to show now.
    package var isDue: Bool {
        let passed = ResourceUsage.now().wallSeconds - lastDrawn
        switch style {
        case .hidden: return false
        case .bar: return passed >= 0.1
        case .lines(let interval): return passed >= interval
        }
    }

    /// Shows how far the work is; at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: Units done.
    ///   - total: Units in all; nil when unknown.
    ///   - label: What is being done.
    package mutating func update(done: Int, total: Int?, label: String) {
        guard isDue || style.isBar && done == total else { return }
        let now = ResourceUsage.now().wallSeconds
        switch style {
        case .hidden: return
        case .bar(let limit):
            let line = Self.line(
                done: done, total: total, unit: unit, label: label, seconds: now - start, width: limit)
            drawn.show(line)
        case .lines:
            let words = Self.words(done: done, total: total, unit: unit, label: label, seconds: now - start)
            drawn.show(words.joined(separator: ", "))
        }
        lastDrawn = now
    }

    /// Wipes the line, so that what follows starts at its beginning.
    package mutating func clear() { drawn.clear() }

    /// "[#####     ] 60/120 frames  31.2 frames/s  2 s left  x265 medium", with fewer parts where there is no room.
    static func line(
        done: Int, total: Int?, unit: String, label: String, seconds: Double, width: Int = .max
    ) -> String {
        var words = words(done: done, total: total, unit: unit, label: label, seconds: seconds)
        if let total, total > 0 {
            let filled = min(20, done * 20 / total)
            words[0] =
                "[" + String(repeating: "#", count: filled) + String(repeating: " ", count: 20 - filled) + "] "
                + words[0]
        }
        // What is left counts more than the label, the label more than the speed.
        for place in [3, 1] where words.joined(separator: "  ").count > width && words.count > place {
            words.remove(at: place)
        }
        let line = words.joined(separator: "  ")
        return line.count <= width ? line : String((total == nil ? line[...] : line.dropFirst(23)).prefix(width))
    }

    private static func words(
        done: Int, total: Int?, unit: String, label: String, seconds: Double
    ) -> [String] {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let speed = Format.fixed(rate, 1) + " \(unit)/s"
        guard let total, total > 0 else { return ["\(done) \(unit)", speed, label] }
        let left = rate > 0 ? Format.duration(Double(max(0, total - done)) / rate) + " left" : "time unknown"
        return ["\(done)/\(total) \(unit)", speed, left, label]
    }
}
