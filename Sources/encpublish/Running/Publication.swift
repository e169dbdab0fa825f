// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing
import Synchronization

/// A broadcast with all that surrounds it here: its events, its progress, a recording that begins later.
final class Publication: Sendable {
    let broadcast: Broadcast
    let log: EventLog
    private let plan: PublishPlan
    private let recording: Output?
    private let isRecording = Mutex(false)
    private let interruption: OneShotEvent
    private let progress = PublishRun.Progress()
    private let watch = ProgressWatch()
    private let tasks: Mutex<[Task<Void, Never>]>

    /// Opens the outputs that are there from the start, and begins to tell of them.
    ///
    /// - Throws: ``PublishingError``.
    init(
        _ run: PublishRun, tracks: [TrackID], onKeyFrameWanted: @escaping @Sendable () -> Void
    ) throws(PublishingError) {
        plan = run.plan
        interruption = run.interruption
        var outputs: [Output] = []
        for choice in plan.outputs { outputs.append(try choice.output(run.connections)) }
        var recording: Output?
        if let wish = plan.recording {
            let output = try wish.output.output(run.connections)
            if wish.start > 0 { recording = output } else { outputs.append(output) }
        }
        self.recording = recording
        tasks = Mutex([])
        log = EventLog(outputCount: outputs.count + (recording == nil ? 0 : 1)) { [watch] text in watch.tell(text) }
        broadcast = try Broadcast(tracks: tracks, outputs: outputs, onKeyFrameWanted: onKeyFrameWanted)
        let events = Task { [broadcast, log] in
            for await event in broadcast.events { log.take(event) }
        }
        let ticks = Task { [weak self] in
            while !Task.isCancelled {
                guard let pause = self?.tell() else { return }
                try? await Task.sleep(for: pause)
            }
        }
        tasks.withLock { $0 = [events, ticks] }
    }

    /// Gives a packet to all outputs, and starts the recording when its time has come; blocks while a file is slow.
    func give(_ packet: MediaPacket) throws(PublishingError) {
        try broadcast.sendBlocking(packet)
        if packet.track == .video { note(packet.presentationTime) }
    }

    /// Takes notice of a picture that was given.
    func note(_ time: MediaTime) {
        progress.give(time)
        guard let recording, progress.given.seconds >= plan.recording?.start ?? 0 else { return }
        let isFirst = isRecording.withLock { isRecording in
            defer { isRecording = true }
            return !isRecording
        }
        // Was checked when the plan was made; a broadcast that has ended needs no recording.
        if isFirst { _ = try? broadcast.add(recording) }
    }

    /// Draws a line, and says how long to wait for the next.
    private func tell() -> Duration {
        let given = progress.given
        let places = broadcast.statistics.sorted { $0.key < $1.key }.map { ProgressText.Place($0.value) }
        return watch.draw(media: given.seconds, pictures: given.pictures, places: places)
    }

    /// Completes all outputs and puts the report together.
    ///
    /// - Parameter error: What input or encoder failed with; nil for none.
    /// - Returns: The report, without the time that the process took.
    func finish(error: (any Error)?) async -> PublishReport {
        await broadcast.finish(within: PublishRun.timeToFinish)
        let tasks = tasks.withLock { $0 }
        tasks[1].cancel()
        // The stream of events has ended: the log has all of them when this returns.
        await tasks[0].value
        watch.clear()
        let statistics = broadcast.statistics.sorted { $0.key < $1.key }
        let outcome = PublishOutcome(
            failed: statistics.count { $0.value.failure != nil }, of: statistics.count, hasInputFailed: error != nil,
            signalStatus: interruption.hasHappened ? Interruption.exitCode : nil)
        let given = progress.given
        let video = if case .encoded(let choice) = plan.pictures { choice.codec.rawValue } else { "copied" }
        return PublishReport(
            input: "\(plan.input)", video: video, sound: "\(plan.sound)", pictures: given.pictures,
            mediaSeconds: given.seconds, wallSeconds: 0, cpuSeconds: 0, status: outcome.status,
            error: error.map { "\($0)" }, notes: log.notes,
            outputs: statistics.map { id, statistics in
                PublishReport.Output(statistics, drops: log.drops(of: id), files: log.files(of: id))
            })
    }
}
