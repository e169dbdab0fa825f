// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct AnnexBTests {
    @Test(
        "units lie between start codes, without the zeros around them",
        arguments: [
            ("", []),
            ("00 00 01", []),
            ("00 00 01 09", [3..<4]),
            ("00 00 00 01 09 10", [4..<6]),
            ("00 00 00 00 00 01 09 00 00 00 00", [6..<7]),
            ("00 00 01 09 F0 00 00 01 67 42 00 00 00 01 68", [3..<5, 8..<10, 14..<15]),
            ("00 00 01 00 00 01 65", [6..<7]),
            ("65 88 00 00 01 41", [5..<6]),
            ("65 88 00 00 02 01 41", []),
            ("00 01 09 00 00 03 01 00 00 01 65", [10..<11]),
            ("00 00 01 01 01 00 00 01 01 00 01", [3..<5, 8..<11]),
        ] as [(String, [Range<Int>])])
    func rows(stream: String, ranges: [Range<Int>]) {
        #expect(AnnexB.nalUnitRanges(in: hex(stream)) == ranges)
    }

    /// The units by the definition of B.1, one byte at a time.
    private func unitsByDefinition(_ bytes: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var current: [UInt8]?
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: [0, 0, 1]) {
                current.map { units.append($0) }
                current = []
                index += 3
            } else {
                current?.append(bytes[index])
                index += 1
            }
        }
        current.map { units.append($0) }
        return units.map { unit in Array(unit.reversed().drop { $0 == 0 }.reversed()) }.filter { !$0.isEmpty }
    }

    @Test("scanning agrees with the definition on random bytes", arguments: 1...UInt64(200))
    func random(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let bytes = random.streamBytes(count: Int.random(in: 0...300, using: &random))
        #expect(AnnexB.nalUnitRanges(in: bytes).map { Array(bytes[$0]) } == unitsByDefinition(bytes))
    }

    @Test("pieces of any size give the units of the whole", arguments: 1...UInt64(200))
    func pieces(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let bytes = random.streamBytes(count: Int.random(in: 0...300, using: &random))
        var reader = AnnexBStreamReader()
        var units: [AnnexBStreamReader.Unit] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...9, using: &random))
            units += try reader.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        if let last = reader.finish() {
            units.append(last)
        }
        #expect(units.map(\.bytes) == unitsByDefinition(bytes))
        for (unit, range) in zip(units, AnnexB.nalUnitRanges(in: bytes)) {
            let code = Array(bytes[unit.startCodeOffset..<range.lowerBound])
            #expect(code == (unit.startCodeLength == 4 ? [0, 0, 0, 1] : [0, 0, 1]))
            let hasZeroBefore = unit.startCodeOffset > 0 && bytes[unit.startCodeOffset - 1] == 0
            #expect(unit.startCodeLength == 4 || !hasZeroBefore)
        }
    }

    @Test("a unit beyond the limit is an error before it is whole")
    func maximumUnitSize() throws {
        var reader = AnnexBStreamReader(maximumUnitSize: 100)
        _ = try reader.append([0, 0, 1] + [UInt8](repeating: 9, count: 100))
        let error = thrown { _ = try reader.append([9]) } as? ParameterSetError
        #expect(error?.code == .badLength)
        #expect(error?.reason == "a NAL unit has 101 bytes or more, expected at most 100")
    }

    @Test("a unit beyond the limit is an error when it comes in one piece", arguments: [100, 101])
    func maximumUnitSizeAtOnce(size: Int) {
        var reader = AnnexBStreamReader(maximumUnitSize: 100)
        let stream = AnnexB.join([[UInt8](repeating: 9, count: size), [9]])
        let error = thrown { _ = try reader.append(stream) } as? ParameterSetError
        #expect(error?.code == (size > 100 ? .badLength : nil))
    }

    @Test("a unit of the largest size comes in any pieces, and after a larger one the stream goes on")
    func afterLargeUnit() throws {
        let stream = AnnexB.join([[UInt8](repeating: 9, count: 10), [8], [7]])
        var reader = AnnexBStreamReader(maximumUnitSize: 10)
        var units: [[UInt8]] = []
        for byte in stream { units += try reader.append([byte]).map(\.bytes) }
        #expect(units.count == 2 && reader.finish()?.bytes == [7])
        var strict = AnnexBStreamReader(maximumUnitSize: 9)
        #expect(throws: ParameterSetError.self) { _ = try strict.append(stream) }
        #expect(try strict.append([0, 0, 1, 6]).map(\.bytes) == [[7]] && strict.finish()?.bytes == [6])
        for byte in stream[..<14] { _ = try? strict.append([byte]) }
        #expect(try strict.append(stream[14...]).map(\.bytes) == [[8]])
    }

    @Test("joining writes four-byte start codes")
    func join() {
        #expect(AnnexB.join([[0x67, 1], [0x68]]) == hex("00000001 67 01 00000001 68"))
    }
}
