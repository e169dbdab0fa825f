// SPDX-License-Identifier: MIT

import Capture
import CommandOptions
import EncoderAPI
import Logging
import MediaFiles
import Publishing

extension PublishRun {
    /// Runs all encoders on one reading of the input, each on threads of its own.
    func encode(_ encodings: [PublishPlan.Encoding]) async throws -> PublishReport {
        let (opened, sound) = try await InputOpening.open("\(plan.input)", unless: interruption) { [self] in
            // Sound first: pictures begin when it is there.
            let origin = CaptureOrigin()
            let captured = try openCapturedSoundFeed(origin, among: encodings.count)
            let opened = try openPictures(origin)
            let offset = (opened as? LibAVReader)?.timeOffset ?? .zero
            return (opened, try captured ?? openSound(offset: offset, among: encodings.count))
        }
        let capture = (opened as? CapturedVideo)?.capture
        defer { capture?.stop() }
        for note in opened.info.conversions + (sound == nil ? opened.info.omissions : []) {
            logger.warning("\(plan.input): \(note)")
        }
        var sessions: [CompressionSession] = []
        // Opened before any output, so that a refused setting leaves no empty file behind.
        for encoding in encodings { sessions.append(try await session(encoding, opened.info)) }
        // Of several sessions, none could read what lies in another's memory.
        if sessions.count == 1 { capture?.fill(sessions[0].pixelBufferPool) }
        let publication = try Publication(
            self, tracks: sound == nil ? [.video] : [.video, .audio], sound: sound?.format,
            longestLag: MediaTime(value: 1, timescale: 1),
            onKeyFrameWanted: { [sessions] number in
                // Refused only by a session that has ended, which has no next frame.
                try? sessions[number].requestKeyFrame()
            })
        let followers = try await followers(of: sessions, publication)
        let paced = PacedSource(
            opened, isPaced: plan.pace == .realTime && capture == nil, duration: plan.duration)
        let source = SharedSource(paced, among: encodings.count)
        let following = followers.compactMap(\.self).map { follower in Task { await follower.run() } }
        let errors = await withTaskGroup(of: (Int, (any Error)?).self) { group in
            for (number, session) in sessions.enumerated() {
                let give = followers[number]?.giving(to: session)
                group.addTask { [self] in
                    defer { source.close(number) }
                    let writer = BroadcastWriter(
                        publication.broadcasts[number], sound: sound, index: number, rotation: plan.rotation
                    ) {
                        if number == 0 { publication.note($0) }
                    }
                    let stop = stopping(publication.log.over[number])
                    return (
                        number,
                        await run(
                            EncodeRun(session: session, interruption: stop, give: give), source.branch(number), writer)
                    )
                }
            }
            return await group.reduce(into: Array(repeating: nil, count: sessions.count)) { $0[$1.0] = $1.1 }
        }
        for task in following { task.cancel() }
        for note in capture?.statistics.notes ?? [] { publication.log.note("\(plan.input): \(note)") }
        var soundError: (any Error)?
        // A capture that is gone ends all encodings; an encoder that fails, its own.
        let isOver = errors.allSatisfy { $0 != nil }
        if case .capture = plan.sound, let sound, capture != nil, isOver, let error = errors[0] {
            publication.log.note("\(error); the sound goes on")
            soundError = await soundGoesOn(sound, publication)
        }
        let restError = await sendRest(of: sound, publication)
        soundError = soundError ?? restError ?? soundFailure.reason
        let reports = encodings.indices.map { number in
            report(encodings[number], followers[number]?.adaptation, errors[number])
        }
        // Where nothing could be encoded to the end, the input is to blame, or whatever it was is one thing.
        let isFailed = errors.allSatisfy { $0 != nil }
        return await publication.finish(error: isFailed ? errors[0] : soundError, encodings: reports)
    }

    private func stopping(_ event: OneShotEvent) -> OneShotEvent {
        let stop = OneShotEvent()
        for event in [interruption, event] { event.whenSignalled { stop.signal() } }
        return stop
    }

    /// - Returns: What the pass failed with; nil for nothing.
    private func run(
        _ run: EncodeRun, _ source: sending any VideoSource, _ writer: sending any EncodedFrameWriter
    ) async -> (any Error)? {
        do throws(CommandFailure) {
            let outcome = try await run.run(from: source, to: writer)
            if case .rateControl = outcome.firstDrop {
                logger.warning("\(outcome.dropped) frames were dropped for want of bits")
            }
            if let error = outcome.error { return error }
            if case .failed(let reason) = outcome.firstDrop { return reason }
            return nil
        } catch {
            return error
        }
    }

    /// Gives each broadcast the sound behind the last picture.
    private func sendRest(of sound: SharedSound?, _ publication: Publication) async -> (any Error)? {
        do {
            for (index, broadcast) in publication.broadcasts.enumerated() {
                for packet in try sound?.rest(of: index) ?? [] { try await broadcast.send(packet) }
            }
            return nil
        } catch {
            return error
        }
    }

    private func report(
        _ encoding: PublishPlan.Encoding, _ adaptation: RateAdaptation?, _ error: (any Error)?
    ) -> PublishReport.Encoding {
        PublishReport.Encoding(
            name: encoding.name, codec: encoding.choice.codec.rawValue, encoder: encoding.choice.kind.name,
            adaptedBitRate: adaptation?.decision.bitsPerSecond, framesLeftOut: adaptation?.framesLeftOut,
            error: error.map { AddressHiding.hide(in: "\($0)", arguments: Program.arguments) })
    }
}

