// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct EmulationPreventionTests {
    /// What must not stand in a NAL unit (7.4.1): 00 00 followed by 0...2, by 3 and more than 3, or by the end.
    private func firstViolation(in unit: [UInt8]) -> Int? {
        unit.indices.first { index in
            guard index + 1 < unit.count, unit[index] == 0, unit[index + 1] == 0 else { return false }
            guard index + 2 < unit.count else { return true }
            guard unit[index + 2] == 3 else { return unit[index + 2] < 3 }
            return index + 3 < unit.count && unit[index + 3] > 3
        }
    }

    @Test("no start-code prefix survives escaping, however long the run of zeros", arguments: 0...64)
    func escapedZeros(count: Int) {
        let zeros = [UInt8](repeating: 0, count: count)
        let atEnd = EmulationPrevention.escape(zeros)
        #expect(firstViolation(in: atEnd) == nil)
        #expect(atEnd.last != 0)
        let inside = EmulationPrevention.escape([0x65] + zeros + [0x80])
        #expect(firstViolation(in: inside) == nil)
        #expect(EmulationPrevention.unescape(inside) == [0x65] + zeros + [0x80])
    }

    @Test("zero words after the stop bit survive", arguments: 0...9)
    func zeroWords(count: Int) {
        let plain = [0x65, 0x80] + [UInt8](repeating: 0, count: 2 * count)
        #expect(EmulationPrevention.unescape(EmulationPrevention.escape(plain)) == plain)
    }

    @Test("a unit never ends in a zero byte", arguments: [("65 00", "65 00 03"), ("65 00 00 00", "65 00 00 03 00 03")])
    func lastByte(plain: String, escaped: String) {
        #expect(EmulationPrevention.escape(hex(plain)) == hex(escaped))
    }

    @Test(
        "escaping follows the wire rule",
        arguments: [
            ("65 00 00 00 01", "65 00 00 03 00 01"),
            ("65 00 00 01", "65 00 00 03 01"),
            ("65 00 00 02", "65 00 00 03 02"),
            ("65 00 00 03", "65 00 00 03 03"),
            ("65 00 00 04", "65 00 00 04"),
            ("65 00 01 00 01", "65 00 01 00 01"),
            ("65 00 00 00 00 00 80", "65 00 00 03 00 00 03 00 80"),
            ("65 80 00 00", "65 80 00 00 03"),
            ("", ""),
        ])
    func rows(plain: String, escaped: String) {
        #expect(EmulationPrevention.escape(hex(plain)) == hex(escaped))
        #expect(EmulationPrevention.unescape(hex(escaped)) == hex(plain))
    }

    @Test("unescaping removes a 3 before any byte, as both standards' syntax does")
    func illegalEscape() {
        #expect(EmulationPrevention.unescape(hex("65 00 00 03 7F 03")) == hex("65 00 00 7F 03"))
    }

    @Test("random bytes survive and obey the wire rule", arguments: 1...UInt64(100))
    func random(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let plain = random.streamBytes(count: Int.random(in: 0...400, using: &random)) + [0x80]
        let escaped = EmulationPrevention.escape(plain)
        #expect(firstViolation(in: escaped) == nil)
        #expect(EmulationPrevention.unescape(escaped) == plain)
        let limit = Int.random(in: 0...plain.count, using: &random)
        #expect(EmulationPrevention.unescape(escaped, limit: limit) == Array(plain.prefix(limit)))
    }
}
