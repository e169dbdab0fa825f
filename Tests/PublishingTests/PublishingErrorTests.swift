// SPDX-License-Identifier: MIT

import Publishing
import Testing

@Suite struct PublishingErrorTests {
    @Test("an error says its output before its reason")
    func description() {
        #expect(
            PublishingError(.invalidValue, reason: "3 channels, expected 1 or 2").description
                == "3 channels, expected 1 or 2")
        #expect(
            PublishingError(.refused, reason: "nobody listens", output: "rtmp://host/app").description
                == "rtmp://host/app: nobody listens")
    }

    @Test(
        "only what may pass by itself is worth another try",
        arguments: [
            (PublishingError.Code.refused, false), (.unreachable, false), (.timedOut, false), (.closedByPeer, false),
            (.nameInUse, false), (.forbidden, true), (.unknownApplication, true), (.unsupported, true),
            (.certificateRejected, true), (.invalidAddress, true), (.diskFull, true), (.cancelled, true),
            (PublishingError.Code(rawValue: "of another module"), true),
        ])
    func permanence(code: PublishingError.Code, isPermanent: Bool) {
        #expect(code.isPermanent == isPermanent)
    }
}
