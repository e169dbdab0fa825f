// SPDX-License-Identifier: MIT

import Glibc
import Publishing

/// Why a server of WebSocket takes no connection, or no more frames, as far as its numbers tell: a pure value.
///
/// Nothing of a server's own words is shown: they may have the token in them.
struct ServerRefusal: Sendable, Hashable {
    /// What went wrong, for programs.
    let code: PublishingError.Code
    /// What went wrong, for people.
    let reason: String

    /// Judges the answer to a request for WebSocket.
    ///
    /// - Parameter status: Of HTTP; with 101 it agrees, but by headers that do not fit the request.
    init(status: Int) {
        switch status {
        case 101: (code, reason) = (.unsupported, "an answer that is none of WebSocket (RFC 6455)")
        case 300..<400: (code, reason) = (.unsupported, "status \(status): it is elsewhere, which is not followed")
        case 401, 403, 407: (code, reason) = (.forbidden, "status \(status): no token, or another one than it wants")
        case 404, 410: (code, reason) = (.unknownApplication, "status \(status): nothing takes frames at this path")
        case 409: (code, reason) = (.nameInUse, "status 409: another publisher is there")
        case 408, 425, 429: (code, reason) = (.closedByPeer, "status \(status): it takes none now")
        case 500..<600: (code, reason) = (.closedByPeer, "status \(status): it takes none now")
        default: (code, reason) = (.unsupported, "status \(status): it does not take the request")
        }
    }

    /// Judges how a connection was closed.
    ///
    /// - Parameter closeCode: What the server closed with; nil where it named no code.
    init(closeCode: Int?) {
        let name = closeCode.map { "code \($0)" } ?? "no code"
        switch closeCode {
        case 1002, 1003, 1007, 1010:
            (code, reason) = (.unsupported, "the server closed with \(name): it does not take what it is sent")
        case 1008: (code, reason) = (.forbidden, "the server closed with \(name): it forbids what it is sent")
        case 1009: (code, reason) = (.unsupported, "the server closed with \(name): a frame is too large for it")
        default: (code, reason) = (.closedByPeer, "the server closed with \(name)")
        }
    }

    /// Judges a failure of the system; nil for a number of which nothing is known.
    ///
    /// - Parameter status: An `errno`.
    init?(status: CInt) {
        switch status {
        case ECONNREFUSED: (code, reason) = (.refused, "nobody listens there")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: (code, reason) = (.unreachable, "no route leads there")
        case EPIPE, ECONNRESET, ECONNABORTED: (code, reason) = (.closedByPeer, "the server ended the connection")
        case ETIMEDOUT: (code, reason) = (.timedOut, "no answer")
        default: return nil
        }
    }

    /// The failure as an output tells it.
    func error(_ what: String) -> PublishingError { PublishingError(code, reason: "\(what): \(reason)") }
}
