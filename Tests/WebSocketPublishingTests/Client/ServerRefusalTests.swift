// SPDX-License-Identifier: MIT

import Glibc
import Publishing
import Testing

@testable import WebSocketPublishing

@Suite struct ServerRefusalTests {
    @Test(
        "a status says whether it may pass",
        arguments: [
            (101, .unsupported), (200, .unsupported), (301, .unsupported), (400, .unsupported), (401, .forbidden),
            (403, .forbidden), (404, .unknownApplication), (409, .nameInUse), (421, .unsupported), (426, .unsupported),
            (429, .closedByPeer), (500, .closedByPeer), (503, .closedByPeer), (999, .unsupported),
        ] as [(Int, PublishingError.Code)])
    func statuses(status: Int, code: PublishingError.Code) {
        let refusal = ServerRefusal(status: status)
        #expect(refusal.code == code)
        #expect(status == 101 || refusal.reason.contains("\(status)"))
    }

    @Test(
        "a code of closing says whether it may pass",
        arguments: [
            (nil, .closedByPeer), (1000, .closedByPeer), (1001, .closedByPeer), (1002, .unsupported),
            (1003, .unsupported), (1007, .unsupported), (1008, .forbidden), (1009, .unsupported),
            (1011, .closedByPeer), (1013, .closedByPeer), (4000, .closedByPeer),
        ] as [(Int?, PublishingError.Code)])
    func codes(closeCode: Int?, code: PublishingError.Code) {
        #expect(ServerRefusal(closeCode: closeCode).code == code)
    }

    @Test("numbers of the system say whether it may pass; of others nothing is known")
    func numbers() {
        #expect(ServerRefusal(status: ECONNREFUSED)?.code == .refused)
        #expect(ServerRefusal(status: ENETUNREACH)?.code == .unreachable)
        #expect(ServerRefusal(status: EPIPE)?.code == .closedByPeer)
        #expect(ServerRefusal(status: ETIMEDOUT)?.code == .timedOut)
        #expect(ServerRefusal(status: ENOSPC) == nil)
    }
}
