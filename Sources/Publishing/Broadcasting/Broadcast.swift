// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Gives the packets of one source to any number of outputs, each on its own thread with its own queue.
///
/// All tracks have one clock, and one order. Outputs share the packets' bytes. A live output that cannot follow leaves
/// packets out, and none of the others notices. A file or folder that cannot follow, because its disk or the reader of
/// its pipe takes nothing, lets the source wait once ``Output/largestQueue`` bytes wait for it; as long as the source
/// waits, no output is given anything.
///
/// Calls may come from any thread; the packets of one track from one at a time.
public final class Broadcast: Sendable {
    private struct State {
        var timeline: Timeline
        var interleaver: Interleaver
        var runners: [OutputRunner] = []
        var formats: TrackFormats
        var nextNumber = 1
        var hasBegun = false
        var isFinishing = false
        /// Tracks that have no more packets; those of some may still wait for the first picture.
        var endedTracks: Set<TrackID> = []
        var askedForKeyFrame: ContinuousClock.Instant?
    }

    /// The tracks there are.
    public let tracks: [TrackID]
    /// What happens, in order, for one reader; of a slow one's the newest 1024 are kept.
    public let events: AsyncStream<BroadcastEvent>
    private let stream = EventStream()
    private let lock: SessionLock<State>
    private let onKeyFrameWanted: @Sendable () -> Void

    /// Makes a broadcast.
    ///
    /// - Parameters:
    ///   - tracks: All that packets will come of, one or more; of equal times the earlier one's is written first.
    ///   - outputs: Those that are there from the start; see ``add(_:)``.
    ///   - formats: What is known of tracks before their first packets: a container begins with the tracks whose
    ///     formats are known, and leaves out what comes of others.
    ///   - longestLag: How far in media time a track may be behind before the others go on without it; 1 s by default,
    ///     more for a file whose tracks are not beside each other.
    ///   - wrapPeriod: After how much time the source's clock starts at zero again, 1 s or more, as that of RTP does
    ///     after 2^32 ticks of 1/90000 s and that of a transport stream after 2^33: times go on beyond it. Nil by
    ///     default, for a clock that does not.
    ///   - refusesBackwardsTimes: Whether a packet that is not decoded later than the one before it is refused; by
    ///     default the source is taken to count anew, and told of in ``events``.
    ///   - onKeyFrameWanted: Asks the encoder for a key frame, for an output that begins in the middle: one that was
    ///     added or connected after packets had come, or whose ``Output/start`` has come. Called on the output's
    ///     thread, at most once a second for all outputs; an output that comes sooner waits for the second to pass, and
    ///     asks then if it still has no key frame.
    /// - Throws: ``PublishingError`` with `.invalidValue` for no track or one twice, for the format of a track that is
    ///   not there or of the other kind, for a lag that is not above 0 or a period below 1 s, and what ``add(_:)``
    ///   throws.
    public init(
        tracks: [TrackID], outputs: [Output] = [], formats: [TrackID: TrackFormat] = [:],
        longestLag: MediaTime = MediaTime(value: 1, timescale: 1), wrapPeriod: MediaTime? = nil,
        refusesBackwardsTimes: Bool = false, onKeyFrameWanted: @escaping @Sendable () -> Void = {}
    ) throws(PublishingError) {
        guard !tracks.isEmpty, Set(tracks).count == tracks.count else {
            throw PublishingError(.invalidValue, reason: "tracks \(tracks), expected one or more, each once")
        }
        guard formats.allSatisfy({ tracks.contains($0) && $0.kind == $1.kind }), longestLag > .zero else {
            throw PublishingError(
                .invalidValue,
                reason: "formats of \(formats.keys.map(\.description).sorted()) and a lag of \(longestLag), expected "
                    + "formats of the tracks \(tracks), each of its kind, and a lag above 0")
        }
        if let wrapPeriod, wrapPeriod < MediaTime(value: 1, timescale: 1) {
            throw PublishingError(.invalidValue, reason: "a clock's period of \(wrapPeriod), expected 1 s or more")
        }
        self.tracks = tracks
        self.onKeyFrameWanted = onKeyFrameWanted
        events = stream.events
        lock = SessionLock(
            State(
                timeline: Timeline(
                    tracks: tracks, backwardsTimes: refusesBackwardsTimes ? .refused : .rebased,
                    wrapPeriod: wrapPeriod),
                interleaver: Interleaver(tracks: tracks, longestLag: longestLag),
                formats: TrackFormats(formats)))
        do throws(PublishingError) {
            for output in outputs { try add(output) }
        } catch {
            cancel()
            throw error
        }
    }

