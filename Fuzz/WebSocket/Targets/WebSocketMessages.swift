// SPDX-License-Identifier: MIT

import BitSyntax
import Publishing
import WebSocketPublishing

/// Messages of a publisher, each behind two bytes for its length: what reads is written so that it reads the same.
func checkMessages(_ bytes: [UInt8]) {
    var (reader, rest) = (MessageReader(), bytes[...])
    while rest.count >= 2 {
        let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        let message = Array(rest.dropFirst(2).prefix(count))
        rest = rest.dropFirst(2 + count)
        let known = reader.tracks
        do throws(PublishingError) {
            check(try reader.read(message), of: message, with: reader)
        } catch {
            require([.corrupt, .unsupported].contains(error.code), "\(error) is no fault of a message")
            require(reader.tracks == known, "something is kept of what was refused")
        }
    }
    if let report = try? ViewerReport(message: bytes) {
        var (copy, writer) = (report, SyntaxWriter())
        guard (try? copy.code(with: &writer, in: ())) != nil else { fatalError("cannot be written: \(report)") }
        require(writer.finish() == bytes, "another report than \(bytes)")
    }
}

private func check(_ read: StreamMessage, of message: [UInt8], with reader: MessageReader) {
    checkHeader(message)
    require(reader.tracks.count <= MessageReader.largestTrackCount, "\(reader.tracks.count) tracks")
    guard case .frame(let packet) = read else { return }
    require(packet.byteCount == message.count - MessageHeader.byteCount, "other bytes than came")
    require(packet.decodeTime <= packet.presentationTime, "decoded after it is shown")
    require(packet.nalUnits.allSatisfy { !$0.isEmpty && $0.upperBound <= packet.byteCount }, "a unit beyond the bytes")
    require(packet.isKey || packet.track.kind == .video, "sound that is no key")
    // What a server hands on goes out again to viewers.
    guard let writer = try? MessageWriter(), let again = try? writer.frame(of: packet),
        let format = try? writer.format(of: packet)
    else { fatalError("cannot be sent on: \(packet)") }
    var other = MessageReader()
    guard (try? other.read(format)) != nil else { fatalError("a format that cannot be read again") }
    // A picture of parameter sets alone has nothing left when they are taken out.
    guard again.count > MessageHeader.byteCount else { return }
    guard case .frame(let copy)? = try? other.read(again) else { fatalError("cannot be read again: \(packet)") }
    require(copy.presentationTime == packet.presentationTime && copy.decodeTime == packet.decodeTime, "other times")
    require(copy.isKey == packet.isKey && copy.format == packet.format, "another format")
    var units = NALUnitMessages()
    _ = units.messages(of: packet)
}

/// The header of what reads is written as the same bits.
private func checkHeader(_ message: [UInt8]) {
    var (header, reader, writer) = (MessageHeader(), SyntaxReader(message), SyntaxWriter())
    guard (try? header.code(with: &reader, in: ())) != nil, (try? header.code(with: &writer, in: ())) != nil else {
        fatalError("a header that cannot be written")
    }
    require(writer.finish().elementsEqual(message.prefix(MessageHeader.byteCount)), "another header")
}
