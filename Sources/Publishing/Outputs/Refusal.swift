// SPDX-License-Identifier: MIT

import Glibc

/// Why a peer took no connection or no bytes, as far as libavformat's status and its log tell.
///
/// A pure value: protocols give one number for refusals that pass and for those that do not, and the reason in the log
/// alone.
struct Refusal: Sendable {
    /// What the library returned and logged.
    struct Report: Sendable {
        /// What libavformat returned, below zero.
        var status: CInt
        /// The errors that it logged.
        var lines = ""
        /// Formats of what else it logged.
        var steps = ""
        /// Whether the wait was ended from outside.
        var isCancelled = false
        /// Whether the wait had come to its end.
        var isTimedOut = false
    }

    /// What a peer of RTMP was told last before it ended the connection without a word.
    ///
    /// Servers do so to refuse, and so does one that is shut down: ``RefusalMemory`` tells these apart.
    enum SilentStep: Sendable, Hashable {
        /// The name of the application.
        case application
        /// The name of the stream, which includes its key.
        case stream
    }

    /// What went wrong, for programs.
    let code: PublishingError.Code
    /// What the log says of it; nil where the status says more.
    let sentence: String?
    /// Where the peer said nothing, what it had been told.
    let silentStep: SilentStep?

    /// Reads what there is.
    ///
    /// - Parameters:
    ///   - report: What there is.
    ///   - hide: Takes secrets out of a line. The library's own words before those of a server stay: a secret that is
    ///     one of them must not make another refusal of it.
    init(_ report: Report, hidingSecrets hide: (String) -> String = { $0 }) {
        let lines = report.lines.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.map { line in
            let own = Self.ownWords.first { line.hasPrefix($0) } ?? ""
            return own + hide(String(line.dropFirst(own.count)))
        }
        (code, sentence) = Self.judge(report, lines)
        let isSilent = code == .closedByPeer && lines.isEmpty
        silentStep = isSilent ? Self.step(report.steps) : nil
    }

    private static func judge(_ report: Report, _ lines: [String]) -> (PublishingError.Code, String?) {
        if report.isCancelled { return (.cancelled, "cancelled") }
        if let line = lines.last(where: { $0.contains("Failed to resolve hostname") }) { return (.unreachable, line) }
        if let line = lines.last(where: { $0.hasPrefix(refusedOption) }) { return (.invalidValue, line) }
        if let line = lines.last(where: isOfCertificate) { return (.certificateRejected, line) }
        if let line = lines.last(where: { $0.hasPrefix(serverWord) || isOfLogin($0) }) {
            return (code(ofServer: line.lowercased()), line)
        }
        switch -report.status {
        case _ where report.isTimedOut, ETIMEDOUT: return (.timedOut, nil)
        case ECONNREFUSED: return (.refused, nil)
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: return (.unreachable, nil)
        case EPIPE, ECONNRESET, ECONNABORTED: return (.closedByPeer, nil)
        case EPERM, EACCES: return (.forbidden, lines.last)
        case EPROTONOSUPPORT, EPFNOSUPPORT: return (.unsupported, lines.last)
        case _ where report.status == protocolNotFound: return (.unsupported, lines.last)
        // A connection that ends without a word: the peer went away, or did not like what it heard.
        default: return (.closedByPeer, lines.last)
        }
    }

    /// `AVERROR_PROTOCOL_NOT_FOUND`.
    private static let protocolNotFound: CInt = -0x4F52_50F8

    /// What libavformat's RTMP puts before a server's own words.
    private static let serverWord = "Server error: "

    /// What libavformat's SRT says of an option that the library below it does not take, before it connects.
    private static let refusedOption = "failed to set option"

    /// What libavformat itself begins lines with that decide.
    private static let ownWords = [
        serverWord, refusedOption, "Failed to resolve hostname", "Incorrect username/password", "Authentication failed",
    ]

    private static func isOfCertificate(_ line: String) -> Bool {
        let words = line.lowercased()
        return ["peer certificate", "certificate's owner", "certificate verify failed"].contains { words.contains($0) }
    }

    /// What libavformat says itself of a server that asks for a user's name and password.
    private static func isOfLogin(_ line: String) -> Bool {
        line.hasPrefix("Incorrect username/password") || line.hasPrefix("Authentication failed")
    }

    /// A server that gives a reason refuses for good, unless the reason is one that passes.
    private static func code(ofServer words: String) -> PublishingError.Code {
        func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        if has("already publishing", "already in use", "badname", "stream busy", "is busy") { return .nameInUse }
        if has("overload", "too many", "try again", "try later", "unavailable", "shutdown", "shutting down") {
            return .closedByPeer
        }
        if has("invalidapp", "application not found", "unknown application", "no such application", "invalid app") {
            return .unknownApplication
        }
        return .forbidden
    }

    /// What the peer was told, by what libavformat logs before it tells.
    private static func step(_ steps: String) -> SilentStep? {
        if steps.contains("Sending publish command") { return .stream }
        return steps.contains("Proto = %s") ? .application : nil
    }
}

/// Counts connections that a peer of RTMP ended without a word, each time when it had been told the same: a pure value.
///
/// A server that is shut down does so once, and is then not there or silent. One that does it again and again refuses
/// what it is told, and would for ever.
struct RefusalMemory: Sendable {
    /// Connections in a row after which the peer is taken to refuse.
    static let limit = 3

    private var step: Refusal.SilentStep?
    private var count = 0

    /// Takes notice of a failure.
    ///
    /// - Returns: The failure; one that does not pass where the peer has refused often enough.
    mutating func judge(_ error: PublishingError) -> PublishingError {
        guard let step = error.silentStep else {
            (self.step, count) = (nil, 0)
            return error
        }
        count = step == self.step ? count + 1 : 1
        self.step = step
        guard count >= Self.limit else { return error }
        let (code, heard): (PublishingError.Code, String) =
            switch step {
            case .application: (.unknownApplication, "the application's name: it may not know it")
            case .stream: (.forbidden, "the stream's name: it may forbid to publish, or want another key")
            }
        return PublishingError(
            code, reason: "\(count) times the server ended the connection without a word when it had heard \(heard)",
            output: error.output, status: error.status)
    }
}
