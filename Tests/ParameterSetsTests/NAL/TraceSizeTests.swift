// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct TraceSizeTests {
    /// Filler, and an SEI message whose payload ends in zeros, each of so many bytes.
    private static func units(count: Int) -> [(field: String, bytes: [UInt8])] {
        let size = [UInt8](repeating: 255, count: (count + 5) / 255) + [UInt8((count + 5) % 255)]
        let light: [UInt8] = [0x90] + size + [1, 2, 3, 4, 0x80] + [UInt8](repeating: 0, count: count)
        return [
            ("ff_byte", [0x0C] + [UInt8](repeating: 255, count: count) + [0x80]),
            ("bit_equal_to_zero", EmulationPrevention.escape([0x06] + light + [0x80])),
        ]
    }

    @Test("bytes that fill up a unit are one element of its trace", arguments: [1, 100, 100_000], 0...1)
    func fill(count: Int, kind: Int) throws {
        let unit = Self.units(count: count)[kind]
        var sets = H264ParameterSets()
        let trace = H264NALUnit.trace(unit.bytes, updating: &sets)
        #expect(trace.error == nil)
        let filling = trace.elements.filter { $0.name.field == unit.field && $0.number == nil }
        #expect(filling.map(\.bitLength) == [count * 8])
        // The size of the payload has a byte for each 255.
        #expect(trace.elements.count <= 30 + count / 255)
        let read = try H264NALUnit(nalUnit: unit.bytes, in: sets)
        #expect(try read.nalUnit(in: sets) == unit.bytes)
    }

    @Test("a byte that does not fill up is told with its place", arguments: 0...1)
    func other(kind: Int) throws {
        var unit = Self.units(count: 100)[kind]
        let rbsp = EmulationPrevention.unescape(unit.bytes)
        // The stop bit behind the run keeps it whole: only a byte inside is changed.
        let place = rbsp.count - 20
        var changed = rbsp
        changed[place] ^= 1
        unit.bytes = EmulationPrevention.escape(changed)
        let error = thrown { _ = try H264NALUnit(nalUnit: unit.bytes, in: .init()) } as? ParameterSetError
        guard kind == 0 else {
            // A one bit among the zeros ends the payload's extension there.
            #expect(error == nil)
            return
        }
        #expect(error?.code == .fixedBits && error?.field == unit.field && error?.bitOffset == place * 8)
        #expect(error?.reason == "is 254, the standard fixes it at 255")
    }
}
