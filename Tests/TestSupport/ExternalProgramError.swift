// SPDX-License-Identifier: MIT

/// Why an ``ExternalProgram`` did not end well.
public struct ExternalProgramError: Error, Sendable, CustomStringConvertible {
    /// The program and its arguments, separated by spaces.
    public let commandLine: String
    /// How it ended, such as `exited(1)`, or why it did not start.
    public let reason: String
    /// Everything the program wrote to its standard error.
    public let standardError: String

    /// The command line, how it ended and its own messages, on lines of their own.
    public var description: String {
        "\(commandLine)\n\(reason)\n\(standardError)"
    }
}
