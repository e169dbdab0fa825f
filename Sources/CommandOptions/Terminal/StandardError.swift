// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Text for people, beside the data on standard output.
package enum StandardError {
    /// Characters of a status line that stands on the terminal and has no end yet; whoever draws it and whoever tells
    /// something may be on different threads.
    private static let statusWidth = Mutex(0)

    /// Writes text as it is; a reader that went away is not an error here.
    package static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Writes lines for people, folded for the terminal, in place of a status line that stands there.
    package static func tell(_ text: String) {
        let folded = TextFold.prose(text, width: Terminal.width(of: STDERR_FILENO))
        statusWidth.withLock { width in
            write(wiping(width) + folded)
            width = 0
        }
    }

    /// Writes a status line, of so many characters on the terminal; 0 where it has an end or was wiped.
    static func draw(_ text: String, width: Int) {
        statusWidth.withLock { shown in
            write(text)
            shown = width
        }
    }

    /// What wipes a status line of so many characters, so that what follows starts at its beginning.
    static func wiping(_ width: Int) -> String {
        width > 0 ? "\r" + String(repeating: " ", count: width) + "\r" : ""
    }
}
