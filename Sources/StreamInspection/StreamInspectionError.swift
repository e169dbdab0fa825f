// SPDX-License-Identifier: MIT

import MediaFiles

/// Why a file cannot be taken apart, or not further.
public struct StreamInspectionError: Error, Hashable, Sendable {
    /// What went wrong, for programs.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable spelling of the code.
        public let rawValue: String

        /// Makes a code from its spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file cannot be opened.
        public static let cannotOpen = Self(rawValue: "cannotOpen")
        /// The system reported a failure while reading.
        public static let readFailed = Self(rawValue: "readFailed")
        /// The file is empty, or ends where it must not.
        public static let truncated = Self(rawValue: "truncated")
        /// The file breaks the rules of its format.
        public static let corrupt = Self(rawValue: "corrupt")
        /// The file is neither H.264 nor HEVC, nor a container of them.
        public static let unsupported = Self(rawValue: "unsupported")
        /// FFmpeg's libraries, which containers need, are not installed.
        public static let libraryMissing = Self(rawValue: "libraryMissing")
    }

    /// What went wrong, for programs; one of ``Code``'s constants, or another failure of a library or the system.
    public let code: Code
    /// What went wrong, for people, with the value and what would have been legal.
    public let reason: String
    /// The file as it was named, or "standard input"; nil when no file is involved.
    public let path: String?
    /// Where in the file, in bytes from its start; nil where no byte is to blame.
    public let byteOffset: Int64?
}

extension StreamInspectionError: CustomStringConvertible {
    /// File, reason and byte offset in one line.
    public var description: String { (path.map { $0.shown + ": " } ?? "") + place }

    /// The reason and the byte offset in one line.
    package var place: String { reason + (byteOffset.map { " (byte offset \($0))" } ?? "") }
}

extension StreamInspectionError {
    init(_ error: MediaFileError) {
        self.init(
            code: Code(rawValue: error.code.rawValue), reason: error.reason, path: error.path,
            byteOffset: error.byteOffset)
    }
}
