// SPDX-License-Identifier: MIT

import CLibAV

/// What the libraries logged during one call, on the thread that made it.
package final class LogLines {
    private let box = clibav_make_lines()

    /// None yet.
    package init() {}

    deinit { free(box.map(UnsafeMutableRawPointer.init)) }

    /// Makes a call and keeps what is logged meanwhile, in place of what was.
    package func keeping<Result>(_ call: () -> Result) -> Result {
        clibav_clear_lines(box)
        clibav_keep_lines(box)
        defer { clibav_keep_lines(nil) }
        return call()
    }

    /// The errors of the last call, as plain text.
    package var text: String { String(cString: clibav_errors(box)) }

    /// The formats of what else was logged.
    package var steps: String { String(cString: clibav_steps(box)) }
}
