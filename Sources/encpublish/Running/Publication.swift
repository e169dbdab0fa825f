// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing
import Synchronization

/// The broadcasts of a run, one for each encoding, with all that surrounds them here: their events, and progress.
final class Publication: Sendable {
    /// In the order of the plan's encodings; one where pictures are copied.
    let broadcasts: [Broadcast]
    let log: EventLog
    private let plan: PublishPlan
    /// The outputs in the plan's order, the recording last.
    private let places: [EventLog.Place]
    private let interruption: OneShotEvent
    private let progress = PublishRun.Progress()
    private let watch = ProgressWatch()
    private let silence: Mutex<SilenceWatch>
    private let clock: @Sendable () -> Double
    private let eventTasks: Mutex<[Task<Void, Never>]>
    private let ticks: Mutex<Task<Void, Never>?>

    /// Opens the outputs, and begins to tell of them.
    ///
    /// - Parameters:
    ///   - run: Says what there is to do.
    ///   - tracks: All that packets will come of.
    ///   - sound: The format of the sound among them.
    ///   - longestLag: How far sound or pictures of the input may be behind.
    ///   - clock: Seconds that pass, by which an input is found to give nothing.
    ///   - onKeyFrameWanted: Asks the encoder of a broadcast, by its number, for a key frame.
    /// - Throws: ``PublishingError``; ``OptionError`` for an output that cannot take what there is.
    init(
        _ run: PublishRun, tracks: [TrackID], sound: AudioFormat?, longestLag: MediaTime,
        clock: @escaping @Sendable () -> Double = { MonotonicTime.seconds },
        onKeyFrameWanted: @escaping @Sendable (Int) -> Void
    ) throws {
        plan = run.plan
        self.clock = clock
        silence = Mutex(SilenceWatch(now: clock()))
        interruption = run.interruption
        let planned = plan.outputs + [plan.recording?.output].compactMap(\.self)
        let numbers = planned.map { [plan] output in plan.encodings.firstIndex { $0.name == output.encoding } ?? 0 }
        let count = plan.encodings.count
        let counts = (0..<count).map { number in numbers.count { $0 == number } }
        log = EventLog(outputCounts: counts) { [watch] text in watch.tell(text) }
        var broadcasts: [Broadcast] = []
        for number in 0..<count {
            broadcasts.append(
                try Broadcast(
                    tracks: tracks, formats: sound.map { [.audio: .audio($0)] } ?? [:], longestLag: longestLag
                ) { onKeyFrameWanted(number) })
        }
        var places: [EventLog.Place] = []
        for (index, (wish, number)) in zip(planned, numbers).enumerated() {
            do throws(PublishingError) {
                var output = try wish.place.output(run.connections, run.segments, run.plan.rotation)
                if output.container?.hasMatrix == true { output.containerOptions.rotation = run.plan.rotation.rawValue }
                if index == plan.outputs.count, let start = plan.recording?.start {
                    output.start = MediaTime(value: Int64((start * 1000).rounded()), timescale: 1000)
                }
                places.append(.init(broadcast: number, output: try broadcasts[number].add(output)))
            } catch {
                throw Self.refusal(error)
            }
        }
        (self.broadcasts, self.places) = (broadcasts, places)
        eventTasks = Mutex([])
        ticks = Mutex(nil)
        let tasks = broadcasts.enumerated().map { number, broadcast in
            Task { [log] in
                for await event in broadcast.events { log.take(event, of: number) }
            }
        }
        eventTasks.withLock { $0 = tasks }
        let drawing = Task { [weak self] in
            while !Task.isCancelled {
                guard let pause = self?.look() else { return }
                try? await Task.sleep(for: pause)
            }
        }
        ticks.withLock { $0 = drawing }
    }

    /// The error of an output that was refused: of the command line where that is to blame.
    private static func refusal(_ error: PublishingError) -> any Error {
        let isOfCommandLine = error.code == .invalidValue || error.code == .unsupported
        return isOfCommandLine ? OptionError(.unusable, "\(error)") : error
    }

    /// Gives packets to all outputs of the first broadcast; blocks while a file is slow.
    ///
    /// - Parameters:
    ///   - packets: In the order of giving.
    ///   - moreFollows: Whether more packets, or the end, are at hand: a file may have the last bytes with those.
    /// - Throws: What the broadcast throws for one of them.
    func give(_ packets: [MediaPacket], moreFollows: Bool) throws(PublishingError) {
        var taken = 0
        defer { for packet in packets[..<taken] where packet.track == .video { note(packet.presentationTime) } }
        try broadcasts[0].sendBlocking(packets, moreFollows: moreFollows, taken: &taken)
    }

