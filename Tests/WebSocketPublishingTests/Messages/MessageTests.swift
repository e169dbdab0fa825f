// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderAPI
import ParameterSets
import Publishing
import TestSupport
import Testing
import WebSocketPublishing

@Suite struct MessageTests {
    /// Whether two packets have the same frame, whatever their NAL units stand behind.
    private func isSame(_ one: MediaPacket, _ other: MediaPacket) -> Bool {
        let units = [one, other].map { packet in packet.nalUnits.map { Array(packet.data[$0]) } }
        return one.track == other.track && one.format == other.format && one.isKey == other.isKey
            && one.isDisposable == other.isDisposable && one.presentationTime == other.presentationTime
            && one.decodeTime == other.decodeTime && one.duration == other.duration
            && (one.track.kind == .video ? units[0] == units[1] : one.data == other.data)
    }

    /// The frame in a message; nil where it has none.
    private func frame(_ reader: inout MessageReader, _ message: [UInt8]) throws(PublishingError) -> MediaPacket? {
        if case .frame(let packet) = try reader.read(message) { packet } else { nil }
    }

    /// The format in a message; nil where it has none.
    private func format(_ reader: inout MessageReader, _ message: [UInt8]) throws(PublishingError) -> TrackFormat? {
        if case .format(_, let format) = try reader.read(message) { format } else { nil }
    }

    @Test("random packets are written and read as the same, to the tick", arguments: [1, 2, 4])
    func roundTrips(lengthSize: Int) throws {
        var random = SeededGenerator()
        let writer = try MessageWriter(rotation: 270)
        var reader = MessageReader()
        var told: [TrackID: TrackFormat] = [:]
        for number in 0..<500 {
            let time = MediaTime(value: Int64(number) * 3003 - 5000, timescale: 90_000)
            let packet: MediaPacket
            if Bool.random(using: &random) {
                packet = Frames.picture(
                    time + .milliseconds(Int64.random(in: 0...80, using: &random)), decodedAt: time,
                    isKey: number % 30 == 0, isDisposable: Bool.random(using: &random),
                    unitSizes: (0..<Int.random(in: 1...5, using: &random)).map { _ in
                        Int.random(in: 1...(lengthSize == 1 ? 255 : 3000), using: &random)
                    }, format: try Frames.videoFormat(number / 200, lengthSize: lengthSize))
            } else {
                packet = Frames.sound(
                    time, byteCount: Int.random(in: 1...900, using: &random),
                    format: try Frames.audioFormat(sampleRate: number < 300 ? 48_000 : 44_100))
            }
            if told[packet.track] != packet.format {
                told[packet.track] = packet.format
                #expect(try format(&reader, try writer.format(of: packet)) == packet.format)
            }
            let read = try #require(try frame(&reader, try writer.frame(of: packet)))
            #expect(isSame(read, packet), "\(number)")
            #expect(reader.rotations[packet.track] == (packet.track.kind == .video ? 270 : 0))
        }
    }

    @Test("parameter sets that the format has are not sent with each key frame")
    func parameterSets() throws {
        let format = try Frames.videoFormat()
        let sets = format.annexB
        let picture = Frames.picture(.zero, isKey: true, format: format)
        let packet = MediaPacket(
            format: format, presentationTime: .zero, decodeTime: .zero, isKey: true, data: sets + picture.data,
            nalUnits: AnnexB.nalUnitRanges(in: sets)
                + picture.nalUnits.map { $0.lowerBound + sets.count..<$0.upperBound + sets.count })
        let writer = try MessageWriter()
        #expect(try writer.frame(of: packet) == writer.frame(of: picture))
    }

