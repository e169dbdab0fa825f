// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Logging
import MediaFiles
import Publishing
import Synchronization

/// Carries out a plan: opens the input, gives its packets to a broadcast, and tells how far it is.
struct PublishRun {
    let plan: PublishPlan
    let rate: RateControl
    let encoding: EncodingOptions
    let source: SourceOptions
    let connections: ConnectionChoices
    let segments: SegmentChoices
    /// Ends the run early when it happens: what was read by then is written.
    let interruption: OneShotEvent
    let logger: Logger
    /// What ended captured sound.
    let soundFailure: SoundFailure

    /// Puts a run together.
    init(
        plan: PublishPlan, rate: RateControl, encoding: EncodingOptions, source: SourceOptions,
        connections: ConnectionChoices, segments: SegmentChoices, interruption: OneShotEvent, logger: Logger
    ) {
        (self.plan, self.rate, self.encoding, self.source) = (plan, rate, encoding, source)
        (self.connections, self.segments) = (connections, segments)
        (self.interruption, self.logger) = (interruption, logger)
        soundFailure = SoundFailure { logger.warning("\($0)") }
    }

    /// How long files and connections may take to complete.
    static let timeToFinish = Duration.seconds(10)

    /// How far sound and pictures may lie apart in a file that is copied, as in fragments of a group of pictures.
    ///
    /// Where the source has a clock, what is shown there is late by as much once one of the tracks has ended.
    private var longestLag: MediaTime {
        MediaTime(value: plan.readsStream ? 1 : plan.pace == .realTime ? 3 : 20, timescale: 1)
    }

    /// What was given to the outputs so far, from the thread that gives it.
    final class Progress: Sendable {
        private struct State {
            var pictures = 0
            var first: MediaTime?
            var last = MediaTime.zero
        }

        private let state = Mutex(State())

        /// Pictures, and seconds between the first one's time and the latest one's.
        var given: (pictures: Int, seconds: Double) {
            state.withLock { state in
                guard let first = state.first else { return (0, 0) }
                return (state.pictures, (state.last - first).seconds)
            }
        }

        /// Takes notice of a picture.
        func give(_ time: MediaTime) {
            state.withLock { state in
                state.pictures += 1
                state.first = min(state.first ?? time, time)
                state.last = max(state.last, time)
            }
        }
    }

    /// Runs to the end of the input, a signal, or until no output is left.
    ///
    /// - Returns: What came of it, failures of outputs included; times that the process took are left at 0.
    /// - Throws: What keeps it from starting.
    func run() async throws -> PublishReport {
        switch plan.pictures {
        case .copied: try await copy()
        case .encoded(let encodings): try await encode(encodings)
        }
    }
}

// MARK: - Copying

extension PublishRun {
    private func copy() async throws -> PublishReport {
        guard case .file(let path) = plan.input else { preconditionFailure("a plan copies nothing but files") }
        let takesSound = plan.sound == .copied
        let packets = try await InputOpening.open("\(plan.input)", unless: interruption) {
            try CopiedPackets(path: path, takesSound: takesSound)
        }
        for note in packets.omissions { logger.warning("\(plan.input): \(note)") }
        let publication = try Publication(
            self, tracks: packets.tracks, sound: packets.audio, longestLag: longestLag, onKeyFrameWanted: { _ in })
        let thread = try ThreadExecutor()
        let inputEnd = OneShotEvent()
        for event in [interruption, publication.log.allOver] { event.whenSignalled { inputEnd.signal() } }
        let stop: @Sendable () -> Bool = { inputEnd.hasHappened }
        let reader = Reader(packets, plan: plan)
        let feed = Task(executorPreference: thread) { () -> (any Error)? in
            defer { inputEnd.signal() }
            return reader.feed(publication, until: stop)
        }
        await inputEnd.wait()
        // A reader that is stuck in a pipe is left behind: the broadcast refuses what it may still bring.
        let wasAsked = interruption.hasHappened || publication.log.allOver.hasHappened
        let error = wasAsked ? nil : await feed.value
        if !wasAsked { thread.stop() }
        return await publication.finish(
            error: error, encodings: [PublishReport.Encoding(codec: packets.codec.rawValue)])
    }

    /// Gives the packets of a container, on one thread.
    private final class Reader: @unchecked Sendable {
        // Unchecked: handed to one task, and used by nobody else.
        private let packets: CopiedPackets
        private var pacer: Pacer?
        private var limit: PacketLimit
        /// Packets that are given at once: one where they come when their time has come, or a pipe brings them.
        private let batchSize: Int
        private var batch: [MediaPacket] = []

        init(_ packets: CopiedPackets, plan: PublishPlan) {
            self.packets = packets
            pacer = plan.pace == .realTime ? Pacer() : nil
            limit = PacketLimit(duration: plan.duration)
            batchSize = plan.pace == .realTime || packets.isFromPipe ? 1 : 64
        }

        /// - Returns: What went wrong; nil at the end of the input.
        func feed(_ publication: Publication, until stop: () -> Bool) -> (any Error)? {
            let reading = Result {
                while !stop(), let packet = try packets.next() {
                    guard limit.takes(packet) else {
                        if packet.track == .video { return }
                        continue
                    }
                    if let due = pacer?.due(packet.decodeTime, now: MonotonicTime.seconds) {
                        MonotonicTime.sleep(until: due)
                    }
                    batch.append(packet)
                    if batch.count >= batchSize, !stop() { try give(publication, moreFollows: batchSize > 1) }
                }
            }
            // What was read before the end, or before the place where the input is damaged.
            let giving = Result { if !stop() { try give(publication, moreFollows: false) } }
            return reading.failure ?? giving.failure as (any Error)?
        }

        private func give(_ publication: Publication, moreFollows: Bool) throws(PublishingError) {
            try publication.give(exchange(&batch, with: []), moreFollows: moreFollows)
        }
    }
}

extension Result {
    /// Why it failed; nil where it did not.
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
