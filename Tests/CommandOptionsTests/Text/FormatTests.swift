// SPDX-License-Identifier: MIT

import Testing

@testable import CommandOptions

@Suite struct FormatTests {
    @Test(
        "decimals are fixed and rounded",
        arguments: [
            (1.005, 1, "1.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (12.345, 0, "12"), (0.999, 2, "1.00"),
            (3.04, 2, "3.04"), (.nan, 1, "-"), (.infinity, 1, "-"),
        ])
    func fixed(value: Double, decimals: Int, text: String) {
        #expect(Format.fixed(value, decimals) == text)
    }

    @Test("changes carry a sign, bit rates a unit, and bytes are grouped")
    func units() {
        #expect(Format.change(-0.2143) == "-21.4 %")
        #expect(Format.change(0.03) == "+3.0 %")
        #expect(Format.bitRate(812) == "812 bit/s")
        #expect(Format.bitRate(812_340) == "812.3 kbit/s")
        #expect(Format.bitRate(2_500_000) == "2.50 Mbit/s")
        #expect(Format.grouped(1_234_567) == "1 234 567")
        #expect(Format.grouped(-1000) == "-1 000")
        #expect(Format.grouped(999) == "999")
    }

    @Test("one thing is told in the singular")
    func counted() {
        #expect([0, 1, 2].map { Format.counted($0, "frame") } == ["0 frames", "1 frame", "2 frames"])
    }

    @Test("durations are read as a clock's from a minute on")
    func durations() {
        #expect(Format.duration(59.4) == "59 s" && Format.duration(125) == "2:05" && Format.duration(3720) == "1:02:00")
    }
}
