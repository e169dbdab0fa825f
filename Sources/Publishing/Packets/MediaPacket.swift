// SPDX-License-Identifier: MIT

public import EncoderAPI
package import LibAV

/// One access unit or one packet of sound, with its exact place in time.
///
/// Copies share everything but their times, so that a packet may wait in any number of outputs at the price of one.
public struct MediaPacket: Sendable {
    /// What all copies share: a copy counts one reference, however much a packet holds.
    private final class Content: Sendable {
        let track: TrackID
        let format: TrackFormat
        let formatIdentity: ObjectIdentifier
        let isKey: Bool
        let isDisposable: Bool
        let bytes: PacketBytes
        let nalUnits: [Range<Int>]
        /// Whether the format is of the track's kind, and there are bytes, which all NAL units lie in: looked at once,
        /// not by each who asks.
        let isLegal: Bool

        init(
            track: TrackID, format: TrackFormat, isKey: Bool, isDisposable: Bool, bytes: PacketBytes,
            nalUnits: [Range<Int>]
        ) {
            self.track = track
            self.format = format
            formatIdentity = format.identity
            self.isKey = isKey
            self.isDisposable = isDisposable
            self.bytes = bytes
            self.nalUnits = nalUnits
            isLegal =
                format.kind == track.kind && bytes.count > 0 && track.kind == (nalUnits.isEmpty ? .audio : .video)
                && nalUnits.allSatisfy { Self.lies($0, in: bytes.count) }
        }

        /// Whether a NAL unit has bytes, all of which are there.
        static func lies(_ unit: Range<Int>, in byteCount: Int) -> Bool {
            unit.lowerBound >= 0 && !unit.isEmpty && unit.upperBound <= byteCount
        }
    }

    private let content: Content
    /// The track it belongs to.
    public var track: TrackID { content.track }
    /// Codec, size or rate, and headers that this packet is coded with; packets of one track may share the value.
    ///
    /// Each packet has its format, so that an output that begins with any packet knows what to write into its header.
    public var format: TrackFormat { content.format }
    /// That of ``format``, which to look at counts no reference: threads that count those of one object wait for each
    /// other.
    var formatIdentity: ObjectIdentifier { content.formatIdentity }
    /// When the first picture or sample in it is shown or heard; may be negative.
    public var presentationTime: MediaTime
    /// When to decode: later than the track's packet before, and never later than the presentation time.
    public var decodeTime: MediaTime
    /// How long it lasts; nil when unknown.
    ///
    /// A broadcast takes the time since the packet of its track before for a duration that is not known, so that the
    /// last picture of a file lasts as long as the one before it.
    public internal(set) var duration: MediaTime?
    /// Whether decoding can start here; true for all sound.
    public var isKey: Bool { content.isKey }
    /// Whether no other packet needs it, so that it may be left out.
    public var isDisposable: Bool { content.isDisposable }
    /// The bytes: NAL units behind start codes or lengths, as the session's framing says, or a packet of sound without
    /// a header of its own; as an array that is made at each call, where they lie in a library's memory.
    public var data: [UInt8] { content.bytes.array() }
    /// How many bytes there are.
    public var byteCount: Int { content.bytes.count }
    /// The bytes of ``data``, without a copy.
    package var bytes: PacketBytes { content.bytes }
    /// Where in ``data`` each NAL unit lies, without its start code or length; empty for sound.
    public var nalUnits: [Range<Int>] { content.nalUnits }

    /// Puts a packet of pictures together.
    ///
    /// - Parameters:
    ///   - track: The track; of video.
    ///   - format: What its pictures are like.
    ///   - presentationTime: When it is shown.
    ///   - decodeTime: When it is decoded; never later.
    ///   - duration: How long it is shown; nil when unknown.
    ///   - isKey: Whether decoding can start here.
    ///   - isDisposable: Whether no other picture is predicted from it.
    ///   - data: One access unit.
    ///   - nalUnits: Where in `data` its NAL units lie.
    public init(
        track: TrackID = .video, format: FormatDescription, presentationTime: MediaTime, decodeTime: MediaTime,
        duration: MediaTime? = nil, isKey: Bool, isDisposable: Bool = false, data: [UInt8], nalUnits: [Range<Int>]
    ) {
        self.init(
            track: track, format: format, presentationTime: presentationTime, decodeTime: decodeTime,
            duration: duration, isKey: isKey, isDisposable: isDisposable, bytes: PacketBytes(data), nalUnits: nalUnits)
    }

