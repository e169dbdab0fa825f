// SPDX-License-Identifier: MIT

/// Opens, fills and closes the files or connections of one output, one after the other; used by one thread at a time.
///
/// That is the output's thread, or while a file on disk is open, a thread that gives packets.
struct OutputSession {
    private let output: Output
    private let tracks: [TrackID]
    private let deadline: Deadline
    private var target: (any ByteTarget)?
    private var segments: SegmentTarget?
    private var muxer: Muxer?
    /// What takes packets as they are, where no container is written.
    private var packetTarget: (any PacketTarget)?
    /// The clock of the last file or connection; a connection goes on with it, so that a server sees one clock.
    private var clock: ContainerClock?
    private var fileNumber = 0
    private var newPath: String?
    /// Bytes of the target that ``takeByteCount()`` has given.
    private var countedBytes = 0
    /// Bytes of targets before this one that it has not.
    private var uncountedBytes = 0
    /// The packet that another file or connection begins with.
    private(set) var held: MediaPacket?

    init(_ output: Output, tracks: [TrackID], deadline: Deadline) {
        self.output = output
        self.tracks = tracks
        self.deadline = deadline
    }

    /// Opens the file or connection.
    mutating func open() throws(PublishingError) {
        switch output.destination {
        case .file(let path):
            fileNumber += 1
            let path = Self.path(path, number: fileNumber)
            let file = try FileTarget(path: path, deadline)
            guard let container = output.container, file.canSeek || !container.needsSeeking else {
                throw PublishingError(
                    .unsupported,
                    reason:
                        "\(output.container?.name ?? path) is completed at its start when it ends, expected a file on disk, "
                        + "or fragmented MP4")
            }
            target = file
            newPath = fileNumber > 1 ? path : nil
        case .address(let address):
            target = try Connection(address, output.connection, deadline)
        case .segments(let folder):
            let kept = if let segments { segments } else { try SegmentTarget(folder) }
            (segments, target) = (kept, kept)
        case .receiver(let receive):
            target = ReceiverTarget(receive)
        case .packets(let place):
            packetTarget = try place.open(tracks, output.connection, deadline)
        }
        countedBytes = openByteCount ?? 0
    }

    /// Whether what is open is a file on disk, which never lets its writer wait for a peer.
    var isOnDisk: Bool { target?.takesBytesLate ?? false }

    /// The path of another file: "name-2.mp4" after "name.mp4".
    static func path(_ path: String, number: Int) -> String {
        guard number > 1, path != "-" else { return path }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: "."), dot > start else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }

    /// The path of a file after the first, once.
    mutating func takeNewPath() -> String? {
        defer { newPath = nil }
        return newPath
    }

    /// Bytes of what is open; nil where nothing is.
    private var openByteCount: Int? { packetTarget?.byteCount ?? target?.byteCount }

    /// Bytes written since the last call.
    mutating func takeByteCount() -> Int {
        let count = (openByteCount ?? countedBytes) - countedBytes + uncountedBytes
        (countedBytes, uncountedBytes) = (openByteCount ?? 0, 0)
        return count
    }
}

// MARK: - Writing

extension OutputSession {
    /// Writes a packet; the first one after ``open()`` makes the container.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - formats: Of all tracks that have come; asked for where the container is made.
    ///   - first: The first packet of each track, where this is the broadcast's first.
    /// - Returns: What became of it.
    /// - Throws: ``PublishingError`` where the container or the target refused it.
    mutating func write(
        _ packet: MediaPacket, formats: () -> TrackTable<TrackFormat>, first: [MediaPacket]
    ) throws(PublishingError) -> Muxer.Outcome {
        if let packetTarget { return try packetTarget.write(packet) ? .writtenWishingForKeyFrame : .written }
        guard let target, let container = output.container else {
            throw PublishingError(.invalidState, reason: "nothing is open")
        }
        held = nil
        let muxer = if let muxer { muxer } else { try makeMuxer(container, packet, formats(), first, target) }
        let outcome = try muxer.write(packet)
        if case .beginAnew = outcome { held = packet }
        return outcome
    }

    private mutating func makeMuxer(
        _ container: Container, _ packet: MediaPacket, _ formats: TrackTable<TrackFormat>, _ first: [MediaPacket],
        _ target: any ByteTarget
    ) throws(PublishingError) -> Muxer {
        var formats = formats
        formats[packet.track] = packet.format
        var options = output.containerOptions
        if case .segments = output.destination { options.isSegmented = true }
        segments?.hasVideo = tracks.contains { formats[$0]?.kind == .video }
        let muxer = try Muxer(
            container, formats: tracks.compactMap { track in formats[track].map { (track, $0) } },
            clock: output.isLive ? clock : nil, first: first.isEmpty ? [packet] : first, options: options,
            target: target)
        self.muxer = muxer
        return muxer
    }

    /// Hands on what a file keeps back: nothing more waits.
    func settle() throws(PublishingError) {
        try muxer?.settle()
        try target?.settle()
    }

    /// Completes and closes the file or connection; of segments the play list too, where no packet is held.
    mutating func finish() throws(PublishingError) {
        let (open, muxer) = (target, muxer)
        clock = muxer?.clockForNext ?? clock
        defer { noteClosed() }
        if let packetTarget { return try packetTarget.close(isComplete: true) }
        if let muxer {
            try muxer.finish()
        } else {
            try open?.close(isComplete: true)
        }
        if held == nil { try endSegments() }
    }

    /// Gives the file or connection up; a file, or a folder with its play list, is completed where it can still be
    /// written.
    ///
    /// - Returns: Why a file or folder could not be completed.
    mutating func abandon() -> PublishingError? {
        let error = abandonTarget()
        do throws(PublishingError) {
            try endSegments()
            return error
        } catch {
            return error
        }
    }

    private mutating func abandonTarget() -> PublishingError? {
        if let packetTarget {
            defer { noteClosed() }
            try? packetTarget.close(isComplete: false)
            return nil
        }
        guard let target else { return nil }
        clock = muxer?.clockForNext ?? clock
        defer { noteClosed() }
        guard !output.isLive, let muxer else {
            try? target.close(isComplete: false)
            return nil
        }
        do throws(PublishingError) {
            try muxer.finish()
            return nil
        } catch {
            try? target.close(isComplete: false)
            return error
        }
    }

    /// Ends the play list of a folder, which is not written to from here on.
    private mutating func endSegments() throws(PublishingError) {
        defer { segments = nil }
        try segments?.endList()
    }

    private mutating func noteClosed() {
        uncountedBytes += (openByteCount ?? countedBytes) - countedBytes
        (packetTarget, target, muxer, countedBytes) = (nil, nil, nil, 0)
    }
}
