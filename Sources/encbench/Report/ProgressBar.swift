// SPDX-License-Identifier: MIT

import Glibc

/// One line on a terminal that is drawn over and over; nothing at all where standard error is no terminal.
struct ProgressBar {
    private let isVisible: Bool
    private let start: Double
    private var lastDrawn = -1.0
    private var width = 0

    /// Makes a bar; `isVisible` asks the system whether standard error is a terminal.
    init(isVisible: Bool = isatty(STDERR_FILENO) == 1) {
        self.isVisible = isVisible
        start = ResourceUsage.now().wallSeconds
    }

    /// Shows how far the work is; at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: Units done.
    ///   - total: Units in all; nil when unknown.
    ///   - label: What is being done.
    mutating func update(done: Int, total: Int?, label: String) {
        guard isVisible else { return }
        let now = ResourceUsage.now().wallSeconds
        guard now - lastDrawn >= 0.1 || done == total else { return }
        lastDrawn = now
        draw(Self.line(done: done, total: total, label: label, seconds: now - start))
    }

    /// Wipes the line, so that what follows starts at its beginning.
    mutating func clear() {
        guard isVisible, width > 0 else { return }
        StandardError.write("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    private mutating func draw(_ line: String) {
        let blanks = String(repeating: " ", count: max(0, width - line.count))
        width = line.count
        StandardError.write("\r" + line + blanks)
    }

    /// A bar such as "[#####     ] 60/120 frames  31.2 fps  2 s left  x265 medium crf 22".
    static func line(done: Int, total: Int?, label: String, seconds: Double) -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let speed = Format.fixed(rate, 1) + " fps"
        guard let total, total > 0 else { return "\(done) frames  \(speed)  \(label)" }
        let filled = min(20, done * 20 / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: 20 - filled)
        let left = rate > 0 ? Format.fixed(Double(max(0, total - done)) / rate, 0) + " s left" : ""
        return "[\(bar)] \(done)/\(total) frames  \(speed)  \(left)  \(label)"
    }
}

/// Text for people, beside the data on standard output.
enum StandardError {
    /// Writes text as it is; a reader that went away is not an error here.
    static func write(_ text: String) { writeAll(text, to: STDERR_FILENO) }

    private static func writeAll(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
