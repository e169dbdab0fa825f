// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Publishing

@Suite struct HeaderSplitterTests {
    private func split(_ bytes: [UInt8], piece: Int) -> HeaderSplitter {
        var splitter = HeaderSplitter(isFragmented: true)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(start + piece, bytes.count)])
            part.withUnsafeBytes { splitter.pass($0) }
        }
        return splitter
    }

    @Test("all boxes before the first moof are the header, in pieces of any size", arguments: 1...40)
    func fragmented(piece: Int) {
        //         size     ftyp     contents  size     moov    size     moof
        let header = Hex.bytes("0000000C 66747970 01020304 00000008 6D6F6F76")
        let rest = Hex.bytes("00000010 6D6F6F66 0102030405060708 00000008 6D646174")
        let splitter = split(header + rest, piece: piece)
        #expect(splitter.isWhole && splitter.header == header)
    }

    @Test("a box with its size in eight bytes is passed whole", arguments: [1, 7, 64])
    func largeSize(piece: Int) {
        let header = Hex.bytes("00000001 66747970 0000000000000014 01020304 00000008 6D6F6F76")
        #expect(split(header + Hex.bytes("00000008 6D6F6F66"), piece: piece).header == header)
    }

    @Test("of other containers everything is the header until a packet follows")
    func plain() {
        var splitter = HeaderSplitter(isFragmented: false)
        Hex.bytes("010203").withUnsafeBytes { splitter.pass($0) }
        #expect(!splitter.isWhole)
        splitter.packetFollows()
        Hex.bytes("04").withUnsafeBytes { splitter.pass($0) }
        #expect(splitter.isWhole && splitter.header == [1, 2, 3])
    }
}
