// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import MediaIO

/// Cuts a container into segments at key frames, or where there are no pictures between packets of sound, and keeps
/// their play list; of one thread, for one run after another.
///
/// A file has its name only once it is whole, and the list names only files that are there.
final class SegmentTarget: ByteTarget {
    private let folder: SegmentFolder
    private var claim: PlaceClaim?
    private var list: PlayList
    private var number = 0
    private var headerNumber = 0
    private var headerName: String?
    private var isDiscontinuous = false
    /// The format of each track's last key frame.
    private var formats: [TrackID: TrackFormat] = [:]
    private(set) var byteCount = 0
    /// The bytes of the segment that is being written.
    private var bytes: [UInt8] = []
    private var start: MediaTime?
    /// Where the packet that is shown last begins and ends; one before it may be guessed to last longer.
    private var last: (start: MediaTime, end: MediaTime)?
    /// Whether the run has pictures, at whose key frames segments begin; set before its first packet.
    var hasVideo = true
    /// Bytes of the segment when the last packet had been given.
    private var countBefore = 0
    /// Segments that left the list, which players may be reading still.
    private var leaving: [PlayList.Segment] = []

    /// Makes the folder, where there is none.
    ///
    /// - Throws: ``PublishingError`` with `.cannotOpen`; `.invalidValue` for one that another output writes, or in
    ///   which
    ///   this process reads or writes a file that has the name of one of the segments' files.
    init(_ folder: SegmentFolder) throws(PublishingError) {
        self.folder = folder
        list = PlayList(target: folder.seconds, window: folder.window)
        guard mkdir(folder.path.fileName, 0o777) == 0 || errno == EEXIST else {
            let status = errno
            throw PublishingError(
                .cannotOpen, reason: "cannot make the folder: \(SystemCall.message(status))",
                output: folder.path.shown, status: Int(status))
        }
        claim = try PlaceClaim.claim(folder.path, for: .segments(folder))
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError) { self.bytes += bytes }

    func headerEnded(_ header: [UInt8]) throws(PublishingError) {
        // A transport stream's header stays with its first segment.
        guard folder.kind == .fragmentedMP4 else { return }
        headerNumber += 1
        let name = folder.headerName(headerNumber)
        try saveMedia(as: name)
        let old = exchange(&headerName, with: name)
        removeUnlessNeeded(old)
    }

    func packetFollows(_ packet: MediaPacket) throws(PublishingError) {
        // The bytes of a transport stream are written with their packet.
        if folder.kind == .transportStream { try cutBefore(packet) }
    }

    func packetEnded(_ packet: MediaPacket) throws(PublishingError) {
        // A fragment is written when the key frame after it is given, of which nothing is written yet. One of sound is
        // written when it is long enough.
        if folder.kind == .fragmentedMP4, hasVideo || start == nil || bytes.count > countBefore {
            try cutBefore(packet)
        }
        countBefore = bytes.count
        if packet.track.kind == .video || !hasVideo || start == nil {
            guard last.map({ packet.presentationTime >= $0.start }) ?? true else { return }
            last = (packet.presentationTime, packet.endTime)
        }
    }

    private func cutBefore(_ packet: MediaPacket) throws(PublishingError) {
        guard packet.isKey, packet.track.kind == .video || !hasVideo else { return }
        let isFormatNew = exchange(&formats[packet.track], with: packet.format).map { $0 != packet.format } ?? false
        guard let start else {
            start = packet.presentationTime
            return
        }
        let length = (packet.presentationTime - start).seconds
        // Half a tick of rounding must not make a segment of twice the length.
        guard length >= folder.seconds - 0.001 || isFormatNew else { return }
        try endSegment(length)
        // RFC 8216, 4.3.2.3: players are told where pictures of another size follow.
        if isFormatNew { isDiscontinuous = number > 0 }
        self.start = packet.presentationTime
    }

    private func endSegment(_ seconds: Double) throws(PublishingError) {
        guard !bytes.isEmpty else { return }
        number += 1
        let name = folder.segmentName(number)
        try saveMedia(as: name)
        let left = list.add(
            PlayList.Segment(name: name, seconds: seconds, header: headerName, isDiscontinuous: isDiscontinuous))
        isDiscontinuous = false
        try saveList()
        leaving += left
        // A player may load what it has just read of for as long as the list lasts.
        while leaving.count > folder.window ?? .max {
            let old = leaving.removeFirst()
            unlink(path(old.name).fileName)
            removeUnlessNeeded(old.header)
        }
    }

    /// Removes the file of a header that no segment which is there, or follows, needs.
    private func removeUnlessNeeded(_ header: String?) {
        guard let header, header != headerName, !(leaving + list.segments).contains(where: { $0.header == header })
        else { return }
        unlink(path(header).fileName)
    }

    /// Writes the last segment; the next run, if one follows, is told from this one.
    func close(isComplete: Bool) throws(PublishingError) {
        defer {
            (bytes, start, last) = ([], nil, nil)
            isDiscontinuous = number > 0
        }
        guard isComplete, let start, let last else { return }
        try endSegment(max((last.end - start).seconds, 0.001))
    }

    /// Ends the list; no run follows, and others may write to the folder.
    func endList() throws(PublishingError) {
        defer { claim = nil }
        guard number > 0 else { return }
        list.isEnded = true
        try saveList()
    }

    private func saveList() throws(PublishingError) {
        try save(Array(list.text.utf8), as: SegmentFolder.playListName)
    }

    /// Writes the bytes of a segment or header, and begins the next one's.
    private func saveMedia(as name: String) throws(PublishingError) {
        try save(bytes, as: name)
        byteCount += bytes.count
        bytes = []
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func save(_ bytes: [UInt8], as name: String) throws(PublishingError) {
        let whole = path(name)
        let part = path(SegmentFolder.partName(name))
        do throws(MediaFileError) {
            let file = try OutputFile(path: part)
            try file.write(bytes)
            try file.close()
        } catch {
            unlink(part.fileName)
            let error = PublishingError(error)
            throw PublishingError(
                error.code, reason: "\(name): \(error.reason)", output: error.output, status: error.status)
        }
        guard rename(part.fileName, whole.fileName) == 0 else {
            let status = errno
            throw PublishingError(
                .writeFailed, reason: "cannot name the file: \(SystemCall.message(status))", output: whole.shown,
                status: Int(status))
        }
    }
}
