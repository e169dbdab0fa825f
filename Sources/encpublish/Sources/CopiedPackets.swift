// SPDX-License-Identifier: MIT

import CommandOptions
import DequeModule
import EncoderAPI
import LibAV
import MediaFiles
import ParameterSets
import Publishing

/// The packets of a container's video and sound, as they are.
final class CopiedPackets {
    /// The tracks there are: video, and sound where it is taken.
    let tracks: [TrackID]
    /// What of the container is left out; a sentence each.
    let omissions: [String]
    /// Whether packets may come as slowly as a pipe brings them.
    let isFromPipe: Bool
    private let path: String
    private let reader: ContainerReader
    /// What the pictures are coded to.
    let codec: VideoCodec
    private let isLengthPrefixed: Bool
    /// The sound's format; nil where none is copied.
    let audio: AudioFormat?
    private var format: FormatDescription?
    private var decodeTimes: DecodeTimes
    /// Whether pictures are left out until a key picture comes: what a recording of a broadcast begins with.
    private var isBeforeKey: Bool
    /// What was read to know the sound, in order.
    private var ahead: ArraySlice<ContainerPacket>
    /// Whether the container's packets of AAC begin with ADTS headers, as those of a transport stream do.
    private let hasADTS: Bool
    /// Packets that could go on when the one that was given last did.
    private var ready: Deque<MediaPacket> = []

    /// Packets that are read at most to know when the sound starts.
    private static let longestLook = 256

    /// Opens a container.
    ///
    /// - Parameters:
    ///   - path: "-" for standard input.
    ///   - takesSound: Whether packets of sound come too, where it has some.
    /// - Throws: ``MediaFileError``; `.unsupported` for video that is neither H.264 nor HEVC.
    init(path: String, takesSound: Bool) throws(MediaFileError) {
        self.path = path
        let file = try InputFile(path: path)
        isFromPipe = file.size == nil
        reader = try ContainerReader(file, readsSound: takesSound)
        guard let codec = reader.codec else {
            throw MediaFileError(
                .unsupported, reason: "\(reader.codecName) cannot be copied, expected H.264 or HEVC; leave out --copy",
                path: path)
        }
        self.codec = codec
        isLengthPrefixed = reader.isLengthPrefixed
        isBeforeKey = !reader.isLengthPrefixed
        decodeTimes = DecodeTimes(depth: reader.reorderDepth, isStated: reader.statesDecodeTimes)
        hasADTS = reader.sound.map { $0.codecName == AudioCodec.aac.rawValue && $0.header.isEmpty } ?? false
        let (ahead, priming) = try Self.lookAhead(reader)
        self.ahead = ahead[...]
        var sound = reader.sound
        var refusal: String?
        if hasADTS { refusal = Self.complete(&sound, from: ahead) }
        let (audio, omission) = refusal.map { (nil, $0) } ?? Self.audio(sound, priming: priming)
        self.audio = audio
        omissions = omission.map { [$0] } ?? []
        tracks = audio == nil ? [.video] : [.video, .audio]
        if isLengthPrefixed {
            format = try Self.format(reader, codec, path: path)
        } else {
            let record = reader.configurationRecord
            try takeFormat(PacketBytes(record), AnnexB.nalUnitRanges(in: record))
        }
    }

    /// The next packet that an output can take.
    ///
    /// - Returns: Nil at the end. Pictures before the first that decoding can start with are left out.
    /// - Throws: ``MediaFileError``; `.unsupported` for a container without times.
    func next() throws(MediaFileError) -> MediaPacket? {
        if let packet = ready.popFirst() { return packet }
        while let packet = try nextPacket() {
            if packet.isSound {
                if let audio { try takeSound(packet, audio) }
            } else {
                try takePicture(packet)
            }
            if let copy = ready.popFirst() { return copy }
        }
        guard !isBeforeKey else {
            throw MediaFileError(
                .corrupt, reason: "no key picture with its parameter sets in it, with which copying begins", path: path)
        }
        ready += decodeTimes.finish()
        return ready.popFirst()
    }

    private func nextPacket() throws(MediaFileError) -> ContainerPacket? {
        let packet = if let first = ahead.popFirst() { first } else { try reader.next() }
        if let packet, packet.isDamaged {
            throw MediaFileError(
                .truncated, reason: "data is missing", path: path, byteOffset: packet.byteOffset)
        }
        return packet
    }

