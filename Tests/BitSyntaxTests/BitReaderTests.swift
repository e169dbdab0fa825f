// SPDX-License-Identifier: MIT

import BitSyntax
import TestSupport
import Testing

@Suite struct BitReaderTests {
    @Test("reading returns what was written, whatever the field sizes", arguments: 1...UInt64(20))
    func roundTrip(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let fields = (0..<200).map { _ in (count: Int.random(in: 0...64, using: &random), value: random.next()) }
        var writer = BitWriter()
        for field in fields {
            writer.write(field.value, count: field.count)
        }
        #expect(writer.position == fields.reduce(0) { $0 + $1.count })
        var reader = BitReader(writer.bytes)
        for field in fields {
            let mask = field.count == 64 ? UInt64.max : (1 << UInt64(field.count)) - 1
            #expect(try reader.read(field.count) == field.value & mask)
        }
        #expect(reader.remaining < 8)
    }

    @Test("reading past the end throws and does not move")
    func endOfData() throws {
        var reader = BitReader([0xA5])
        #expect(try reader.read(3) == 0b101)
        #expect(throws: BitReader.Failure.endOfData) { try reader.read(6) }
        #expect(reader.position == 3)
        #expect(try reader.read(5) == 0b00101)
    }

    @Test("a limit ends the data before its last byte and can be lifted")
    func limit() throws {
        var reader = BitReader([0xFF, 0x0F])
        _ = try reader.read(2)
        let whole = reader.limit(to: 10)
        #expect(reader.remaining == 8)
        #expect(throws: BitReader.Failure.endOfData) { try reader.read(9) }
        _ = reader.limit(to: whole)
        #expect(try reader.read(14) == 0b111111_00001111)
    }

    @Test(
        "Exp-Golomb codes are those of table 9-2",
        arguments: [
            (0, "1"), (1, "010"), (2, "011"), (3, "00100"), (6, "00111"), (7, "0001000"), (8, "0001001"),
            (254, "000000011111111"), (255, "00000000100000000"),
            (4_294_967_294, "0000000000000000000000000000000 11111111111111111111111111111111"),
        ])
    func table(value: UInt64, code: String) throws {
        let digits = code.filter { $0 != " " }
        var writer = BitWriter()
        writer.writeExpGolomb(value)
        #expect(writer.bytes == bits(code))
        #expect(writer.position == digits.count)
        var reader = BitReader(bits(code))
        #expect(try reader.readExpGolomb() == value)
        #expect(reader.position == digits.count)
    }

    @Test("a prefix of 32 zeros is the longest that is read")
    func longestPrefix() {
        var longest = BitReader(bits(String(repeating: "0", count: 32) + String(repeating: "1", count: 40)))
        #expect(throws: Never.self) { try longest.readExpGolomb() }
        var tooLong = BitReader(bits(String(repeating: "0", count: 33) + String(repeating: "1", count: 39)))
        #expect(throws: BitReader.Failure.codeTooLong) { try tooLong.readExpGolomb() }
        #expect(tooLong.position == 0)
    }

    @Test("an Exp-Golomb code that is cut off is the end of the data", arguments: 1...62)
    func cutCode(length: Int) {
        var writer = BitWriter()
        writer.writeExpGolomb(4_294_967_294)
        var reader = BitReader(writer.bytes)
        _ = reader.limit(to: length)
        #expect(throws: BitReader.Failure.endOfData) { try reader.readExpGolomb() }
        #expect(reader.position == 0)
    }
}
