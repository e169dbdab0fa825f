// SPDX-License-Identifier: MIT

import Glibc

/// Text for people, beside the data on standard output.
package enum StandardError {
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

    /// Writes lines for people, folded for the terminal.
    package static func tell(_ text: String) {
        write(TextFold.prose(text, width: Terminal.width(of: STDERR_FILENO)))
    }
}
