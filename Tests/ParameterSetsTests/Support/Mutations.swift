// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

/// What becomes of bytes by one change.
enum Mutations {
    /// Each bit flipped, one at a time.
    static func flips(of bytes: [UInt8]) -> some Sequence<[UInt8]> {
        (0..<bytes.count * 8).lazy.map { bit in
            var flipped = bytes
            flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            return flipped
        }
    }

    /// Cut at each byte.
    static func cuts(of bytes: [UInt8]) -> some Sequence<[UInt8]> {
        bytes.indices.lazy.map { Array(bytes[..<$0]) }
    }

    /// The start of some bytes and the end of others, which begins at, or up to two bytes from, where the start ends.
    static func splices(of head: [UInt8], and tail: [UInt8]) -> [[UInt8]] {
        var splices: [[UInt8]] = []
        for end in head.indices {
            for start in max(end - 2, 0)...end + 2 where start < tail.count {
                splices.append(Array(head[..<end]) + Array(tail[start...]))
            }
        }
        return splices
    }
}

/// Flips every bit of a structure's payload, and cuts it at every byte: each result is refused, or written back as
/// read.
func expectMutationsHold<Structure: RBSPStructure>(
    _: Structure.Type, nalUnit: [UInt8], in context: Structure.Context,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let header = try Structure.Header(nalUnit: nalUnit)
    let rbsp = Array(EmulationPrevention.unescape(nalUnit).dropFirst(header.byteCount))
    var refused = 0
    for flipped in Mutations.flips(of: rbsp) {
        refused += try expectRefusedOrKept(Structure.self, flipped, in: context, sourceLocation) ? 1 : 0
    }
    for cut in Mutations.cuts(of: rbsp) {
        refused += try expectRefusedOrKept(Structure.self, cut, in: context, sourceLocation) ? 1 : 0
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