    private func takeSound(_ packet: ContainerPacket, _ format: AudioFormat) throws(MediaFileError) {
        guard let time = packet.presentationTime ?? packet.decodeTime, !packet.bytes.isEmpty else { return }
        guard hasADTS else {
            return ready.append(
                MediaPacket(format: format, time: time, duration: packet.duration, bytes: packet.bytes))
        }
        do throws(PublishingError) {
            for (index, frame) in try ADTS.frames(in: packet.data).enumerated() {
                let offset = format.duration(ofFrames: Int64(index * format.framesPerPacket))
                ready.append(MediaPacket(format: format, time: time + offset, data: frame.data))
            }
        } catch {
            throw MediaFileError(.corrupt, reason: error.reason, path: path, byteOffset: packet.byteOffset)
        }
    }

    /// Fills in what the first packet's header says.
    ///
    /// - Returns: Why the sound cannot be copied; nil where it can.
    private static func complete(_ sound: inout ContainerSound?, from packets: [ContainerPacket]) -> String? {
        guard let first = packets.first(where: \.isSound) else { return "its sound is left out: none comes" }
        do throws(PublishingError) {
            guard let frame = try ADTS.frames(in: first.data).first else { return "its sound is left out: it is empty" }
            sound?.header = frame.configuration
            sound?.sampleRate = frame.sampleRate
            sound?.channelCount = frame.channelCount
            return nil
        } catch {
            return "its sound is left out: \(error.reason)"
        }
    }

    private func takePicture(_ packet: ContainerPacket) throws(MediaFileError) {
        let (data, units) = withoutDelimiter(packet.bytes)
        if !isLengthPrefixed, packet.isKey {
            try takeFormat(data, units)
            isBeforeKey = format == nil
        }
        // A sample without a NAL unit, which MP4 may have, shows the picture before it for longer.
        guard !isBeforeKey, !units.isEmpty, let format else { return }
        let presentation = try presentationTime(packet, data, units)
        let picture = MediaPacket(
            format: format, presentationTime: presentation, decodeTime: presentation, duration: packet.duration,
            isKey: packet.isKey, isDisposable: format.isDisposable(data, nalUnits: units), bytes: data,
            nalUnits: units)
        do throws(DecodeTimes.Refusal) {
            try decodeTimes.place(picture, stated: packet.decodeTime, into: &ready)
        } catch {
            throw MediaFileError(.corrupt, reason: error.reason, path: path, byteOffset: packet.byteOffset)
        }
    }

    /// When a picture is shown: as the container says, or where it says nothing, when it is decoded, if pictures are
    /// shown in that order.
    private func presentationTime(
        _ packet: ContainerPacket, _ data: PacketBytes, _ units: [Range<Int>]
    ) throws(MediaFileError) -> MediaTime {
        if let time = packet.presentationTime { return time }
        let isReordered = reader.reorderDepth > 0 || codec.isBidirectional(data, nalUnits: units)
        if let time = packet.decodeTime, !isReordered, !reader.hasNoTimes { return time }
        let reason =
            packet.decodeTime == nil || reader.hasNoTimes
            ? "has no times, expected a container"
            : "does not say when its pictures are shown, and they are not shown in the order of the file, expected "
                + "such times or a stream without B pictures"
        throw MediaFileError(
            .unsupported, reason: "\(reason); leave out --copy", path: path, byteOffset: packet.byteOffset)
    }

    /// An access unit without the delimiter that begins it in a transport stream, which writes it anew: readers of some
    /// other containers take it for a picture of its own.
    private func withoutDelimiter(_ data: PacketBytes) -> (data: PacketBytes, units: [Range<Int>]) {
        let units = ranges(data)
        guard units.count > 1, let first = units.first, codec.isDelimiter(firstByte: data[first.lowerBound]) else {
            return (data, units)
        }
        let end = first.upperBound
        return (data.leavingOut(first: end), units.dropFirst().map { $0.lowerBound - end..<$0.upperBound - end })
    }

    private func ranges(_ data: PacketBytes) -> [Range<Int>] {
        let ranges =
            if isLengthPrefixed, let format {
                LengthPrefixed.scan(data, lengthSize: format.nalUnitLengthSize).ranges
            } else {
                AnnexB.nalUnitRanges(in: data)
            }
        return ranges.filter { !$0.isEmpty }
    }

