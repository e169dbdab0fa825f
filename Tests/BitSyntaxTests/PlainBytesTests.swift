// SPDX-License-Identifier: MIT

import BitSyntax
import ParameterSets
import TestSupport
import Testing

@Suite struct PlainBytesTests {
    /// The bytes that are left of a unit, and how many zeros were at its end, by removing emulation prevention.
    private func expected(_ unit: [UInt8], limit: Int = .max) -> (bytes: [UInt8], zeros: Int) {
        let plain = EmulationPrevention.unescape(Array(unit.reversed().drop { $0 == 0 }.reversed()), limit: limit)
        let bytes = Array(plain.reversed().drop { $0 == 0 }.reversed())
        return (bytes, plain.count - bytes.count)
    }

    @Test("passing over emulation prevention gives what removing it gives", arguments: 1...UInt64(300))
    func removal(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let unit = random.streamBytes(count: Int.random(in: 0...300, using: &random))
        for limit in [Int.max, unit.count / 2, 1, 0] {
            var plain = PlainBytes(nalUnit: unit, limit: limit)
            let expected = expected(unit, limit: limit)
            #expect(plain.count == expected.bytes.count && plain.trailingZeros == expected.zeros)
            #expect((0..<plain.count).map { plain[$0] } == expected.bytes)
            // A view of other memory need not be copied beyond what a limit lets through.
            var copied = PlainBytes(nalUnit: unit.span, limit: limit)
            #expect((0..<copied.count).map { copied[$0] } == expected.bytes)
            // Going back starts over.
            #expect((0..<plain.count).reversed().map { plain[$0] } == expected.bytes.reversed())
        }
    }

    @Test("fields that straddle emulation prevention are read as without it", arguments: 1...UInt64(300))
    func fields(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let unit = random.streamBytes(count: Int.random(in: 1...100, using: &random))
        var reader = BitReader(PlainBytes(nalUnit: unit))
        var reference = BitReader(expected(unit).bytes)
        while reference.remaining > 0 {
            let count = Int.random(in: 1...64, using: &random)
            let isCode = Bool.random(using: &random)
            let read = try? isCode ? reader.readExpGolomb() : reader.read(count)
            let wanted = try? isCode ? reference.readExpGolomb() : reference.read(count)
            #expect(read == wanted && reader.position == reference.position)
            if wanted == nil {
                // The position has not moved: go on a bit further.
                let bits = (try? reader.read(1), try? reference.read(1))
                #expect(bits.0 == bits.1)
            }
        }
        #expect(reader.remaining == 0)
    }

    @Test("bits that are kept as they are come without emulation prevention", arguments: 1...UInt64(300))
    func opaqueBits(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let unit = hex("7C 01") + random.streamBytes(count: Int.random(in: 0...100, using: &random))
        let read = try HEVCNALUnit(nalUnit: unit, in: .init())
        let expected = expected(unit)
        #expect(read.payload == .other(OpaqueBits(Array(expected.bytes.dropFirst(2)))))
        #expect(read.zeroBytes == expected.zeros & ~1)
    }

    @Test("the stop bit is found wherever emulation prevention and limits are", arguments: 0...7, 0...9)
    func stopBit(zeroBits: Int, padding: Int) throws {
        // User data of an unknown type with bits behind what is known: recovery point, extension data, zeros.
        let data = [UInt8](repeating: 0, count: padding) + [UInt8(0x80) >> UInt8(zeroBits)]
        let bytes = hex("4E 01 06") + [UInt8(data.count + 3), 0x84, 0xD0, 0x40] + data + [0x80]
        let unit = try HEVCNALUnit(nalUnit: EmulationPrevention.escape(bytes), in: .init())
        guard case .sei(let messages) = unit.payload else {
            Issue.record("no SEI")
            return
        }
        #expect(messages.messages.first?.tail?.zeroBits == 7 - zeroBits)
        #expect(try unit.nalUnit(in: .init()) == EmulationPrevention.escape(bytes))
    }
}