    @Test("a frame before its format, another kind's format, and lengths that do not fit are refused")
    func refused() throws {
        let writer = try MessageWriter()
        let picture = Frames.picture(.zero, isKey: true, format: try Frames.videoFormat())
        let frame = try writer.frame(of: picture)
        var reader = MessageReader()
        var error = #expect(throws: PublishingError.self) { try reader.read(frame) }
        #expect(error?.code == .corrupt && error?.reason.contains("before its format") == true)

        var format = try writer.format(of: picture)
        format[2] = 0x80
        error = #expect(throws: PublishingError.self) { try reader.read(format) }
        #expect(error?.code == .corrupt)
        format[2] = 0
        format[0] = 2
        error = #expect(throws: PublishingError.self) { try reader.read(format) }
        #expect(error?.code == .unsupported && error?.reason.contains("version") == true)
        format[0] = 1
        #expect(try self.format(&reader, format) == picture.format)

        // A length beyond the message's end is not believed.
        var long = frame
        long[MessageHeader.byteCount] = 0x7F
        error = #expect(throws: PublishingError.self) { try reader.read(long) }
        #expect(error?.code == .corrupt)
        // Not either behind a NAL unit that fits.
        for rest in [[0, 0, 0, 2, 1], [0, 0, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 1]] as [[UInt8]] {
            error = #expect(throws: PublishingError.self) { try reader.read(frame + rest) }
            #expect(error?.code == .corrupt, "\(rest)")
        }
        error = #expect(throws: PublishingError.self) { try reader.read(Array(frame[..<MessageHeader.byteCount])) }
        #expect(error?.reason.contains("NAL unit") == true)
        #expect(try self.frame(&reader, frame) != nil)
    }

    @Test("a record with a parameter set in the place of those of another type is refused: it would not come back")
    func misplacedSets() throws {
        var message = Hex.bytes(
            """
            01010180000003e80000000000000000000000000000000000000028020040004008687663312e312e36010160000000
            9000000000001ef000fcfdf8f800000f03a20001001840010c01ffff01600000030090000003000003001e959009a100
            01003142010101600000030090000003000003001ea020810596564924caf016808000000300800000564924ca391680
            80000003a2000100074401c172b62240
            """)
        var reader = MessageReader()
        let error = #expect(throws: PublishingError.self) { try reader.read(message) }
        #expect(error?.code == .corrupt && error?.reason.contains("type 32 among those of type 34") == true)
        #expect(reader.tracks.isEmpty)
        // Where its array says that it is one of VPS the record is whole.
        let place = try #require(message.firstIndex(of: 0xA2))
        message[place] = 0xA0
        #expect(try format(&reader, message) != nil)
    }

    @Test("the end of a track is a header alone")
    func end() throws {
        var reader = MessageReader()
        let message = try MessageWriter().end(of: TrackID(.audio, number: 5))
        guard case .end(let track) = try reader.read(message) else {
            Issue.record("no end")
            return
        }
        #expect(track == TrackID(.audio, number: 5) && message.count == MessageHeader.byteCount)
        #expect(throws: PublishingError.self) { try reader.read(message + [0]) }
        #expect(try MessageWriter().end(of: TrackID(.audio, number: 128)).isEmpty)
    }

    @Test("a viewer's report is 36 bytes, each of its fields in its place")
    func report() throws {
        let text = "01 04 0000 00000001 00000002 00000003 00000004 00000005 00000006 00000007 00000008"
        let report = try ViewerReport(message: Hex.bytes(text))
        #expect(report.receivedPictures == 1 && report.decodedPictures == 2 && report.shownPictures == 3)
        #expect(report.latePictures == 4 && report.receivedSound == 5 && report.decodedSound == 6)
        #expect(report.errors == 7 && report.delayMicroseconds == 8)
        var (copy, writer) = (report, SyntaxWriter())
        try copy.code(with: &writer, in: ())
        #expect(writer.bytes == Hex.bytes(text))
        for broken in [
            text + "00", String(text.dropLast(2)), "01 02" + text.dropFirst(5), "01 04 0001" + text.dropFirst(10),
        ] {
            #expect(throws: SyntaxError.self) { try ViewerReport(message: Hex.bytes(broken)) }
        }
    }