    /// Seconds of pictures that were given so far.
    var givenSeconds: Double { progress.given.seconds }

    /// Tells a person of something.
    func tell(_ text: String) { watch.tell(text) }

    /// Takes notice of a picture that was given to the first broadcast.
    func note(_ time: MediaTime) { progress.give(time) }

    /// Outputs of one broadcast that leave out what they cannot send in time.
    func liveOutputs(of broadcast: Int) -> [OutputID] {
        zip(places, plan.outputs).filter { $0.broadcast == broadcast && $1.place.isAddress }.map(\.0.output)
    }

    private var statistics: [(place: EventLog.Place, statistics: OutputStatistics)] {
        let all = broadcasts.map(\.statistics)
        return places.compactMap { place in all[place.broadcast][place.output].map { (place, $0) } }
    }

    /// Draws a line, tells of an input that gives nothing, and says how long to wait for the next.
    func look() -> Duration {
        let given = progress.given
        if let text = silence.withLock({ $0.look(pictures: given.pictures, now: clock()) }) {
            log.note(text)
        }
        return watch.draw(
            media: given.seconds, pictures: given.pictures,
            places: statistics.map { ProgressText.Place($0.statistics) })
    }

    /// Completes all outputs and puts the report together.
    ///
    /// - Parameters:
    ///   - error: What the input, or everything, failed with; nil for none.
    ///   - encodings: How the pictures were encoded.
    /// - Returns: The report, without the time that the process took.
    func finish(error: (any Error)?, encodings: [PublishReport.Encoding]) async -> PublishReport {
        await withTaskGroup { group in
            for broadcast in broadcasts {
                group.addTask { await broadcast.finish(within: PublishRun.timeToFinish) }
            }
        }
        ticks.withLock { $0 }?.cancel()
        // The streams of events have ended: the log has all of them when this returns.
        for task in eventTasks.withLock({ $0 }) { await task.value }
        watch.clear()
        let statistics = statistics
        let reasons = statistics.enumerated().map { index, output in
            output.statistics.failure ?? nothingWritten(output.statistics, isRecording: index == plan.outputs.count)
        }
        if plan.recording != nil, let last = statistics.last, last.statistics.failure == nil,
            let reason = reasons.last ?? nil
        {
            log.note("\(reason)")
        }
        let failedEncodings = Set(encodings.indices.filter { encodings[$0].error != nil })
        let failed = zip(reasons, statistics).count { $0 != nil || failedEncodings.contains($1.place.broadcast) }
        let outcome = PublishOutcome(
            failed: failed, of: statistics.count, hasInputFailed: error != nil,
            signalStatus: interruption.hasHappened ? Interruption.exitCode : nil)
        let given = progress.given
        return PublishReport(
            input: "\(plan.input)", encodings: encodings, sound: "\(plan.sound)", pictures: given.pictures,
            mediaSeconds: given.seconds, wallSeconds: 0, cpuSeconds: 0, status: outcome.status,
            error: error.map { AddressHiding.hide(in: "\($0)", arguments: Program.arguments) }, notes: log.notes,
            outputs: zip(statistics, reasons).map { output, failure in
                PublishReport.Output(
                    output.statistics, encoding: plan.encodings[output.place.broadcast].name, failure: failure,
                    drops: log.drops(of: output.place), files: log.files(of: output.place))
            })
    }

    /// Why an output that did not fail has nothing in it; nil where it has something.
    private func nothingWritten(_ statistics: OutputStatistics, isRecording: Bool) -> PublishingError? {
        guard statistics.writtenPackets == 0 else { return nil }
        let given = statistics.givenPackets
        var reason = "nothing was written: " + (given == 0 ? "no picture came" : "all \(given) packets were left out")
        if isRecording, let recording = plan.recording, recording.start > 0 {
            reason =
                "nothing recorded, no sync frame from \(Format.shortest(recording.start)) s on: the input was over "
                + "at \(Format.fixed(progress.given.seconds, 1)) s"
        }
        return PublishingError(.timedOut, reason: reason, output: statistics.name)
    }
}

extension Container {
    /// Whether it says by a matrix how pictures are turned.
    fileprivate var hasMatrix: Bool {
        [.mp4, .mov, .fragmentedMP4, .fragmentedMOV].contains(self)
    }
}
