// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

/// Flips every bit of a structure's payload, and cuts it at every byte: each result is refused, or written back as read.
func expectMutationsHold<Structure: RBSPStructure>(
    _: Structure.Type, nalUnit: [UInt8], in context: Structure.Context,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let header = try Structure.Header(nalUnit: nalUnit)
    let rbsp = Array(EmulationPrevention.unescape(nalUnit).dropFirst(header.byteCount))
    var refused = 0
    for bit in 0..<rbsp.count * 8 {
        var flipped = rbsp
        flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
        refused += try expectRefusedOrKept(Structure.self, flipped, in: context, sourceLocation) ? 1 : 0
    }
    for count in rbsp.indices {
        refused +=
            try expectRefusedOrKept(Structure.self, Array(rbsp.prefix(count)), in: context, sourceLocation) ? 1 : 0
    }
    #expect(refused > 0, "a mutation of any structure can be refused", sourceLocation: sourceLocation)
}

private func expectRefusedOrKept<Structure: RBSPStructure>(
    _: Structure.Type, _ rbsp: [UInt8], in context: Structure.Context, _ sourceLocation: SourceLocation
) throws -> Bool {
    let value: Structure
    do {
        value = try Structure(rbsp: rbsp, in: context)
    } catch {
        return true
    }
    let kept = Array(rbsp.reversed().drop { $0 == 0 }.reversed())
    #expect(try value.rbsp(in: context) == kept, sourceLocation: sourceLocation)
    return false
}
