// SPDX-License-Identifier: MIT

public import BitSyntax
public import EncoderAPI
public import Publishing

/// The 28 bytes that each binary message begins with; <doc:MessageLayout> describes them one by one.
public struct MessageHeader: SyntaxStructure {
    /// What follows the header.
    public enum Kind: Int, Sendable, Hashable {
        /// The format of the track's frames from here on: a ``FormatMessage``.
        case format = 1
        /// One access unit or one packet of sound.
        case frame = 2
        /// Nothing: no more frames come of the track.
        case end = 3
    }

    /// Bytes that the header takes.
    public static let byteCount = 28
    /// The only version there is.
    public static let version = 1

    /// What follows the header.
    public var kind = Kind.frame
    /// The track, whose number is 0...127.
    public var track = TrackID.video
    /// Whether decoding can start here; true for all sound.
    public var isKey = false
    /// Whether no other frame needs it.
    public var isDisposable = false
    /// By how much players turn the pictures clockwise, in degrees: 0, 90, 180 or 270.
    public var rotation = 0
    /// Ticks per second of the times, 1...2^31 - 1.
    public var timescale = 90_000
    /// When it is shown or heard, in ticks; may be negative, and is never before ``decodeTime``.
    public var presentationTime = 0
    /// When it is decoded, in ticks; may be negative.
    public var decodeTime = 0
    /// How long it lasts, in ticks, 0...2^32 - 1; 0 where that is unknown, and for sound of as many sample frames as
    /// the format says, which need not be whole ticks.
    public var duration = 0

    /// A frame of pictures at zero.
    public init() {}

    /// Codes the 28 bytes.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        try coder.fixed("version", Self.version, 8)
        var number = kind.rawValue
        try coder.u("kind", &number, 8, Kind.format.rawValue...Kind.end.rawValue)
        kind = Kind(rawValue: number) ?? .frame
        var (isSound, trackNumber) = (track.kind == .audio, track.number)
        try coder.flag("is_sound", &isSound)
        try coder.u("track_number", &trackNumber, 7)
        track = TrackID(isSound ? .audio : .video, number: trackNumber)
        try coder.flag("is_key", &isKey)
        try coder.flag("is_disposable", &isDisposable)
        // Rounded towards zero: a value between is refused by the check behind it.
        var quarterTurns = rotation / 90
        guard quarterTurns * 90 == rotation, (0...3).contains(quarterTurns) else {
            throw coder.failure(.outOfRange, "rotation", "is \(rotation), expected 0, 90, 180 or 270")
        }
        try coder.u("quarter_turns", &quarterTurns, 2)
        rotation = quarterTurns * 90
        try coder.fixed("reserved", 0, 4)
        try coder.u("timescale", &timescale, 32, 1...Int(Int32.max))
        try Self.time("presentation_time", &presentationTime, with: &coder)
        let start = coder.bitPosition
        try Self.time("decode_time", &decodeTime, with: &coder)
        guard decodeTime <= presentationTime else {
            throw SyntaxError(
                .outOfRange, field: "decode_time", bitOffset: start,
                reason: "is \(decodeTime), expected \(presentationTime), which is when it is shown, or less")
        }
        try coder.u("duration", &duration, 32)
    }

    /// Codes a number of 64 bits, of which elements have 62 at most, in two halves.
    private static func time(
        _ name: StaticString, _ value: inout Int, with coder: inout some SyntaxCoder
    ) throws(SyntaxError) {
        var (high, low) = (value >> 32, value & 0xFFFF_FFFF)
        try coder.i("\(name)_high", &high, 32)
        try coder.u("\(name)_low", &low, 32)
        value = high << 32 | low
    }
}

// MARK: - Packets

extension MessageHeader {
    /// The header of a packet's message.
    ///
    /// The times are those of the packet where one timescale has both exactly, which one timescale of all times of a
    /// track gives; else the decode time is rounded down to ticks of the presentation time.
    ///
    /// - Parameters:
    ///   - kind: What follows the header.
    ///   - packet: The packet; one of a track whose number is above 127 has no header.
    ///   - rotation: By how much players turn the pictures clockwise, in degrees: 0, 90, 180 or 270.
    public init(_ kind: Kind, of packet: MediaPacket, rotation: Int = 0) {
        self.kind = kind
        track = packet.track
        (isKey, isDisposable) = (packet.isKey, packet.isDisposable)
        self.rotation = packet.track.kind == .video ? rotation : 0
        let (start, decode) = Self.inOneScale(packet.presentationTime, packet.decodeTime)
        timescale = Int(start.timescale)
        presentationTime = Int(start.value)
        decodeTime = min(Int(decode.value), Int(start.value))
        let usual = packet.format.audio.map { $0.duration(ofFrames: Int64($0.framesPerPacket)) }
        let ticks = packet.duration == usual ? 0 : packet.duration?.ticks(timescale: start.timescale) ?? 0
        duration = Int(UInt32(clamping: ticks))
    }

    /// Both times in ticks of one timescale: the smallest that has both exactly, where 31 bits hold it.
    private static func inOneScale(_ one: MediaTime, _ other: MediaTime) -> (MediaTime, MediaTime) {
        guard one.timescale != other.timescale else { return (one, other) }
        let scale = (one + MediaTime(value: 0, timescale: other.timescale)).timescale
        let common = (scale % one.timescale, scale % other.timescale) == (0, 0) ? scale : one.timescale
        func scaled(_ time: MediaTime) -> MediaTime {
            MediaTime(value: time.ticks(timescale: common), timescale: common)
        }
        return (scaled(one), scaled(other))
    }

    /// When it is shown or heard.
    public var presentation: MediaTime { MediaTime(value: Int64(presentationTime), timescale: Int32(timescale)) }

    /// When it is decoded.
    public var decode: MediaTime { MediaTime(value: Int64(decodeTime), timescale: Int32(timescale)) }
}
