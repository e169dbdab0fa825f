// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV
import Testing

@Suite struct LibAVTrackTests {
    @Test(
        "a timescale holds the times of two where 31 bits can",
        arguments: [(1, 30000, 30000), (30000, 90000, 90000), (24, 25, 600), (2_147_483_647, 90000, 2_147_483_647)])
    func timescales(first: Int32, second: Int32, common: Int32) {
        #expect(MediaTime.commonTimescale(first, second) == common)
        #expect(MediaTime.commonTimescale(second, first) == common)
    }
}