    /// Ends all outputs at once, where nobody did.
    deinit { cancel() }
}

// MARK: - Outputs

extension Broadcast {
    /// Adds an output.
    ///
    /// Where no packet was given yet, a file, a folder or a closure begins with the first one. A connection leaves out
    /// what comes before it stands. A connection, and any output that is added later, begins with the next key frame,
    /// which is asked for where packets came before.
    ///
    /// - Returns: Tells it from others in ``events``.
    /// - Throws: ``PublishingError`` with `.invalidValue` or `.unsupported` for options that do not fit,
    ///   `.invalidValue` for a file or folder that another output of this broadcast is writing, by whatever path;
    ///   one of
    ///   another broadcast is found when the output opens, and fails it with that code. `.invalidState` after
    ///   ``finish(within:)`` and ``cancel()``, `.outOfMemory` where the system gives no thread. What goes wrong later
    ///   is an event.
    @discardableResult
    public func add(_ output: Output) throws(PublishingError) -> OutputID {
        try output.check()
        guard tracks.contains(where: output.takes) else {
            let names = tracks.map(\.description).joined(separator: ", ")
            throw PublishingError(
                .unsupported,
                reason:
                    "\(output.container?.name ?? output.name) takes none of the tracks \(names), expected a track that it holds, "
                    + "or another container", output: output.name)
        }
        defer { stream.tell() }
        return try lock.withLock { state throws(PublishingError) in
            guard !state.isFinishing else {
                throw PublishingError(.invalidState, reason: "the broadcast has ended", output: output.name)
            }
            guard !state.runners.contains(where: { $0.isWriting(where: output) }) else {
                throw PublishingError(
                    .invalidValue, reason: "another output writes there, expected another path", output: output.name)
            }
            let id = OutputID(number: state.nextNumber)
            let runner = try OutputRunner(
                output, id: id, tracks: tracks, formats: state.formats.table, isJoining: state.hasBegun, events: stream,
                wantKeyFrame: { [weak self] in self?.askForKeyFrame() ?? true })
            state.nextNumber += 1
            state.runners.append(runner)
            return id
        }
    }

    /// Completes one output, which the others take no notice of; returns when it has ended.
    ///
    /// - Parameters:
    ///   - id: The output; one that is unknown or has ended is no error.
    ///   - time: How long it may take, 0 to a year, clamped; 10 s by default. Then it is given up.
    public func remove(_ id: OutputID, within time: Duration = .seconds(10)) async {
        // Until it has ended it is one of those that ``cancel()`` ends, and no other output writes where it does.
        await Self.finish(lock.withLock { $0.runners.filter { $0.id == id } }, within: time)
        lock.withLock { $0.runners.removeAll { $0.id == id } }
    }

    /// What each output has done so far.
    public var statistics: [OutputID: OutputStatistics] {
        let runners = lock.withLock { $0.runners }
        return Dictionary(runners.map { ($0.id, $0.statistics) }) { first, _ in first }
    }

    /// Asks the encoder for a key frame, unless that was done within the last second.
    private func askForKeyFrame() -> Bool {
        let isDue = lock.withLock { state in
            if let last = state.askedForKeyFrame, .now - last < .seconds(1) { return false }
            state.askedForKeyFrame = .now
            return true
        }
        if isDue { onKeyFrameWanted() }
        return isDue
    }
}

// MARK: - Packets

