// SPDX-License-Identifier: MIT

import FLV
import TestSupport
import Testing

@Suite struct FLVTagReaderTests {
    private static let header = Hex.bytes("464C56 01 01 00000009")
    private static let file =
        header + Hex.bytes("00000000  12 000002 00000000 000000 AABB 0000000D  09 000001 00002800 000000 CC 0000000C")

    private func pieces(_ bytes: [UInt8]) -> [FLVPiece] {
        var rest = bytes[...]
        var reader = FLVTagReader<Never> { buffer in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var pieces: [FLVPiece] = []
        while let piece = reader.next() { pieces.append(piece) }
        return pieces
    }

    @Test("pieces follow each other without gaps")
    func whole() {
        let pieces = pieces(Self.file)
        #expect(pieces.map(\.position) == [0, 9, 13, 26, 30, 42])
        #expect(pieces.map(\.size) == [9, 4, 13, 4, 12, 4])
        #expect(pieces.allSatisfy { !$0.isCutOff } && pieces.flatMap(\.bytes) == Self.file)
        let expected = pieces.compactMap { piece in
            if case .previousTagSize(let size) = piece.kind { size } else { nil }
        }
        #expect(expected == [0, 13, 12])
    }

    @Test("a file cut anywhere gives every byte there is, and says so in the last piece")
    func cuts() {
        for count in 0..<Self.file.count {
            let pieces = pieces(Array(Self.file.prefix(count)))
            #expect(pieces.flatMap(\.bytes) == Array(Self.file.prefix(count)))
            // Behind a tag's size the file may end.
            #expect(pieces.last?.isCutOff == ![13, 30].contains(count))
            #expect(pieces.dropLast().allSatisfy { !$0.isCutOff })
        }
    }

    @Test("a wrong size between tags leads nowhere else")
    func wrongSizes() {
        var bytes = Self.file
        bytes.replaceSubrange(26..<30, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(pieces(bytes).map(\.position) == [0, 9, 13, 26, 30, 42])
    }

    @Test("sizes beyond the file's end take no more memory than the file")
    func absurdSizes() {
        let tag = pieces(Self.header + Hex.bytes("00000000 09 FFFFFF 00000000 000000 AA"))
        #expect(tag.last?.size == 12 && tag.last?.statedSize == 16_777_226)
        let header = pieces(Hex.bytes("464C56 01 01 FFFFFFFF 00000000"))
        #expect(header.count == 1 && header[0].isCutOff && header[0].statedSize == 4_294_967_295)
        #expect(header[0].bytes.count == 9 && header[0].size == 13)
        // An offset inside the header cannot be where the body starts.
        #expect(pieces(Hex.bytes("464C56 01 01 00000004 00000000")).count == 1)
    }

    @Test("a header may be longer than its fields")
    func longHeader() {
        let bytes = Hex.bytes("464C56 01 01 0000000C 010203") + Self.file.dropFirst(9)
        #expect(pieces(bytes).map(\.position) == [0, 12, 16, 29, 33, 45])
    }
}
