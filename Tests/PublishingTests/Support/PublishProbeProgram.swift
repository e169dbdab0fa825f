// SPDX-License-Identifier: MIT

// The program is built with the tests that name it.
import publishprobe
import TestSupport

extension ExternalProgram {
    /// The program of this package that publishes outside of the test's process.
    static let publishProbe: ExternalProgram = {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return ExternalProgram((path.isEmpty ? "." : path) + "/publishprobe")
    }()
}
