// SPDX-License-Identifier: MIT

/// A value on the command line that cannot be used: what it was, and what would have been legal.
struct OptionError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