extension Broadcast {
    /// Gives a packet to all outputs; waits while a file is slow.
    ///
    /// A task that is cancelled while it waits comes back, and the packet has been taken. A cancelled task gives none.
    ///
    /// - Throws: ``PublishingError`` with `.invalidValue` for an unknown track, a format of the other kind than the
    ///   track's, a packet without bytes or a picture without NAL units, a NAL unit that is empty or lies outside of
    ///   the bytes, a packet decoded after it is shown or more than a day before that, or one that begins or ends more
    ///   than 2^32 s from zero or from the first picture; `.backwardsTime` where those are refused, `.invalidState`
    ///   after the track's or the broadcast's end, `.cancelled` in a cancelled task.
    public func send(_ packet: MediaPacket) async throws(PublishingError) {
        guard !Task.isCancelled else {
            throw PublishingError(.cancelled, reason: "a packet of \(packet.track) from a cancelled task")
        }
        var taken = 0
        for runner in try place([packet], taken: &taken) { await runner.room()?.wait() }
    }

    /// Gives a packet as ``send(_:)`` does, and blocks the calling thread while a file is slow.
    public func sendBlocking(_ packet: MediaPacket) throws(PublishingError) { try sendBlocking([packet]) }

    /// Gives packets one after the other, and blocks the calling thread while a file is slow; of packets that come
    /// many at once, as out of a file, this takes less time than to give each by itself.
    ///
    /// Where the only output is a file on disk, the calling thread writes several packets itself.
    ///
    /// - Parameter packets: In the order of giving; those of one track in decode order.
    /// - Throws: What ``send(_:)`` throws for one of them: those before it have been taken, it and those behind it not.
    public func sendBlocking(_ packets: [MediaPacket]) throws(PublishingError) {
        var taken = 0
        try sendBlocking(packets, taken: &taken)
    }

    /// Gives packets as ``sendBlocking(_:)-([MediaPacket])`` does.
    ///
    /// - Parameters:
    ///   - packets: In the order of giving.
    ///   - moreFollows: Whether the caller has more at hand, and gives them at once: a file that the calling thread
    ///     writes has the last bytes of these then with those that follow, or with the broadcast's end.
    ///   - taken: Grows by one with each packet that was taken.
    /// - Throws: What ``send(_:)`` throws for one of them.
    package func sendBlocking(
        _ packets: [MediaPacket], moreFollows: Bool = false, taken: inout Int
    ) throws(PublishingError) {
        for runner in try place(packets, isWritingHere: packets.count > 1, moreFollows: moreFollows, taken: &taken) {
            runner.room()?.waitBlocking()
        }
    }

    /// Gives what a session made of a frame, where it is not dropped; see ``send(_:)``.
    public func send(_ frame: EncodedFrame, track: TrackID = .video) async throws(PublishingError) {
        if let packet = MediaPacket(frame, track: track) { try await send(packet) }
    }

    /// Takes notice that a track has no more packets: the others need not wait for it, nor sound for a first picture.
    public func end(_ track: TrackID) {
        guard tracks.contains(track) else { return }
        lock.withLock { state in
            state.endedTracks.insert(track)
            // What was checked when it came is not refused now.
            try? take(state.timeline.end(track), &state)
            Self.distribute(&state)
        }
        stream.tell()
    }

    /// Places packets and gives the outputs what can go on.
    ///
    /// The lock is held while packets go into the queues, so that all outputs have one order.
    ///
    /// - Parameters:
    ///   - packets: The packets.
    ///   - isWritingHere: Whether the calling thread writes what goes on, where there is one output that lets it.
    ///   - moreFollows: Whether the calling thread is back at once, with more to write.
    ///   - taken: Grows by one with each packet that is placed.
    /// - Returns: The outputs.
    /// - Throws: What ``send(_:)`` throws.
    private func place(
        _ packets: [MediaPacket], isWritingHere: Bool = false, moreFollows: Bool = false, taken: inout Int
    ) throws(PublishingError) -> [OutputRunner] {
        var writing: OutputRunner?
        defer {
            writing?.writeHere(moreFollows: moreFollows)
            stream.tell()
        }
        return try lock.withLock { state throws(PublishingError) in
            if isWritingHere, state.runners.count == 1 { writing = state.runners.first }
            defer { Self.distribute(&state, wakes: writing == nil) }
            var events: [Timeline.Event] = []
            for packet in packets {
                guard !state.isFinishing else {
                    throw PublishingError(
                        .invalidState, reason: "a packet of \(packet.track) after the broadcast's end")
                }
                guard !state.endedTracks.contains(packet.track) else {
                    throw PublishingError(.invalidState, reason: "a packet of \(packet.track) after the track's end")
                }
                events.removeAll(keepingCapacity: true)
                try state.timeline.place(packet, into: &events)
                try take(events, &state)
                taken += 1
            }
            return state.runners
        }
    }

