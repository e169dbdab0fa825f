// SPDX-License-Identifier: MIT

import Glibc

/// One line on standard error that is drawn over and over on a terminal; elsewhere plain lines.
package struct StatusLine: Sendable {
    private let program: String
    private let limit: Int?
    private var width = 0

    /// Makes a line.
    ///
    /// - Parameter program: Whose name begins a plain line.
    package init(of program: Program) {
        // The last column stays free: some terminals break the line after it.
        self.init(program: program.name, limit: Terminal.width(of: STDERR_FILENO).map { $0 - 1 })
    }

    init(program: String, limit: Int?) {
        self.program = program
        self.limit = limit
    }

    /// Whether standard error is a terminal.
    package var isTerminal: Bool { limit != nil }

    /// Draws a text, cut to the terminal's width.
    package mutating func show(_ text: String) {
        let drawing = drawing(text)
        StandardError.draw(drawing, width: width)
    }

    /// Wipes the line, so that what follows starts at its beginning.
    package mutating func clear() {
        guard width > 0 else { return }
        StandardError.draw(StandardError.wiping(width), width: 0)
        width = 0
    }

    /// What is written to show a text.
    mutating func drawing(_ text: String) -> String {
        guard let limit else { return "\(program): \(text)\n" }
        let shown = String(text.prefix(max(0, limit)))
        defer { width = shown.count }
        return "\r" + shown + String(repeating: " ", count: max(0, width - shown.count))
    }
}
