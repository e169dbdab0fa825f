// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Publishing

@Suite struct RefusalTests {
    private func code(
        _ status: CInt, _ lines: String = "", isCancelled: Bool = false, isTimedOut: Bool = false
    ) -> PublishingError.Code {
        Refusal(
            Refusal.Report(status: status, lines: lines, isCancelled: isCancelled, isTimedOut: isTimedOut)
        ).code
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
        "the log tells refusals for good from those that pass, whatever the status",
        arguments: [
            ("Server error: Already publishing", PublishingError.Code.nameInUse, false),
            ("Server error: NetStream.Publish.BadName", .nameInUse, false),
            ("Server error: [ Server.Overload ] : too many connections", .closedByPeer, false),
            ("Server error: NetConnection.Connect.InvalidApp", .unknownApplication, true),
            ("Server error: [ AccessManager.Reject ] : Application not found", .unknownApplication, true),
            ("Server error: wrong stream key", .forbidden, true),
            ("Server error: authmod=adobe", .forbidden, true),
            ("Incorrect username/password", .forbidden, true),
            ("Unable to verify peer certificate: certificate has expired", .certificateRejected, true),
            ("Peer certificate failed verification", .certificateRejected, true),
            ("The certificate's owner does not match hostname localhost", .certificateRejected, true),
            ("Failed to resolve hostname denied.rejected.invalid", .unreachable, false),
        ],
        [EPERM, EIO])
    func lines(row: (text: String, expected: PublishingError.Code, isPermanent: Bool), status: CInt) {
        let refusal = Refusal(Refusal.Report(status: -status, lines: "something before\n\(row.text)\n"))
        #expect(refusal.code == row.expected && refusal.code.isPermanent == row.isPermanent)
        #expect(refusal.sentence == row.text)
        #expect(refusal.silentStep == nil)
    }

    @Test("what was ended from outside, or took too long, is nothing else")
    func ended() {
        #expect(code(-EIO, "Server error: Already publishing", isCancelled: true, isTimedOut: true) == .cancelled)
        #expect(code(-EIO, isTimedOut: true) == .timedOut)
    }

    @Test("where a server says nothing, the library's steps tell what it had heard")
    func silence() {
        let application = "Handshaking...\nProto = %s, path = %s, app = %s, fname = %s\n"
        let stream = application + "Creating stream...\nSending publish command for '%s'\n"
        for (steps, step) in [("Handshaking...\n", nil), (application, .application), (stream, .stream)]
            as [(String, Refusal.SilentStep?)]
        {
            #expect(Refusal(Refusal.Report(status: -EIO, steps: steps)).silentStep == step)
        }
        #expect(Refusal(Refusal.Report(status: -EIO, lines: "Server error: no\n", steps: stream)).silentStep == nil)
        #expect(Refusal(Refusal.Report(status: -EIO, steps: stream, isTimedOut: true)).silentStep == nil)
    }

    @Test("a server that ends three connections in a row at the same word refuses; any other failure between does not")
    func memory() {
        func failure(_ step: Refusal.SilentStep?) -> PublishingError {
            var error = PublishingError(.closedByPeer, reason: "ended", output: "rtmp://host/app/…", status: -5)
            error.silentStep = step
            return error
        }
        for (step, code) in [
            (Refusal.SilentStep.application, PublishingError.Code.unknownApplication), (.stream, .forbidden),
        ] {
            var memory = RefusalMemory()
            let codes = (0..<3).map { _ in memory.judge(failure(step)).code }
            #expect(codes == [.closedByPeer, .closedByPeer, code])
        }
        for other in [nil, Refusal.SilentStep.stream] {
            var memory = RefusalMemory()
            let steps: [Refusal.SilentStep?] = [.application, .application, other, .application, .application]
            #expect(steps.allSatisfy { memory.judge(failure($0)).code == .closedByPeer })
        }
    }

    @Test(
        "reasons of SRT pass or do not",
        arguments: [
            (-1, nil), (0, false), (2, false), (3, false), (5, false), (10, true), (11, true), (16, false), (17, true),
            (1000, true), (1401, true), (1402, false), (1403, true), (1404, true), (1409, false), (1503, false),
            (2000, true),
        ] as [(Int, Bool?)])
    func reasonsOfSRT(reason: Int, isPermanent: Bool?) {
        #expect(SRTRejection(reason: reason)?.code.isPermanent == isPermanent)
    }
}
