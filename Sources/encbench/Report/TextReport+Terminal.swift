// SPDX-License-Identifier: MIT

import BenchReports
import CommandOptions
import Glibc

extension TextReport {
    /// Writes the report to standard output, folded where that is a terminal.
    func show() throws {
        let width = Terminal.width(of: STDOUT_FILENO)
        try WholeFile.writeInPlace(Array(TextFold.prose(text(width: width), width: width).utf8), to: "-")
    }
}
