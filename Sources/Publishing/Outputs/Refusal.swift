// SPDX-License-Identifier: MIT

import Glibc

/// Why a peer took no connection or no bytes, as far as libavformat's status and its log tell.
///
/// A pure value: protocols give one number for refusals that pass and for those that do not, and the reason in the log
/// alone.
struct Refusal: Sendable {
    /// What went wrong, for programs.
    let code: PublishingError.Code
    /// What the log says of it; nil where the status says more.
    let sentence: String?

    /// Reads what there is.
    ///
    /// - Parameters:
    ///   - status: What libavformat returned, below zero.
    ///   - lines: What it logged meanwhile.
    ///   - isOpening: Whether the connection was being made.
    ///   - isCancelled: Whether the wait was ended from outside.
    ///   - isTimedOut: Whether the wait had come to its end.
    init(status: CInt, lines: String, isOpening: Bool, isCancelled: Bool, isTimedOut: Bool) {
        if isCancelled {
            (code, sentence) = (.cancelled, "cancelled")
            return
        }
        let last = lines.split(separator: "\n").last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
        for (words, code) in Self.phrases where lines.contains(words) {
            let line = lines.split(separator: "\n").last { $0.contains(words) }.map(String.init)
            (self.code, sentence) = (code, line ?? last)
            return
        }
        switch -status {
        case _ where isTimedOut, ETIMEDOUT: (code, sentence) = (.timedOut, nil)
        case ECONNREFUSED: (code, sentence) = (.refused, nil)
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: (code, sentence) = (.unreachable, nil)
        case EPIPE, ECONNRESET, ECONNABORTED: (code, sentence) = (.closedByPeer, nil)
        case EPERM, EACCES: (code, sentence) = (.forbidden, last)
        case EPROTONOSUPPORT, EPFNOSUPPORT: (code, sentence) = (.unsupported, last)
        case _ where status == Self.protocolNotFound: (code, sentence) = (.unsupported, last)
        // A connection that ends without a word: the peer went away, or did not like what it heard.
        default: (code, sentence) = (.closedByPeer, last)
        }
    }

    /// `AVERROR_PROTOCOL_NOT_FOUND`.
    private static let protocolNotFound: CInt = -0x4F52_50F8

    /// What the protocols and servers log; the first that is found decides.
    private static let phrases: [(String, PublishingError.Code)] = [
        ("Already publishing", .nameInUse), ("NetStream.Publish.BadName", .nameInUse), ("BadName", .nameInUse),
        ("NetConnection.Connect.InvalidApp", .unknownApplication), ("InvalidApp", .unknownApplication),
        ("NetConnection.Connect.Rejected", .forbidden), ("NetStream.Publish.Denied", .forbidden),
        ("denied", .forbidden), ("authmod", .forbidden), ("BADSECRET", .forbidden), ("bad secret", .forbidden),
        ("UNSECURE", .forbidden), ("rejected", .forbidden),
        ("certificate", .certificateRejected), ("does not match hostname", .certificateRejected),
        ("Failed to resolve hostname", .unreachable), ("getaddrinfo", .unreachable),
    ]
}
