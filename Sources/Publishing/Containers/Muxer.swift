// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV

/// One file or connection being written, by one thread at a time: joins the clock of a container with what writes it.
final class Muxer {
    /// What became of a packet.
    enum Outcome: Sendable {
        /// Its bytes went on, or wait for the fragment or cluster to be whole.
        case written
        /// It went on, and somebody who takes packets as they are waits for a key frame to begin with.
        case writtenWishingForKeyFrame
        /// It lies before the start, comes too late for the container, or its track is none of the container's.
        case leftOut
        /// It cannot follow in this file or connection, and another one is to begin with the next key frame: left out.
        case awaitsKeyFrame
        /// It cannot follow in this file or connection: begin another with it.
        case beginAnew
    }

    private let container: Container
    private let options: ContainerOptions
    private let target: Target
    private let writer: any PacketWriter
    private let tracks: [TrackID]
    /// In the order of ``tracks``.
    private var formats: [TrackFormat] {
        didSet { identities = formats.map(\.identity) }
    }
    private var identities: [ObjectIdentifier]
    private var clock: ContainerClock
    /// The track of sound in another format that cannot follow here, and when that came; nil where there is none.
    private var newSound: (track: TrackID, start: MediaTime)?
    /// How long such sound is left out at most for want of a key frame.
    private static let patience = MediaTime(value: 10, timescale: 1)

    /// Tells the header of a container from what follows.
    private final class Target: ByteTarget {
        let target: any ByteTarget
        private var splitter: HeaderSplitter
        /// Whether the header is not whole: false from the start for a target whose bytes come in large pieces.
        private var seeksHeader: Bool
        /// Bytes from the start on, as long as the header is not whole.
        private var held: [UInt8] = []

        init(_ target: any ByteTarget, isFragmented: Bool) {
            self.target = target
            splitter = HeaderSplitter(isFragmented: isFragmented)
            seeksHeader = !target.takesBytesLate
        }

        var byteCount: Int { target.byteCount }
        var canSeek: Bool { target.canSeek }
        var takesBytesLate: Bool { target.takesBytesLate }

        func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError) {
            guard seeksHeader else { return try target.write(bytes) }
            held += bytes
            splitter.pass(bytes)
            if splitter.isWhole { try endHeader() }
        }

        /// Gives the header by itself, then what came behind it.
        private func endHeader() throws(PublishingError) {
            seeksHeader = false
            let rest = Array(held.dropFirst(splitter.header.count))
            held = []
            try target.write(splitter.header)
            try target.headerEnded(splitter.header)
            if !rest.isEmpty { try target.write(rest) }
        }

        func seek(offset: Int64, whence: CInt) throws(PublishingError) -> Int64? {
            try target.seek(offset: offset, whence: whence)
        }

        func packetFollows(_ packet: MediaPacket) throws(PublishingError) {
            if seeksHeader {
                splitter.packetFollows()
                if splitter.isWhole { try endHeader() }
            }
            try target.packetFollows(packet)
        }

