// SPDX-License-Identifier: MIT

import Glibc

/// What the system says of the terminals that the standard streams may be.
package enum Terminal {
    /// Characters in a line; nil where a stream is no terminal.
    ///
    /// A terminal that does not know has as many as the variable COLUMNS says, or else 80.
    package static func width(of stream: CInt) -> Int? {
        guard isatty(stream) == 1 else { return nil }
        var size = winsize()
        guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
        }
        return Int(size.ws_col)
    }
}