    @Test("tracks beyond the sixteenth are refused, the others go on")
    func tracks() throws {
        let writer = try MessageWriter()
        var reader = MessageReader()
        let format = try Frames.audioFormat()
        func packet(_ number: Int) -> MediaPacket {
            MediaPacket(track: TrackID(.audio, number: number), format: format, time: .zero, data: [1, 2, 3])
        }
        for number in 0..<16 { #expect(try self.format(&reader, try writer.format(of: packet(number))) != nil) }
        let error = #expect(throws: PublishingError.self) { try reader.read(try writer.format(of: packet(16))) }
        #expect(error?.code == .unsupported)
        #expect(try frame(&reader, try writer.frame(of: packet(15))) != nil)
        #expect(throws: PublishingError.self) { try writer.frame(of: packet(128)) }
    }

    @Test("a message that is cut or changed anywhere gives a packet within it, or an error")
    func damaged() throws {
        var random = SeededGenerator()
        let writer = try MessageWriter()
        let packets = [
            Frames.picture(.zero, isKey: true, unitSizes: [20, 30], format: try Frames.videoFormat()),
            Frames.sound(.zero, byteCount: 40, format: try Frames.audioFormat()),
        ]
        let messages = try packets.flatMap { [try writer.format(of: $0), try writer.frame(of: $0)] }
        var (packetCount, errorCount) = (0, 0)
        for _ in 0..<(Sample.depth() >= .thorough ? 20_000 : 2000) {
            var reader = MessageReader()
            for message in messages {
                var message = message
                for _ in 0..<Int.random(in: 0...2, using: &random) where !message.isEmpty {
                    message[Int.random(in: message.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    message.removeLast(Int.random(in: 0...message.count, using: &random))
                }
                do throws(PublishingError) {
                    guard let packet = try frame(&reader, message) else { continue }
                    packetCount += 1
                    #expect(packet.byteCount == message.count - MessageHeader.byteCount)
                    #expect(packet.nalUnits.allSatisfy { $0.upperBound <= packet.byteCount && !$0.isEmpty })
                } catch {
                    errorCount += 1
                    #expect([.corrupt, .unsupported].contains(error.code), "\(error)")
                }
            }
        }
        #expect(packetCount > 500 && errorCount > 500)
    }

    @Test("in the one-NAL mode parameter sets go before each key frame, and nothing before the first")
    func nalUnits() throws {
        let format = try Frames.videoFormat()
        var messages = NALUnitMessages()
        #expect(messages.messages(of: Frames.sound(.zero, format: try Frames.audioFormat())).isEmpty)
        #expect(messages.messages(of: Frames.picture(.zero, format: format)).isEmpty)
        let key = messages.messages(of: Frames.picture(.zero, isKey: true, unitSizes: [10, 12], format: format))
        #expect(key.map(\.count) == format.parameterSets.map { $0.count + 4 } + [14, 16])
        #expect(key.allSatisfy { $0.starts(with: [0, 0, 0, 1]) })
        #expect(key[0][4] & 31 == 7 && key[1][4] & 31 == 8 && key[2][4] & 31 == 5)
        #expect(
            messages.messages(of: Frames.picture(.milliseconds(40), unitSizes: [9], format: format)).map(\.count) == [
                13
            ])
        #expect(messages.messages(of: Frames.picture(.milliseconds(80), isKey: true, format: format)).count == 3)
        // What follows in another format begins with its parameter sets.
        let other = try Frames.videoFormat(1)
        #expect(messages.messages(of: Frames.picture(.milliseconds(120), format: other)).count == 3)
    }

    @Test("a rotation that is no quarter turn is refused by name")
    func rotation() {
        let error = #expect(throws: PublishingError.self) { try MessageWriter(rotation: 45) }
        #expect(error?.reason == "rotation 45, expected 0, 90, 180 or 270")
    }
}