        func packetEnded(_ packet: MediaPacket) throws(PublishingError) { try target.packetEnded(packet) }
        func close(isComplete: Bool) throws(PublishingError) { try target.close(isComplete: isComplete) }
    }

    /// Writes the header, as far as it is known before the first packet.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - formats: The tracks there are, in order.
    ///   - clock: Of the connection before, whose times go on; nil for times of its own.
    ///   - first: The first packet of each track that has one, that of the packet which begins included.
    ///   - options: How the container is written.
    ///   - target: Takes the bytes; closed by the caller where this throws.
    /// - Throws: ``PublishingError`` with `.unsupported`, or what the target threw.
    init(
        _ container: Container, formats: [(TrackID, TrackFormat)], clock: ContainerClock?, first: [MediaPacket],
        options: ContainerOptions, target: any ByteTarget
    ) throws(PublishingError) {
        try container.check(formats.map(\.1))
        self.container = container
        self.options = options
        tracks = formats.map(\.0)
        self.formats = formats.map(\.1)
        identities = formats.map(\.1.identity)
        let counted = Target(target, isFragmented: container.isFragmented)
        self.target = counted
        writer = try Self.writer(container, formats.map(\.1), to: counted, options)
        self.clock = clock ?? ContainerClock(Self.rules(container, tracks, writer))
        self.clock.begin(with: first.filter { [tracks] in tracks.contains($0.track) })
    }

    private static func writer(
        _ container: Container, _ formats: [TrackFormat], to target: any ByteTarget, _ options: ContainerOptions
    ) throws(PublishingError) -> any PacketWriter {
        if container == .flv, formats.contains(where: { $0.video?.codec == .hevc }) {
            return try FLVPacketWriter(formats, to: target)
        }
        guard let libAVContainer = container.libAVContainer else { return BarePacketWriter(to: target) }
        return try LibAVPacketWriter(container, of: libAVContainer, formats: formats, to: target, options: options)
    }

    private static func rules(
        _ container: Container, _ tracks: [TrackID], _ writer: any PacketWriter
    ) -> ContainerClock.Rules {
        switch container {
        case .flv: return .flv(tracks)
        case .transportStream: return .transportStream(tracks)
        case .matroska: return .matroska(tracks)
        case .asf: return .asf(tracks)
        case .mp4, .fragmentedMP4, .mov, .fragmentedMOV, .annexB, .adts:
            let timescales = tracks.enumerated().map { ($1, writer.timescale($0)) }
            return ContainerClock.Rules(
                timescales: Dictionary(timescales) { first, _ in first }, countsBelowZero: true)
        }
    }

    /// The clock, for the connection after this one.
    var clockForNext: ContainerClock { clock }

    /// Writes a packet, or says that it cannot follow here.
    func write(_ packet: MediaPacket) throws(PublishingError) -> Outcome {
        guard let track = tracks.firstIndex(of: packet.track) else { return .leftOut }
        let isFormatNew = identities[track] != packet.formatIdentity && formats[track] != packet.format
        if isFormatNew, !canFollow(packet, behind: formats[track]) { return end(for: packet) }
        if let newSound {
            if packet.isKey, packet.track.kind == .video { return .beginAnew }
            // The format that the container has came back.
            if packet.track == newSound.track { self.newSound = nil }
        }
        switch clock.place(packet) {
        case .beforeStart, .tooLate: return .leftOut
        case .beginAnew: return .beginAnew
        case .ticks(let ticks):
            if isFormatNew { formats[track] = packet.format }
            try target.packetFollows(packet)
            try writer.write(packet, ticks, track: track, isFormatNew: isFormatNew)
            try target.packetEnded(packet)
            return .written
        }
    }

    /// What becomes of a packet whose format cannot follow: pictures cannot be decoded in another file before a key
    /// frame, which the sound waits for.
    private func end(for packet: MediaPacket) -> Outcome {
        guard packet.track.kind == .audio, tracks.contains(where: { $0.kind == .video }) else { return .beginAnew }
        guard let newSound else {
            newSound = (packet.track, packet.decodeTime)
            return .awaitsKeyFrame
        }
        return packet.decodeTime - newSound.start > Self.patience ? .beginAnew : .leftOut
    }

    private func canFollow(_ packet: MediaPacket, behind format: TrackFormat) -> Bool {
        guard container.takesNewFormats(carryingSets: options.carriesParameterSets) else { return false }
        switch (format, packet.format) {
        case (.video(let old), .video(let new)):
            return old.codec == new.codec
                && (container.libAVContainer?.isISO != true || old.nalUnitLengthSize == new.nalUnitLengthSize)
        // The sample description of MP4 holds one sound format, and that of a transport stream is its first header.
        case (.audio, .audio): return container == .flv
        default: return false
        }
    }

    /// Gives the target what the writer keeps back for speed.
    func settle() throws(PublishingError) { try writer.settle() }

    /// Writes what comes at the end and closes the target.
    func finish() throws(PublishingError) {
        let written = Result { () throws(PublishingError) in try writer.finish() }
        try target.close(isComplete: (try? written.get()) != nil)
        try written.get()
    }
}