    /// Takes over parameter sets that a key picture carries, where they are new.
    private func takeFormat(_ data: PacketBytes, _ units: [Range<Int>]) throws(MediaFileError) {
        let sets = units.filter { codec.isParameterSet(firstByte: data[$0.lowerBound]) }.map {
            Array(data[$0])
        }
        guard !sets.isEmpty, sets != format?.parameterSets else { return }
        do throws(EncoderError) {
            format = try FormatDescription(codec: codec, parameterSets: sets)
        } catch {
            throw MediaFileError(.corrupt, reason: error.reason, path: path)
        }
    }

    private static func format(
        _ reader: ContainerReader, _ codec: VideoCodec, path: String
    ) throws(MediaFileError) -> FormatDescription {
        do {
            let (sets, lengthSize): ([[UInt8]], Int)
            switch codec {
            case .h264:
                let record = try AVCDecoderConfiguration(bytes: reader.configurationRecord)
                sets = record.sequenceParameterSets + record.pictureParameterSets
                lengthSize = record.nalUnitLengthSize
            case .hevc:
                let record = try HEVCDecoderConfiguration(bytes: reader.configurationRecord)
                sets = record.videoParameterSets + record.sequenceParameterSets + record.pictureParameterSets
                lengthSize = record.nalUnitLengthSize
            }
            return try FormatDescription(codec: codec, parameterSets: sets, nalUnitLengthSize: lengthSize)
        } catch {
            throw MediaFileError(.corrupt, reason: "its configuration record: \(error)", path: path)
        }
    }

    /// Packets that an encoder primes a decoder with at most.
    ///
    /// Apple's takes 2112 sample frames, of AAC of 1024 a packet. More sound before time zero is sound that is heard
    /// before the pictures.
    private static let longestPriming: Int64 = 3

    /// The sample frames of a packet, by the container or as is usual.
    private static func framesPerPacket(_ sound: ContainerSound) -> Int {
        if sound.framesPerPacket > 0 { return sound.framesPerPacket }
        return sound.codecName == AudioCodec.opus.rawValue ? 960 : 1024
    }

    /// The first packets, and the sample frames of sound before time zero, where they are few: MP4 states a decoder's
    /// delay by nothing else.
    private static func lookAhead(
        _ reader: ContainerReader
    ) throws(MediaFileError) -> (packets: [ContainerPacket], priming: Int) {
        var packets: [ContainerPacket] = []
        guard let sound = reader.sound else { return ([], 0) }
        let isBare = sound.header.isEmpty
        while sound.priming == 0 || isBare, packets.count < longestLook, let packet = try reader.next() {
            packets.append(packet)
            guard packet.isSound, let time = packet.presentationTime else { continue }
            let frames = -time.ticks(timescale: Int32(clamping: sound.sampleRate))
            let packet = Int64(framesPerPacket(sound))
            let isPriming = frames > 0 && frames <= longestPriming * packet
            return (packets, sound.priming > 0 ? sound.priming : isPriming ? Int(frames) : 0)
        }
        return (packets, sound.priming)
    }

    /// The sound's format, or why it is left out; neither where there is none.
    private static func audio(_ sound: ContainerSound?, priming: Int) -> (AudioFormat?, String?) {
        guard let sound else { return (nil, nil) }
        guard let codec = AudioCodec(rawValue: sound.codecName) else {
            return (nil, "its sound, \(sound.codecName), is left out: expected AAC or Opus")
        }
        do throws(PublishingError) {
            return (
                try AudioFormat(
                    codec: codec, sampleRate: sound.sampleRate, channelCount: sound.channelCount,
                    priming: priming,
                    framesPerPacket: framesPerPacket(sound),
                    configuration: sound.header, bitsPerSecond: sound.bitRate), nil
            )
        } catch {
            return (nil, "its sound is left out: \(error.reason)")
        }
    }
}

extension VideoCodec {
    /// Whether an access unit's first slice is of kind B, where a stream need not state that it has such.
    ///
    /// False for HEVC, whose parameter sets state it.
    fileprivate func isBidirectional(_ data: PacketBytes, nalUnits: [Range<Int>]) -> Bool {
        guard self == .h264 else { return false }
        return nalUnits.contains { unit in
            guard unit.count > 1, [1, 2].contains(data[unit.lowerBound] & 31) else { return false }
            // first_mb_in_slice 0 is the bit 1; slice_type 1 is 010, and 6 is 00111 (7.3.3, 9.1).
            let bits = data[unit.lowerBound + 1]
            return bits >> 4 == 0b1010 || bits >> 2 == 0b1_00111
        }
    }
}
