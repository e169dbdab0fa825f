// SPDX-License-Identifier: MIT

/// What a library of FFmpeg refused or failed at.
///
/// It names no file or address: whoever knows which one adds its name, unless that is a secret.
package struct LibAVError: Error, Sendable, Hashable {
    /// What went wrong, for programs.
    package enum Code: String, Sendable, Hashable {
        /// A library is not installed, or its version does not fit.
        case libraryMissing
        /// The library cannot do what it is asked for.
        case unsupported
        /// An argument is outside its legal range.
        case invalidValue
        /// The data breaks the rules of its format.
        case corrupt
        /// Memory could not be had.
        case outOfMemory
        /// The library reported a failure that none of the other codes describes.
        case failure
    }

    /// What went wrong, for programs.
    package let code: Code
    /// What went wrong, for people: the value and the legal range.
    package let reason: String
    /// The library's status, where there was one.
    package let status: Int?

    /// Makes an error.
    package init(_ code: Code, reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }
}

extension LibAVError: CustomStringConvertible {
    /// The reason.
    package var description: String { reason }
}
