// SPDX-License-Identifier: MIT

/// Why a media file could not be read, written or decoded.
///
/// Switch on ``code``; show ``description`` to a person: it names the file, the place and what would have been legal.
package struct MediaFileError: Error, Sendable, Hashable {
    /// What went wrong, for programs.
    package enum Code: String, Sendable, Hashable {
        /// The file cannot be opened.
        case cannotOpen
        /// The system reported a failure while reading.
        case readFailed
        /// The system reported a failure while writing; what was written before stays.
        case writeFailed
        /// There is no room for more; what was written before stays.
        case diskFull
        /// The reader of a pipe went away.
        case brokenPipe
        /// The data ends inside a header or picture; the pictures before it were delivered.
        case truncated
        /// The data breaks the rules of its format; the pictures before the break were delivered.
        case corrupt
        /// The file's format, codec or a feature of it is not supported here.
        case unsupported
        /// An argument is outside its legal range.
        case invalidValue
        /// A library that this format needs is not installed.
        case libraryMissing
        /// A library reported a failure that none of the other codes describes.
        case libraryFailure
        /// Memory could not be had.
        case outOfMemory
        /// The writer was finished, or failed before.
        case invalidState
    }

    /// What went wrong, for programs.
    package let code: Code
    /// What went wrong, for people: the value and the legal range.
    package let reason: String
    /// The file as it was named, "standard input" or "standard output"; nil when no file is involved.
    package let path: String?
    /// Where in the file, in bytes from its start.
    package let byteOffset: Int64?
    /// The system's errno or the library's status, where there was one.
    package let status: Int?

    /// Makes an error.
    package init(_ code: Code, reason: String, path: String? = nil, byteOffset: Int64? = nil, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.path = path
        self.byteOffset = byteOffset
        self.status = status
    }
}

extension MediaFileError: CustomStringConvertible {
    /// File, reason and byte offset in one line.
    package var description: String {
        let place = path.map { $0.shown + ": " } ?? ""
        return place + reason + (byteOffset.map { " (byte offset \($0))" } ?? "")
    }
}
