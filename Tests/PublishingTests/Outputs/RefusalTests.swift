// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Publishing

@Suite struct RefusalTests {
    private func code(
        _ status: CInt, _ lines: String = "", isCancelled: Bool = false, isTimedOut: Bool = false
    ) -> PublishingError.Code {
        Refusal(status: status, lines: lines, isOpening: true, isCancelled: isCancelled, isTimedOut: isTimedOut).code
    }

    @Test("a status alone tells what passes")
    func statuses() {
        #expect(code(-ECONNREFUSED) == .refused)
        #expect(code(-ETIMEDOUT) == .timedOut)
        #expect(code(-EPIPE) == .closedByPeer && code(-ECONNRESET) == .closedByPeer && code(-EIO) == .closedByPeer)
        #expect(code(-EHOSTUNREACH) == .unreachable && code(-ENETUNREACH) == .unreachable)
        for status in [ECONNREFUSED, ETIMEDOUT, EPIPE, EIO, EHOSTUNREACH] { #expect(!code(-status).isPermanent) }
        #expect(code(-EPERM).isPermanent && code(-EPROTONOSUPPORT).isPermanent)
    }

    @Test(
        "the log tells refusals for good from those that pass, which have one status",
        arguments: [
            ("Server error: Already publishing", PublishingError.Code.nameInUse, false),
            ("Server error: NetStream.Publish.BadName", .nameInUse, false),
            ("Server error: NetConnection.Connect.InvalidApp", .unknownApplication, true),
            ("Server error: authmod=adobe", .forbidden, true),
            ("Unable to verify peer certificate: certificate has expired", .certificateRejected, true),
            ("The certificate's owner does not match hostname localhost", .certificateRejected, true),
            ("Failed to resolve hostname nowhere.invalid", .unreachable, false),
        ])
    func lines(text: String, expected: PublishingError.Code, isPermanent: Bool) {
        let refusal = Refusal(
            status: -EPERM, lines: "something before\n\(text)\n", isOpening: true, isCancelled: false, isTimedOut: false
        )
        #expect(refusal.code == expected && refusal.code.isPermanent == isPermanent)
        #expect(refusal.sentence == text)
    }

    @Test("what was ended from outside, or took too long, is nothing else")
    func ended() {
        #expect(code(-EIO, "Already publishing", isCancelled: true, isTimedOut: true) == .cancelled)
        #expect(code(-EIO, isTimedOut: true) == .timedOut)
    }
}
