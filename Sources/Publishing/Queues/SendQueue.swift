// SPDX-License-Identifier: MIT

import DequeModule
package import EncoderAPI
import LibAV

/// What waits to be sent by one live output, and what is left out when that becomes too much.
///
/// A pure value: it neither blocks nor knows a clock. From half of its limits on it leaves out the pictures that no
/// other needs, beyond them all pictures up to the next key frame. Sound, which is small, may wait twice as long, and
/// goes only where no older picture waits. Every packet given comes out, waits, or is counted in a ``DropReport``.
package struct SendQueue: Sendable {
    /// How much may wait.
    package struct Limits: Sendable, Hashable {
        /// Media time from the oldest to the newest picture by decode time, half as much as of sound; 2 s by default.
        package var duration: MediaTime
        /// Bytes of all packets, though one picture alone may be larger; 4 MiB by default.
        package var byteCount: Int

        /// Makes limits.
        package init(duration: MediaTime = MediaTime(value: 2, timescale: 1), byteCount: Int = 4 << 20) {
            self.duration = duration
            self.byteCount = byteCount
        }
    }

    /// Where a track went on after pictures were left out.
    private struct Resumption {
        /// When the key frame is shown: what is decoded behind it and shown before it is predicted from what is not
        /// there (leading pictures, H.265 3.66, and those of open groups of H.264).
        let start: MediaTime
        /// Why pictures were left out.
        let reason: DropReport.Reason
    }

    private let limits: Limits
    private let hasVideo: Bool
    /// What waits, in the order of sending.
    private(set) var packets: Deque<MediaPacket> = []
    /// The last decode time given.
    private var newest: MediaTime?
    package private(set) var isConnected: Bool
    /// Whether everything is left out up to the next key frame.
    private var isStarting: Bool
    /// Whether a picture was given to be sent since the queue was connected; true where there are none.
    private var hasBegun: Bool
    /// Tracks of pictures that are left out up to their next key frame.
    private var awaitsKeyFrame: Set<TrackID> = []
    /// Where tracks went on after pictures were left out, up to the first picture that is shown after the key frame.
    private var resumptions = TrackTable<Resumption>()
    private var endedEpisodes: [DropReport] = []
    /// Bytes that wait.
    package private(set) var byteCount = 0
    /// What has been left out since the queue last kept up; nil where nothing was.
    package private(set) var episode: DropReport?

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - tracks: All there will be.
    ///   - limits: How much may wait.
    ///   - isConnected: False to leave everything out until ``connect()``.
    package init(tracks: [TrackID], limits: Limits = Limits(), isConnected: Bool = true) {
        self.limits = limits
        self.isConnected = isConnected
        isStarting = !isConnected
        hasVideo = tracks.contains { $0.kind == .video }
        hasBegun = !hasVideo
    }

    /// Whether it is connected and leaves everything out up to the next key frame.
    package var isBeginning: Bool { isConnected && isStarting }

    /// Packets that wait.
    package var count: Int { packets.count }

    /// The packet that ``pop()`` gives next.
    package var first: MediaPacket? { packets.first }

    /// Media time from the oldest to the newest waiting packet, of pictures or of sound, whichever is longer.
    package var age: MediaTime { max(age(of: .video), age(of: .audio)) }

    private func age(of kind: TrackID.Kind) -> MediaTime {
        // The one packet of an output that keeps up has no age to look for.
        guard packets.count > 1 else { return .zero }
        guard let first = packets.first(where: { $0.track.kind == kind }),
            let last = packets.last(where: { $0.track.kind == kind })
        else { return .zero }
        return max(.zero, last.decodeTime - first.decodeTime)
    }
}

// MARK: - Giving and taking

extension SendQueue {
    /// Takes a packet, or leaves it or others out; packets are given in the order of sending.
    ///
    /// - Returns: ``isBeginning`` after that.
    @discardableResult
    package mutating func push(_ packet: MediaPacket) -> Bool {
        newest = packet.decodeTime
        guard accepts(packet) else {
            note(packet)
            return isBeginning
        }
        packets.append(packet)
        byteCount += packet.byteCount
        if isFilled(to: 2) { leaveOut { $0.track.kind == .video && $0.isDisposable } }
        while isFilled(to: 1), leaveOutOldest() {}
        endEpisodeIfCaughtUp()
        return isBeginning
    }

    /// Gives the packet to be sent next; nil where none waits.
    package mutating func pop() -> MediaPacket? {
        guard let packet = packets.popFirst() else { return nil }
        byteCount -= packet.byteCount
        if packet.track.kind == .video { hasBegun = true }
        endEpisodeIfCaughtUp()
        return packet
    }

    /// Takes back the packet that ``pop()`` gave last, which could not be sent.
    package mutating func putBack(_ packet: MediaPacket) {
        packets.prepend(packet)
        byteCount += packet.byteCount
    }

    /// Leaves out what waits, and all that comes, until ``connect()``.
    package mutating func disconnect() {
        isConnected = false
        isStarting = true
        hasBegun = !hasVideo
        awaitsKeyFrame = []
        resumptions = TrackTable()
        leaveOut { _ in true }
    }

    /// Takes packets again, beginning with a key frame; sound before that is left out.
    package mutating func connect() { isConnected = true }