    private func take(_ events: [Timeline.Event], _ state: inout State) throws(PublishingError) {
        for event in events {
            switch event {
            case .packet(let packet): try state.interleaver.push(packet)
            case .rebased(let track, let from, let to): stream.post(.rebased(track, from: from, to: to))
            case .soundLeftOut(let track, let count): stream.post(.soundLeftOut(track, packetCount: count))
            case .pictureMissing(let time): stream.post(.pictureMissing(waited: time))
            }
        }
    }

    private static func distribute(_ state: inout State, wakes: Bool = true) {
        for track in state.endedTracks where !state.timeline.holds(track) { state.interleaver.end(track) }
        let first = state.hasBegun ? [] : state.interleaver.heads
        var packets: [MediaPacket] = []
        while let packet = state.interleaver.pop() { packets.append(packet) }
        guard !packets.isEmpty else { return }
        if !state.hasBegun {
            state.hasBegun = true
            _ = state.formats.note(first)
            for runner in state.runners { runner.begin(with: first, formats: state.formats.table) }
        }
        let formats = state.formats.note(packets) ? state.formats.table : nil
        for runner in state.runners { runner.push(packets, formats: formats, wakes: wakes) }
    }
}

// MARK: - The end

extension Broadcast {
    /// Writes what waits, completes files and closes connections; returns when all outputs have ended.
    ///
    /// - Parameter time: How long it may take, 0 to a year, clamped; 10 s by default. Then the outputs that are left
    ///   are given up, at once where the task is cancelled. What is given up has failed, with `.timedOut` or
    ///   `.cancelled`, and its statistics count what was left out.
    public func finish(within time: Duration = .seconds(10)) async {
        await Self.finish(endTracks(), within: time)
        stream.end()
    }

    /// Ends all outputs at once, and does not wait for that.
    ///
    /// Files, and folders with their play lists, are completed with what was written; nothing more is sent. An
    /// output for which packets waited has failed
    /// with `.cancelled`.
    public func cancel() {
        let runners = lock.withLock { state in
            state.isFinishing = true
            return state.runners
        }
        for runner in runners { runner.cancel(.cancelled, reason: "the broadcast was cancelled") }
        stream.end()
    }

    private func endTracks() -> [OutputRunner] {
        defer { stream.tell() }
        return lock.withLock { state in
            guard !state.isFinishing else { return state.runners }
            state.isFinishing = true
            // What was checked when it came is not refused now.
            try? take(state.timeline.finish(), &state)
            for track in tracks { state.interleaver.end(track) }
            Self.distribute(&state)
            return state.runners
        }
    }

    /// How long an output that is given up may take to close what it has open.
    private static let grace: Duration = .milliseconds(500)

    private static func finish(_ runners: [OutputRunner], within time: Duration) async {
        // What is beyond a year waits a year: the clock has an end.
        let end = ContinuousClock.now + min(max(time, .zero), .seconds(31_536_000))
        for runner in runners { runner.finish(until: end) }
        let endings = runners.compactMap { $0.ending() }
        let timer = Task {
            try? await Task.sleep(until: end, clock: .continuous)
            guard !Task.isCancelled else { return }
            for runner in runners { runner.cancel(.timedOut, reason: "not finished within \(time)") }
            // A closure, or a disk, may keep an output's thread for ever.
            try? await Task.sleep(for: grace)
            for ending in endings { ending.fire() }
        }
        await withTaskCancellationHandler {
            for ending in endings { await ending.wait() }
        } onCancel: {
            for runner in runners { runner.cancel(.cancelled, reason: "finishing was cancelled") }
        }
        timer.cancel()
    }
}
