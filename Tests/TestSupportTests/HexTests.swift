// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite struct HexTests {
    @Test(
        "digits of either case, grouped by any white space, become bytes",
        arguments: [("", []), ("00", [0]), ("67 64001f\n0A\tff", [0x67, 0x64, 0x00, 0x1F, 0x0A, 0xFF])]
            as [(String, [UInt8])])
    func parses(text: String, bytes: [UInt8]) {
        #expect(Hex.bytes(text) == bytes)
    }

    @Test("every byte prints as two digits that read back")
    func prints() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hex.string(all.prefix(17)).hasSuffix("0e 0f 10"))
        #expect(Hex.bytes(Hex.string(all)) == all)
        #expect(Hex.string([1, 0xAB], separator: "") == "01ab")
    }
}
