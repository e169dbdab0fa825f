// SPDX-License-Identifier: MIT

/// A value on the command line that cannot be used: what it was, and what would have been legal.
package struct OptionError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with a value.
    package enum Code: String, Sendable {
        /// Text that has not the form of such a value.
        case malformed
        /// A value of the right form outside the legal range.
        case outOfRange
        /// A name that stands for nothing here.
        case unknownName
        /// An item that is listed twice.
        case repeated
        /// A value that another option excludes, or that needs another one.
        case conflicting
        /// A value that what it was given for cannot use.
        case unusable
    }

    /// What is wrong.
    package let code: Code
    /// The value and what is legal, in words for people.
    package let description: String

    /// Makes an error from words that name the value and what is legal.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
