// SPDX-License-Identifier: MIT

/// Why a packet, a sound or an output was refused or failed.
///
/// Switch on ``code``; show ``description`` to a person: it names the output, the value and what would have been legal.
/// Keys, passphrases and user names of an address never stand in it.
public struct PublishingError: Error, Sendable, Hashable {
    /// A stable value to switch on; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name, as printed.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong, for people: the value and the legal range.
    public let reason: String
    /// The output as it may be shown, without keys and user names; nil when no output is involved.
    public let output: String?
    /// The system's errno or the library's status, where there was one.
    public let status: Int?
    /// What a server had been told that ended the connection without a word; nil for any other failure.
    var silentStep: Refusal.SilentStep?

    /// Makes an error.
    public init(_ code: Code, reason: String, output: String? = nil, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.output = output
        self.status = status
    }
}

// MARK: - Codes

extension PublishingError.Code {
    /// An argument is outside its legal range.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// The container, codec or library cannot do what was asked.
    public static let unsupported = Self(rawValue: "unsupported")
    /// A packet is not decoded later than the packet of its track before it.
    public static let backwardsTime = Self(rawValue: "backwardsTime")
    /// The call does not fit the state of what it is made on.
    public static let invalidState = Self(rawValue: "invalidState")
    /// What was asked for was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// Memory could not be had.
    public static let outOfMemory = Self(rawValue: "outOfMemory")
    /// A library that this needs is not installed.
    public static let libraryMissing = Self(rawValue: "libraryMissing")
    /// A library reported a failure that none of the other codes describes.
    public static let libraryFailure = Self(rawValue: "libraryFailure")

    /// A file cannot be opened.
    public static let cannotOpen = Self(rawValue: "cannotOpen")
    /// The system reported a failure while reading.
    public static let readFailed = Self(rawValue: "readFailed")
    /// The system reported a failure while writing; what was written before stays.
    public static let writeFailed = Self(rawValue: "writeFailed")
    /// There is no room for more; what was written before stays.
    public static let diskFull = Self(rawValue: "diskFull")
    /// The reader of a pipe went away.
    public static let brokenPipe = Self(rawValue: "brokenPipe")
    /// Data breaks the rules of its format, or ends too early; what came before was given.
    public static let corrupt = Self(rawValue: "corrupt")

    /// An address is none, or of a scheme that no output has.
    public static let invalidAddress = Self(rawValue: "invalidAddress")
    /// Nobody listens at the address.
    public static let refused = Self(rawValue: "refused")
    /// The host is unknown, or no route leads to it.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The peer did not answer, or did not take what was sent, within the deadline.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The peer ended the connection.
    public static let closedByPeer = Self(rawValue: "closedByPeer")
    /// Another publisher has the stream's name, or the server has not forgotten the last connection yet.
    public static let nameInUse = Self(rawValue: "nameInUse")
    /// The server forbids to publish, or the key is wrong.
    public static let forbidden = Self(rawValue: "forbidden")
    /// The server has no such application.
    public static let unknownApplication = Self(rawValue: "unknownApplication")
    /// The certificate of the server is expired, of another name, or from an unknown issuer.
    public static let certificateRejected = Self(rawValue: "certificateRejected")

    /// Whether trying again cannot help: false for what may pass by itself.
    public var isPermanent: Bool {
        switch self {
        case .refused, .unreachable, .timedOut, .closedByPeer, .nameInUse: false
        default: true
        }
    }
}

extension PublishingError: CustomStringConvertible {
    /// Output and reason in one line.
    public var description: String { output.map { "\($0): \(reason)" } ?? reason }
}

extension PublishingError {
    /// A packet of a track that was not announced.
    static func unknownTrack(_ track: TrackID, of tracks: [TrackID]) -> PublishingError {
        let names = tracks.map(\.description).joined(separator: ", ")
        return PublishingError(.invalidValue, reason: "a packet of track \(track), expected one of \(names)")
    }
}