    /// Gives each episode of leaving out that has ended, once.
    package mutating func takeReports() -> [DropReport] {
        defer { endedEpisodes = [] }
        return endedEpisodes
    }

    /// Ends the episode that is under way, whether or not the queue has caught up: call when the output ends.
    package mutating func endEpisode() {
        if let episode { endedEpisodes.append(episode) }
        episode = nil
    }

    /// Whether a packet can be decoded behind those that were taken.
    private mutating func accepts(_ packet: MediaPacket) -> Bool {
        guard isConnected else { return false }
        if packet.isKey, packet.track.kind == .video || !hasVideo {
            let isResumed = packet.track.kind == .video && (isStarting || awaitsKeyFrame.contains(packet.track))
            resumptions[packet.track] =
                isResumed ? Resumption(start: packet.presentationTime, reason: reason(for: packet)) : nil
            isStarting = false
            awaitsKeyFrame.remove(packet.track)
        }
        guard !isStarting, !awaitsKeyFrame.contains(packet.track) else { return false }
        guard packet.track.kind == .video else { return hasBegun || awaitsKeyFrame.isEmpty }
        if !packet.isKey, let start = resumptions[packet.track]?.start {
            guard packet.presentationTime >= start else { return false }
            resumptions[packet.track] = nil
        }
        return true
    }
}

// MARK: - Leaving out

extension SendQueue {
    /// Whether more than the limits' `part`th part waits.
    private func isFilled(to part: Int) -> Bool {
        exceeds(age(of: .video), part) || exceeds(age(of: .audio), part, of: 2) || byteCount * part > limits.byteCount
    }

    /// Whether an age is more than a part of a multiple of the limit.
    private func exceeds(_ age: MediaTime, _ part: Int, of multiple: Int = 1) -> Bool {
        age.times(part) > limits.duration.times(multiple)
    }

    /// Leaves out what has waited longest: of pictures those up to the next key frame, of sound a packet.
    ///
    /// - Returns: False where nothing is left that could go.
    private mutating func leaveOutOldest() -> Bool {
        let isTooMuchSound = !exceeds(age(of: .video), 1) && byteCount <= limits.byteCount
        let picture = packets.first { $0.track.kind == .video }
        let sound = packets.first { $0.track.kind == .audio }
        // Where there is too much of sound alone, pictures that came after it have no part in that.
        if isTooMuchSound, let picture, let sound, sound.decodeTime < picture.decodeTime {
            return leaveOutOldestSound()
        }
        return leaveOutGroupOfPictures() || leaveOutOldestSound()
    }

    /// Leaves out the pictures of a track up to the next key frame, which waits or is to come, and where no picture was
    /// sent yet the sound before that too: what is sent begins with a key frame.
    ///
    /// - Returns: False where no picture is left that could go.
    private mutating func leaveOutGroupOfPictures() -> Bool {
        guard let head = packets.firstIndex(where: { $0.track.kind == .video }) else { return false }
        let track = packets[head].track
        let next = packets[(head + 1)...].firstIndex { $0.track == track && $0.isKey }
        let takesSound = !hasBegun
        guard let next else {
            // A picture alone may be larger than the limits, and can still be shown.
            guard packets[(head + 1)...].contains(where: { $0.track == track }) || !packets[head].isKey else {
                return false
            }
            awaitsKeyFrame.insert(track)
            leaveOut { $0.track == track || takesSound && $0.track.kind == .audio }
            return true
        }
        let start = packets[next].presentationTime
        if !packets[(next + 1)...].contains(where: { $0.track == track && $0.isKey }) {
            resumptions[track] = Resumption(start: start, reason: .congestion)
        }
        var index = 0
        leaveOut { packet in
            defer { index += 1 }
            guard index < next else { return packet.track == track && packet.presentationTime < start }
            return packet.track == track || takesSound && packet.track.kind == .audio
        }
        return true
    }

    private mutating func leaveOutOldestSound() -> Bool {
        guard let oldest = packets.firstIndex(where: { $0.track.kind == .audio }), packets.count > 1 else {
            return false
        }
        let packet = packets.remove(at: oldest)
        byteCount -= packet.byteCount
        note(packet)
        return true
    }

    private mutating func leaveOut(where isLeftOut: (MediaPacket) -> Bool) {
        var kept: Deque<MediaPacket> = []
        for packet in packets {
            guard isLeftOut(packet) else {
                kept.append(packet)
                continue
            }
            byteCount -= packet.byteCount
            note(packet)
        }
        packets = kept
    }

    private mutating func note(_ packet: MediaPacket) {
        let reason = reason(for: packet)
        if episode?.reason != reason { endEpisode() }
        if episode == nil {
            episode = DropReport(reason, first: packet)
        } else {
            episode?.add(packet)
        }
    }

    private func reason(for packet: MediaPacket) -> DropReport.Reason {
        guard isConnected, !isStarting else { return .notConnected }
        return packet.isKey ? .congestion : resumptions[packet.track]?.reason ?? .congestion
    }

    /// An episode ends when all waits for less than a quarter of the limits, a while after the last packet left out.
    private mutating func endEpisodeIfCaughtUp() {
        guard let episode, let newest, isConnected, !isStarting, awaitsKeyFrame.isEmpty, resumptions.count == 0,
            !isFilled(to: 4)
        else {
            return
        }
        if episode.reason == .notConnected || newest - episode.end >= limits.duration { endEpisode() }
    }
}
