// SPDX-License-Identifier: MIT

import LibAV

/// Why a source cannot be captured, or why its capture ended.
///
/// Switch on ``code``; show ``description`` to a person: it names the display, device or server, and the cure.
public struct CaptureError: Error, Sendable, Hashable {
    /// A stable value to switch on; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name, as printed.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A source's name, or an option, is none that there is.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The source cannot do what was asked: a size, a rate or a format that it does not have.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A library that this needs is not installed.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// There is no such display, device node, sound server or source of it.
        public static let missing = Code(rawValue: "missing")
        /// This user may not open it.
        public static let forbidden = Code(rawValue: "forbidden")
        /// Another program uses it.
        public static let busy = Code(rawValue: "busy")
        /// It was there, and went away, or gives pictures of another size or format; what came before was given.
        public static let lost = Code(rawValue: "lost")
        /// It gave nothing for longer than ``CaptureOptions/longestSilence``, or was not open within
        /// ``CaptureOptions/longestOpening``.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Memory could not be had.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// A library reported a failure that none of the other codes describes.
        public static let libraryFailure = Code(rawValue: "libraryFailure")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong, for people: what was named, and what to do about it.
    public let reason: String
    /// The source as it was named; nil where it is not about one.
    public let source: String?
    /// The system's errno or the library's status; nil where there was none.
    public let status: Int?

    /// Makes an error.
    public init(_ code: Code, reason: String, source: String? = nil, status: Int? = nil) {
        (self.code, self.reason, self.source, self.status) = (code, reason, source, status)
    }
}

extension CaptureError: CustomStringConvertible {
    /// Source and reason in one line.
    public var description: String { source.map { "\($0): \(reason)" } ?? reason }
}

extension CaptureError {
    /// What a library of FFmpeg refused.
    init(_ error: LibAVError, source: CaptureSource? = nil) {
        let code: Code =
            switch error.code {
            case .libraryMissing: .libraryMissing
            case .unsupported: .unsupported
            case .invalidValue: .invalidValue
            case .outOfMemory: .outOfMemory
            case .corrupt, .failure: .libraryFailure
            }
        self.init(code, reason: error.reason, source: source?.description, status: error.status)
    }

    /// Runs what throws an error of the libraries.
    static func wrapping<Value>(
        _ source: CaptureSource? = nil, _ body: () throws(LibAVError) -> Value
    ) throws(CaptureError) -> Value {
        do throws(LibAVError) {
            return try body()
        } catch {
            throw CaptureError(error, source: source)
        }
    }
}
