// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct LengthPrefixedTests {
    @Test(
        "all whole units come before one error with offset, claimed and remaining length",
        arguments: [
            ("02 67 01 01 68", 1, [1..<3, 4..<5], nil),
            ("0002 6701 0001 68", 2, [2..<4, 6..<7], nil),
            ("00000002 6701", 4, [4..<6], nil),
            ("00000002 6701 00000000 00000001 68", 4, [4..<6, 14..<15], nil),
            ("", 4, [], nil),
            ("00000002 6701 00000003 6801", 4, [4..<6], .init(offset: 6, claimed: 3, remaining: 2)),
            ("00000002 6701 0000", 4, [4..<6], .init(offset: 6, claimed: nil, remaining: 2)),
            ("FFFFFFFF 67", 4, [], .init(offset: 0, claimed: 4_294_967_295, remaining: 1)),
            ("0001 67 00", 2, [2..<3], .init(offset: 3, claimed: nil, remaining: 1)),
            ("01 67 01", 1, [1..<2], .init(offset: 2, claimed: 1, remaining: 0)),
        ] as [(String, Int, [Range<Int>], ParameterSetError.LengthMismatch?)])
    func rows(sample: String, size: Int, ranges: [Range<Int>], mismatch: ParameterSetError.LengthMismatch?) {
        let scan = LengthPrefixed.scan(hex(sample), lengthSize: size)
        #expect(scan.ranges == ranges)
        #expect(scan.error?.length == mismatch)
        #expect(scan.error?.code == mismatch.map { _ in .badLength })
        let error = thrown { _ = try LengthPrefixed.nalUnitRanges(in: hex(sample), lengthSize: size) }
        #expect(error as? ParameterSetError == scan.error)
    }

    @Test("length fields of other sizes are refused", arguments: [-1, 0, 3, 5, 8])
    func lengthSize(size: Int) {
        #expect(LengthPrefixed.scan([0, 0, 0], lengthSize: size).error?.code == .outOfRange)
        #expect(throws: ParameterSetError.self) { try LengthPrefixed.join([[1]], lengthSize: size) }
    }

    @Test("a unit too large for its length field is refused with both sizes", arguments: [(1, 255), (2, 65535)])
    func tooLarge(size: Int, largest: Int) throws {
        let unit = [UInt8](repeating: 0x41, count: largest)
        #expect(try LengthPrefixed.join([unit], lengthSize: size).count == largest + size)
        let error = thrown { _ = try LengthPrefixed.join([unit + [1]], lengthSize: size) } as? ParameterSetError
        let reason = "a NAL unit has \(largest + 1) bytes, a length of \(size) bytes holds at most \(largest)"
        #expect(error?.reason == reason)
        var stream = AnnexB.join([unit + [1]])
        let before = stream
        #expect(throws: ParameterSetError.self) { try LengthPrefixed.convertFromAnnexB(&stream, lengthSize: size) }
        #expect(stream == before)
    }

    @Test("both framings carry the same units, in place or not", arguments: 1...UInt64(60))
    func conversions(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let units = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            [0x41] + EmulationPrevention.escape(random.streamBytes(count: Int.random(in: 0...100, using: &random)))
        }
        var stream: [UInt8] = []
        for unit in units {
            stream += [UInt8](repeating: 0, count: Int.random(in: 2...4, using: &random)) + [1] + unit
        }
        for size in LengthPrefixed.sizes {
            let sample = try LengthPrefixed.join(units, lengthSize: size)
            #expect(try LengthPrefixed.fromAnnexB(stream, lengthSize: size) == sample)
            #expect(try AnnexB.fromLengthPrefixed(sample, lengthSize: size) == AnnexB.join(units))
            var inPlace = stream
            try LengthPrefixed.convertFromAnnexB(&inPlace, lengthSize: size)
            #expect(inPlace == sample)
            try AnnexB.convertFromLengthPrefixed(&inPlace, lengthSize: size)
            #expect(inPlace == AnnexB.join(units))
        }
    }

    @Test("bytes before the first start code are refused, not dropped")
    func strayBytes() {
        let error = thrown { _ = try LengthPrefixed.fromAnnexB(hex("00 65 000001 41"), lengthSize: 4) }
        #expect((error as? ParameterSetError)?.code == .missingStartCode)
        #expect((error as? ParameterSetError)?.bitOffset == 8)
        #expect(throws: ParameterSetError.self) { try LengthPrefixed.fromAnnexB(hex("65 88"), lengthSize: 4) }
    }

    @Test("a sample whose lengths do not add up is left as it is")
    func badSample() {
        var sample = hex("00000002 6701 00000003 6801")
        let before = sample
        #expect(throws: ParameterSetError.self) { try AnnexB.convertFromLengthPrefixed(&sample, lengthSize: 4) }
        #expect(sample == before)
    }
}
