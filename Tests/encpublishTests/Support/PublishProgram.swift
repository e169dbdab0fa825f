// SPDX-License-Identifier: MIT

/// The program under test.
enum PublishProgram {
    /// The executable, which is built into the same folder as the tests.
    static let path: String = {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return (path.isEmpty ? "." : path) + "/encpublish"
    }()
}
