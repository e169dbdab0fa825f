// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderAPI
import Publishing
import TestSupport
import Testing
import WebSocketPublishing

@Suite struct MessageHeaderTests {
    private func read(_ bytes: [UInt8]) throws -> MessageHeader {
        var header = MessageHeader()
        var reader = SyntaxReader(bytes)
        try header.code(with: &reader, in: ())
        return header
    }

    private func bytes(_ header: MessageHeader) throws -> [UInt8] {
        var (header, writer) = (header, SyntaxWriter())
        try header.code(with: &writer, in: ())
        return writer.finish()
    }

    @Test("each field stands where the documentation says")
    func layout() throws {
        //  version, kind, track, flags (key, disposable, one turn), timescale, presentation, decode, duration
        let text =
            "01  02   03            D0                00 01 5F 90  00 00 00 01 00 00 00 05  FF FF FF FF FF FF FF FE  00 00 0B B8"
        let header = try read(Hex.bytes(text))
        #expect(header.kind == .frame && header.track == TrackID(.video, number: 3))
        #expect(header.isKey && header.isDisposable && header.rotation == 90)
        #expect(header.timescale == 90_000 && header.duration == 3000)
        #expect(header.presentationTime == 1 << 32 + 5 && header.decodeTime == -2)
        #expect(try bytes(header) == Hex.bytes(text))
        #expect(try read(Hex.bytes("01 01 80 80 00000001 0000000000000000 0000000000000000 00000000")).track == .audio)
    }

    @Test("what breaks the rules is refused by the name of the field and its place")
    func broken() throws {
        let zeros = "0000000000000000 0000000000000000 00000000"
        for (text, field) in [
            ("02 02 00 80 00000001 \(zeros)", "version"), ("00 02 00 80 00000001 \(zeros)", "version"),
            ("01 00 00 80 00000001 \(zeros)", "kind"), ("01 04 00 80 00000001 \(zeros)", "kind"),
            ("01 02 00 81 00000001 \(zeros)", "reserved"), ("01 02 00 88 00000001 \(zeros)", "reserved"),
            ("01 02 00 80 00000000 \(zeros)", "timescale"), ("01 02 00 80 80000000 \(zeros)", "timescale"),
            ("01 02 00 80 00000001 0000000000000000 0000000000000001 00000000", "decode_time"),
            ("01 02 00 80 00000001 8000000000000000 8000000000000001 00000000", "decode_time"),
        ] {
            let error = #expect(throws: SyntaxError.self, "\(text)") { try read(Hex.bytes(text)) }
            #expect(error?.field == field && error?.bitOffset != nil, "\(text)")
        }
        var header = MessageHeader()
        header.rotation = 45
        #expect(throws: SyntaxError.self) { try bytes(header) }
        header.rotation = 360
        #expect(throws: SyntaxError.self) { try bytes(header) }
        (header.rotation, header.track) = (0, TrackID(.video, number: 128))
        #expect(throws: SyntaxError.self) { try bytes(header) }
    }

    @Test("a header that ends anywhere is refused, and what is behind it is not looked at")
    func truncated() throws {
        let whole = try bytes(MessageHeader())
        #expect(whole.count == MessageHeader.byteCount)
        for count in whole.indices {
            let error = #expect(throws: SyntaxError.self) { try read(Array(whole[..<count])) }
            #expect(error?.code == .endOfData)
        }
        #expect(try read(whole + [0xFF]) == MessageHeader())
    }

    @Test("random headers are written and read as the same")
    func roundTrips() throws {
        var random = SeededGenerator()
        for _ in 0..<20_000 {
            var header = MessageHeader()
            header.kind = Bool.random(using: &random) ? .format : .frame
            header.track = TrackID(
                Bool.random(using: &random) ? .video : .audio, number: Int.random(in: 0...127, using: &random))
            header.isKey = Bool.random(using: &random)
            header.isDisposable = Bool.random(using: &random)
            header.rotation = 90 * Int.random(in: 0...3, using: &random)
            header.timescale = Int.random(in: 1...Int(Int32.max), using: &random)
            let shift = Int.random(in: 0...63, using: &random)
            let times = [
                Int.random(in: .min ... .max, using: &random) >> shift,
                Int.random(in: .min ... .max, using: &random) >> shift,
            ]
            (header.decodeTime, header.presentationTime) = (times.min() ?? 0, times.max() ?? 0)
            header.duration = Int.random(in: 0...Int(UInt32.max), using: &random)
            #expect(try read(try bytes(header)) == header)
        }
    }

    @Test("random bytes are read as a header that writes the same bytes, or refused")
    func hostile() throws {
        var random = SeededGenerator()
        var accepted = 0
        for _ in 0..<50_000 {
            var data = random.bytes(count: Int.random(in: 0...40, using: &random))
            // Most random bytes fail at the first field.
            if data.count > 3, Bool.random(using: &random) {
                data[0] = 1
                data[1] = UInt8.random(in: 0...3, using: &random)
                data[3] &= 0xF3
            }
            guard let header = try? read(data) else { continue }
            accepted += 1
            #expect(try bytes(header) == Array(data[..<MessageHeader.byteCount]))
        }
        #expect(accepted > 100)
    }

    @Test("a packet's times are exact in the header where one timescale has both")
    func packetTimes() throws {
        let format = try Frames.videoFormat()
        for (start, decode, scale) in [
            (MediaTime(value: 3003, timescale: 30_000), MediaTime(value: 1001, timescale: 30_000), 30_000),
            (MediaTime(value: 1, timescale: 30), MediaTime(value: -1, timescale: 25), 150),
            (MediaTime(value: 5, timescale: 1), MediaTime(value: 9000, timescale: 90_000), 90_000),
        ] {
            let header = MessageHeader(.frame, of: Frames.picture(start, decodedAt: decode, format: format))
            #expect(header.timescale == scale)
            #expect(header.presentation == start && header.decode == decode)
        }
        // No timescale of 31 bits has both: the decode time goes down to a tick of the other.
        let start = MediaTime(value: 2_000_000_000, timescale: 1_999_999_973)
        let decode = MediaTime(value: 1_000_000_000, timescale: 1_000_000_007)
        let header = MessageHeader(.frame, of: Frames.picture(start, decodedAt: decode, format: format))
        #expect(header.presentation == start && header.decode <= decode)
        #expect((decode - header.decode).seconds < 1e-8)
    }
}