// MARK: - Opening

extension PublishRun {
    private func session(
        _ encoding: PublishPlan.Encoding, _ info: VideoSourceInfo
    ) async throws -> CompressionSession {
        let device =
            encoding.choice.kind.makeBackendOnDevice == nil && encoding.name != nil
            ? nil : self.encoding.devices.device
        let backend = try encoding.choice.kind.backend(on: device)
        let encoder = try await backend.encoder(naming: encoding.choice.codec)
        let configuration = try configuration(encoding, encoder, info)
        let session = try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
        try await session.prepare()
        for adjustment in session.adjustments {
            logger.log(level: self.encoding.assignments.level(of: adjustment), "\(adjustment.sentence)")
        }
        return session
    }

    private func configuration(
        _ encoding: PublishPlan.Encoding, _ encoder: EncoderDescription, _ info: VideoSourceInfo
    ) throws -> SessionConfiguration {
        for loss in SourceDescription(info).losses(by: encoder) { logger.warning("\(loss)") }
        let described = SourceDescription(info).writable(by: encoder)
        var configuration = described.configuration(codec: encoding.choice.codec)
        // The end of what is published may be a signal's: nothing is planned with it unless it is set.
        configuration.sourceFrameCount = nil
        if let names = encoding.choice.kind.metadataOptions {
            configuration.nativeOptions = described.metadata.options(names)
        }
        // Outputs come and go: a key frame every two seconds lets them begin, unless something else is set.
        configuration.live.maxKeyFrameIntervalDuration = 2
        if let named = self.encoding.named.first(where: { $0.name == encoding.name }) {
            try named.apply(to: &configuration)
        } else {
            configuration.live.rateControl = rate
            configuration.preset = self.encoding.preset
            for assignment in self.encoding.assignments { try assignment.apply(to: &configuration) }
        }
        configuration.framing = .lengthPrefixed()
        configuration.parameterSets = .outOfBand
        return configuration
    }

    private func followers(
        of sessions: [CompressionSession], _ publication: Publication
    ) async throws -> [BitRateFollower?] {
        guard connections.adapt else { return sessions.map { _ in nil } }
        var followers: [BitRateFollower?] = []
        for (number, session) in sessions.enumerated() {
            let outputs = publication.liveOutputs(of: number)
            guard !outputs.isEmpty else {
                followers.append(nil)
                continue
            }
            let asked = session.configuration.live.averageBitRate ?? 0
            let floor = connections.adaptFloor ?? max(asked / 10, 1000)
            followers.append(
                BitRateFollower(
                    try await RateAdaptation(session, floor: min(floor, asked)), of: publication.broadcasts[number],
                    outputs: outputs, tell: { publication.tell($0) }))
        }
        return followers
    }

    private func openPictures(_ origin: CaptureOrigin) throws(MediaFileError) -> sending any VideoSource {
        if let captured = plan.input.captured { return try openCapture(captured, origin: origin) }
        guard case .file(let path) = plan.input else {
            return TestVideo(
                showsFlashes: plan.input == .flash, size: source.size ?? PublishPlan.testSize,
                rate: source.frameRate ?? 30)
        }
        return try source.raw.open(path, size: source.size, frameRate: source.frameRate)
    }

    private func openCapturedSoundFeed(_ origin: CaptureOrigin, among count: Int) throws -> SharedSound? {
        guard case .capture(let captured) = plan.sound else { return nil }
        let samples = try openCapturedSound(captured, origin: origin)
        return SharedSound(
            try SoundFeed(samples, settings: source.audioSettings, path: "\(captured)"), among: count)
    }

    private func openSound(offset: MediaTime, among count: Int) throws -> SharedSound? {
        let settings = source.audioSettings
        switch plan.sound {
        case .none, .copied, .capture: return nil
        case .file(let path):
            return SharedSound(try SoundFeed(try fileSound(path), settings: settings, path: path), among: count)
        case .input, .inputIfAny:
            guard case .file(let path) = plan.input else {
                preconditionFailure("a plan has a file whose sound is used")
            }
            do {
                let sound = try FileSound(path: path, offset: offset)
                return SharedSound(try SoundFeed(sound, settings: settings, path: path), among: count)
            } catch let error as MediaFileError where error.code == .unsupported && plan.sound == .inputIfAny {
                return nil
            }
        case .tone:
            let signal = TestSignal(plan.input == .flash ? .flashAndBeep : .tone)
            let sound = try TestSignal.Sound(
                signal, sampleRate: settings.sampleRate, channelCount: settings.channelCount)
            return SharedSound(try SoundFeed(sound, settings: settings), among: count)
        }
    }

    /// The samples of a file of sound, WAV or whatever the libraries decode.
    private func fileSound(_ path: String) throws -> sending any SoundSource {
        do throws(PublishingError) {
            return try PCMFile(path: path, isGivenUp: { [interruption] in interruption.hasHappened })
        } catch {
            // Standard input or a pipe cannot be read from its start again.
            guard path != "-", !FilePlace.isStream(path), error.code == .corrupt || error.code == .unsupported else {
                throw error
            }
            return try FileSound(path: path)
        }
    }
}
