// SPDX-License-Identifier: MIT

/// Something that ends a command with status 1, or 64 for a path that cannot be used, in words for people.
package struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: String, Sendable {
        /// What `description` alone tells.
        case failed
        /// The system gives no thread.
        case noThread
        /// The system lets no signal be handled.
        case noSignalHandler
        /// A file would be written that the same command reads, or writes otherwise.
        case sameFile
    }

    /// What went wrong.
    package let code: Code
    /// What it was about, in words for people.
    package let description: String

    /// Makes a failure from words that name what it is about.
    package init(_ description: String) { self.init(.failed, description) }

    /// Makes a failure that programs tell from others.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
