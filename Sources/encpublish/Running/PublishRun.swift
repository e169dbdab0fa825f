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
    /// Ends the run early when it happens: what was read by then is written.
    let interruption: OneShotEvent
    let logger: Logger

    /// How long files and connections may take to complete.
    static let timeToFinish = Duration.seconds(10)

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
        case .encoded(let choice): try await encode(choice)
        }
    }
}

// MARK: - Copying

extension PublishRun {
    private func copy() async throws -> PublishReport {
        guard case .file(let path) = plan.input else { preconditionFailure("a plan copies nothing but files") }
        let packets = try CopiedPackets(path: path, takesSound: plan.sound == .copied)
        for note in packets.omissions { logger.warning("\(path): \(note)") }
        let publication = try Publication(self, tracks: packets.tracks, onKeyFrameWanted: {})
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
        return await publication.finish(error: error)
    }

    /// Gives the packets of a container, on one thread.
    private final class Reader: @unchecked Sendable {
        // Unchecked: handed to one task, and used by nobody else.
        private let packets: CopiedPackets
        private var pacer: Pacer?
        private var limit: PacketLimit

        init(_ packets: CopiedPackets, plan: PublishPlan) {
            self.packets = packets
            pacer = plan.pace == .realTime ? Pacer() : nil
            limit = PacketLimit(duration: plan.duration)
        }

        /// - Returns: What went wrong; nil at the end of the input.
        func feed(_ publication: Publication, until stop: () -> Bool) -> (any Error)? {
            do {
                while !stop(), let packet = try packets.next() {
                    guard limit.takes(packet) else {
                        if packet.track == .video { return nil }
                        continue
                    }
                    if let due = pacer?.due(packet.decodeTime, now: MonotonicTime.seconds) {
                        MonotonicTime.sleep(until: due)
                    }
                    if stop() { return nil }
                    try publication.give(packet)
                }
                return nil
            } catch {
                return error
            }
        }
    }
}

// MARK: - Encoding

extension PublishRun {
    private func encode(_ choice: EncoderChoice) async throws -> PublishReport {
        let opened = try openPictures()
        for note in opened.info.conversions + (plan.sound == .none ? opened.info.omissions : []) {
            logger.warning("\(plan.input): \(note)")
        }
        let backend = try choice.kind.backend(on: encoding.devices.device)
        let encoder = try await backend.encoder(naming: choice.codec)
        let configuration = try configuration(choice, encoder, opened.info)
        let session = try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
        // Opened before any output, so that a refused setting leaves no empty file behind.
        try await session.prepare()
        for adjustment in session.adjustments { logger.warning("\(adjustment)") }
        let sound = try openSound()
        let publication = try Publication(
            self, tracks: sound == nil ? [.video] : [.video, .audio],
            onKeyFrameWanted: {
                // Refused only by a session that has ended, which has no next frame.
                try? session.requestKeyFrame()
            })
        let stop = OneShotEvent()
        for event in [interruption, publication.log.allOver] { event.whenSignalled { stop.signal() } }
        let paced = PacedSource(opened, isPaced: plan.pace == .realTime, duration: plan.duration)
        let writer = BroadcastWriter(publication.broadcast, sound: sound) { publication.note($0) }
        let outcome = try await EncodeRun(session: session, interruption: stop).run(from: paced, to: writer)
        if case .rateControl = outcome.firstDrop {
            logger.warning("\(outcome.dropped) frames were dropped for want of bits")
        }
        var error = outcome.error
        if error == nil, case .failed(let reason) = outcome.firstDrop { error = reason }
        return await publication.finish(error: error)
    }

    private func openPictures() throws(MediaFileError) -> sending any VideoSource {
        guard case .file(let path) = plan.input else {
            return TestVideo(
                showsFlashes: plan.input == .flash, size: source.size ?? PublishPlan.testSize,
                rate: source.frameRate ?? 30)
        }
        let raw = source.size.map {
            RawVideoFormat(
                pixelFormat: source.format ?? .i420, width: $0.width, height: $0.height, frameRate: source.frameRate)
        }
        return try VideoInput.open(path: path, rawFormat: raw)
    }

    private func configuration(
        _ choice: EncoderChoice, _ encoder: EncoderDescription, _ info: VideoSourceInfo
    ) throws(EncoderError) -> SessionConfiguration {
        let described = SourceDescription(info).writable(by: encoder)
        var configuration = described.configuration(codec: choice.codec)
        configuration.live.rateControl = rate
        configuration.preset = encoding.preset
        if let names = choice.kind.metadataOptions {
            configuration.nativeOptions = described.metadata.options(names)
        }
        // Outputs come and go: a key frame every two seconds lets them begin, unless something else is set.
        configuration.live.maxKeyFrameIntervalDuration = 2
        for assignment in encoding.assignments { try assignment.apply(to: &configuration) }
        configuration.framing = .lengthPrefixed()
        configuration.parameterSets = .outOfBand
        return configuration
    }

    private func openSound() throws(PublishingError) -> sending SoundFeed? {
        let settings = source.audioSettings
        switch plan.sound {
        case .none, .copied: return nil
        case .file(let path): return try SoundFeed(try PCMFile(path: path), settings: settings)
        case .tone:
            let signal = TestSignal(plan.input == .flash ? .flashAndBeep : .tone)
            let sound = try TestSignal.Sound(
                signal, sampleRate: settings.sampleRate, channelCount: settings.channelCount)
            return try SoundFeed(sound, settings: settings)
        }
    }
}
