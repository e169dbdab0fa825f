// SPDX-License-Identifier: MIT

import EncoderAPI
import FLV
import TestSupport
import Testing

@Suite struct FLVTagWriterTests {
    private let hevc = FLVTagWriter(codec: .hevc, hasAudio: true)
    private let avc = FLVTagWriter(codec: .h264, hasAudio: false)

    @Test("the file's header says what is in it")
    func fileHeader() throws {
        //                                           version  audio and video  offset  no tag before
        #expect(try hevc.fileHeader() == Hex.bytes("464C56 01 05 00000009 00000000"))
        #expect(try avc.fileHeader() == Hex.bytes("464C56 01 01 00000009 00000000"))
        let sound = FLVTagWriter(codec: nil, hasAudio: true)
        #expect(try sound.fileHeader() == Hex.bytes("464C56 01 04 00000009 00000000"))
    }

    @Test("HEVC has the extended header with its FourCC, and an offset only where there is one")
    func extended() throws {
        //  type   size    time      high  stream  key, header  h v c 1    record  whole size
        let header = "09 000006 000000 00 000000 90 68766331 01 00000011"
        #expect(try hevc.videoHeader([1], at: 0) == Hex.bytes(header))
        //  1 h 1 min 1 s = 0x37DF48 ms          inter, NAL units          40 ms
        let shown = "09 000009 37DF48 00 000000 A1 68766331 000028 AA 00000014"
        #expect(
            try hevc.picture([0xAA], isKey: false, isDisposable: true, at: 3_661_640, offset: 40) == Hex.bytes(shown))
        let atOnce = "09 000006 000000 01 000000 93 68766331 AA 00000011"
        #expect(
            try hevc.picture([0xAA], isKey: true, isDisposable: false, at: 16_777_216, offset: 0) == Hex.bytes(atOnce))
        #expect(try hevc.videoEnd(at: 1) == Hex.bytes("09 000005 000001 00 000000 92 68766331 00000010"))
    }

    @Test("H.264 has the plain header")
    func plain() throws {
        #expect(try avc.videoHeader([1], at: 0) == Hex.bytes("09 000006 000000 00 000000 17 00 000000 01 00000011"))
        let disposable = "09 000006 000000 00 000000 37 01 FFFFD8 AA 00000011"
        #expect(
            try avc.picture([0xAA], isKey: false, isDisposable: true, at: 0, offset: -40) == Hex.bytes(disposable))
    }

    @Test("AAC has its configuration once, then its packets")
    func sound() throws {
        //                                                                    AAC, 44 kHz, 16 bit, stereo
        #expect(
            try hevc.audioHeader([0x11, 0x90], at: 0) == Hex.bytes("08 000004 000000 00 000000 AF 00 1190 0000000F"))
        #expect(try hevc.sound([7], at: 23) == Hex.bytes("08 000003 000017 00 000000 AF 01 07 0000000E"))
    }

    @Test("what is written is read back, tag by tag")
    func roundTrip() throws {
        let tags = [
            try hevc.fileHeader(), try hevc.script(FLVMetadata([("width", .number(640))]).bytes),
            try hevc.videoHeader([1, 2, 3], at: 0), try hevc.audioHeader([0x11, 0x90], at: 0),
            try hevc.picture([9, 9], isKey: true, isDisposable: false, at: 0, offset: 67),
            try hevc.sound([8], at: 2_147_483_647), try hevc.videoEnd(at: 100),
        ]
        var rest = tags.flatMap(\.self)[...]
        var reader = FLVTagReader<Never> { buffer in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var sizes: [Int] = []
        while let piece = reader.next() {
            #expect(!piece.isCutOff)
            switch piece.kind {
            case .tag: sizes.append(piece.size)
            case .previousTagSize(let expected): #expect(piece.bytes.reduce(0) { $0 << 8 | Int($1) } == expected)
            case .header: break
            }
        }
        #expect(sizes == tags.dropFirst().map { $0.count - 4 })
        #expect(FLVVideoTagHeader.first(in: tags.flatMap(\.self))?.codec == .hevc)
    }

    @Test("the properties are an array of named values")
    func metadata() {
        let metadata = FLVMetadata([("a", .number(1)), ("b", .flag(true)), ("c", .text("x"))])
        //                             "onMetaData"                           array of 3
        let head = "02 000A 6F6E4D65746144617461 08 00000003"
        let values = "0001 61 00 3FF0000000000000  0001 62 01 01  0001 63 02 0001 78"
        #expect(metadata.bytes == Hex.bytes("\(head) \(values) 000009"))
    }
}
