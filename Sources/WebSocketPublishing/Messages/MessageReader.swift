// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderAPI
import ParameterSets
public import Publishing

/// What a binary message says.
@nonexhaustive
public enum StreamMessage: Sendable {
    /// Frames of a track are coded with a format from here on.
    case format(TrackID, TrackFormat)
    /// An access unit, or a packet of sound.
    case frame(MediaPacket)
    /// No more frames come of a track.
    case end(TrackID)
}

/// Takes binary messages apart, which anybody may have sent: a pure value with the formats that came.
public struct MessageReader: Sendable {
    /// Tracks that a peer may send frames of.
    public static let largestTrackCount = 16

    private var formats: [TrackID: TrackFormat] = [:]
    /// By how much players turn the pictures of each track clockwise, in degrees, as its last format said; 0 for sound.
    public private(set) var rotations: [TrackID: Int] = [:]

    /// Makes a reader that knows no format.
    public init() {}

    /// The tracks whose formats have come.
    public var tracks: [TrackID: TrackFormat] { formats }

    /// Reads a message.
    ///
    /// - Parameter message: All its bytes.
    /// - Returns: What it says.
    /// - Throws: `PublishingError` with `.corrupt` for a message that breaks the rules, of which nothing is kept, and
    ///   with `.unsupported` for one of a version or codec that is not known, or of a seventeenth track.
    public mutating func read(_ message: [UInt8]) throws(PublishingError) -> StreamMessage {
        var header = MessageHeader()
        var reader = SyntaxReader(message)
        try Self.reading { () throws(SyntaxError) in try header.code(with: &reader, in: ()) }
        switch header.kind {
        case .format:
            return .format(header.track, try take(&reader, header))
        case .frame: return .frame(try packet(message, header))
        case .end:
            try Self.reading { () throws(SyntaxError) in try reader.noMoreData() }
            return .end(header.track)
        }
    }

    private mutating func take(
        _ reader: inout SyntaxReader, _ header: MessageHeader
    ) throws(PublishingError) -> TrackFormat {
        var message = FormatMessage()
        try Self.reading { () throws(SyntaxError) in try message.code(with: &reader, in: ()) }
        guard message.codec.isSound == (header.track.kind == .audio) else {
            throw PublishingError(
                .corrupt, reason: "a format of \(message.codec) for \(header.track), expected one of its kind")
        }
        guard formats[header.track] != nil || formats.count < Self.largestTrackCount else {
            throw PublishingError(
                .unsupported, reason: "a track after the \(Self.largestTrackCount) there are, expected no more")
        }
        let format: TrackFormat
        do throws(PublishingError) {
            format = try message.format()
        } catch {
            throw PublishingError(.corrupt, reason: error.reason)
        }
        // A format that is sent again is the same one, so that packets behind it share it.
        let known = formats[header.track] == format ? formats[header.track] ?? format : format
        formats[header.track] = known
        rotations[header.track] = header.rotation
        return known
    }

    private func packet(_ message: [UInt8], _ header: MessageHeader) throws(PublishingError) -> MediaPacket {
        let bytes = Array(message.dropFirst(MessageHeader.byteCount))
        guard let format = formats[header.track] else {
            throw PublishingError(.corrupt, reason: "a frame of \(header.track) before its format")
        }
        let duration = header.duration == 0 ? nil : header.ticks(header.duration)
        switch format {
        case .audio(let format):
            guard !bytes.isEmpty, header.isKey, header.presentationTime == header.decodeTime else {
                throw PublishingError(
                    .corrupt, reason: "a frame of \(header.track) without bytes, no key, or with two times")
            }
            return MediaPacket(
                track: header.track, format: format, time: header.presentation, duration: duration, data: bytes)
        case .video(let format):
            let (units, error) = LengthPrefixed.scan(bytes, lengthSize: format.nalUnitLengthSize)
            guard error == nil, !units.isEmpty else {
                throw PublishingError(
                    .corrupt,
                    reason: "a frame of \(header.track): \(error?.reason ?? "no NAL unit, expected one or more")")
            }
            return MediaPacket(
                track: header.track, format: format, presentationTime: header.presentation,
                decodeTime: header.decode, duration: duration, isKey: header.isKey,
                isDisposable: header.isDisposable, data: bytes, nalUnits: units)
        }
    }

    private static func reading(_ body: () throws(SyntaxError) -> Void) throws(PublishingError) {
        do throws(SyntaxError) {
            try body()
        } catch {
            let isUnknown = error.code == .unsupported || error.field == "version"
            throw PublishingError(isUnknown ? .unsupported : .corrupt, reason: "a message: \(error)")
        }
    }
}

extension MessageHeader {
    /// So many ticks.
    fileprivate func ticks(_ count: Int) -> MediaTime { MediaTime(value: Int64(count), timescale: Int32(timescale)) }
}