    /// Puts a packet of pictures together, whose bytes may lie in a library's memory.
    package init(
        track: TrackID = .video, format: FormatDescription, presentationTime: MediaTime, decodeTime: MediaTime,
        duration: MediaTime?, isKey: Bool, isDisposable: Bool, bytes: PacketBytes, nalUnits: [Range<Int>]
    ) {
        content = Content(
            track: track, format: .video(format), isKey: isKey, isDisposable: isDisposable, bytes: bytes,
            nalUnits: nalUnits)
        self.duration = duration
        self.presentationTime = presentationTime
        self.decodeTime = decodeTime
    }

    /// Puts a packet of sound together.
    ///
    /// - Parameters:
    ///   - track: The track; of audio.
    ///   - format: What its sound is like.
    ///   - time: When its first sample is heard.
    ///   - duration: How long it lasts; nil for the sample frames that the format has in a packet.
    ///   - data: One packet as the encoder gave it: of AAC without an ADTS header.
    public init(
        track: TrackID = .audio, format: AudioFormat, time: MediaTime, duration: MediaTime? = nil, data: [UInt8]
    ) {
        self.init(track: track, format: format, time: time, duration: duration, bytes: PacketBytes(data))
    }

    /// Puts a packet of sound together, whose bytes may lie in a library's memory.
    package init(
        track: TrackID = .audio, format: AudioFormat, time: MediaTime, duration: MediaTime?, bytes: PacketBytes
    ) {
        content = Content(
            track: track, format: .audio(format), isKey: true, isDisposable: false, bytes: bytes, nalUnits: [])
        self.duration = duration ?? format.duration(ofFrames: Int64(format.framesPerPacket))
        presentationTime = time
        decodeTime = time
    }

    /// Takes over what a session made of a frame; nil for a frame that was dropped.
    ///
    /// - Parameters:
    ///   - frame: The frame; its bytes are shared, not copied.
    ///   - track: The track; of video.
    public init?(_ frame: EncodedFrame, track: TrackID = .video) {
        guard let unit = frame.accessUnit else { return nil }
        self.init(
            track: track, format: unit.format, presentationTime: frame.presentationTime, decodeTime: frame.decodeTime,
            duration: frame.duration, isKey: unit.isSync || unit.isPartialSync,
            isDisposable: !unit.isDependedOnByOthers, data: unit.data, nalUnits: unit.nalUnits)
    }

    /// - Throws: ``PublishingError`` with `.invalidValue` for a format of the other kind than the track's, no bytes,
    ///   pictures without NAL units or sound with some, and a NAL unit that is empty or lies outside of the bytes.
    func check() throws(PublishingError) {
        guard !content.isLegal else { return }
        throw PublishingError(.invalidValue, reason: fault)
    }

    /// What ``check()`` refuses the packet for.
    private var fault: String {
        guard format.kind == track.kind else {
            return "a packet of \(track) with a format of \(format.kind), expected one of \(track.kind)"
        }
        guard byteCount > 0 else { return "a packet of \(track) without bytes, expected one or more" }
        guard track.kind == .video else { return "a packet of \(track) with NAL units, expected none" }
        guard let unit = nalUnits.first(where: { !Content.lies($0, in: byteCount) }) else {
            return "a packet of \(track) without NAL units, expected one or more"
        }
        return "a NAL unit at bytes \(unit) of \(track), expected one or more within its \(byteCount)"
    }

    /// When it ends: presentation time and duration; the presentation time alone where no duration is known.
    var endTime: MediaTime { presentationTime + (duration ?? .zero) }

    /// The packet moved in time by `offset`, which may be negative.
    func moved(by offset: MediaTime) -> MediaPacket {
        var packet = self
        packet.presentationTime = presentationTime + offset
        packet.decodeTime = decodeTime + offset
        return packet
    }

    /// Whether a packet of sound starts more than the priming before a time, and more than one packet: a decoder needs
    /// the packet before the one whose samples it gives.
    ///
    /// A decoder that begins with the packets behind it gives the right samples from that time on.
    func isSound(tooEarlyFor time: MediaTime) -> Bool {
        guard track.kind == .audio, let format = format.audio else { return false }
        return presentationTime < time - format.duration(ofFrames: Int64(max(format.priming, format.framesPerPacket)))
    }
}
