// SPDX-License-Identifier: MIT

import Logging

/// Everything between a submitted frame and its encoded frame, in the order it happens: the settings in force, and one
/// encoder's run after the other; knows no threads.
///
/// The session's thread holds the only one. Opens its encoder on the first frame, or when asked to prepare; opens
/// another after the old one was flushed.
struct EncodePipeline: ~Copyable {
    /// Takes what became of a frame; throws when the session was ended meanwhile.
    typealias Emit = (EncodedFrame) throws(EncoderError) -> Void

    let backend: any EncoderBackend
    let description: EncoderDescription
    let logger: Logger
    /// Kinds of pictures that the encoder may read where they are: an array, since each picture is looked up.
    private let directKinds: [PixelBuffer.Kind]
    var inForce: SettingsInForce
    var encoderAdjustments: [Adjustment] = []
    var watch: StreamWatch
    var limits: LimitPlanner
    var bitRate: BitRateMeter
    /// Whether ``tell(_:)`` has more to tell than the last time.
    var hasMeasures = false
    /// Pictures that a data-rate limit had no room for, and those that the encoder was given after them: to be encoded
    /// again.
    var rejected: [FrameTickets.Ticket] = []
    /// Whether what the open encoder gives out refers to a picture that did not leave.
    var isSpoiled = false
    /// What pictures that come out may refer to.
    var reference = Reference.complete
    /// Coded frames that leave once those inside that are shown before them have come out.
    var held = HeldFrames()
    /// The latest presentation time of a frame that left.
    var lastShown: MediaTime?
    /// Pictures that came out, of which some are measured.
    var measured = 0
    /// Reads quantizers of pictures of the last format; nil before the first.
    var quantizers: QuantizerReader?
    var hasWarnedOfDrop = false
    let transfer: GivenTransfer?
    /// Makes the pictures that the transfer fills, where the encoder has no pool of its own.
    var transferPool: PixelBufferPool?

    /// The open encoder; nil before the first, and after one that was flushed and does not go on.
    var run: EncoderRun?
    var paceRestarts = PaceRestarts()
    var timestamps: DecodeTimestamps?
    var rateClock = RateClock()
    /// Decode times on the clock of rate control; nil as long as that is the presentation times'.
    var rateTimestamps: DecodeTimestamps?
    /// The time of the frame at hand on that clock.
    private var rateTime = MediaTime.zero
    var assembler: AccessUnitAssembler
    var keyFrames: KeyFramePlanner
    var buffer: BufferTracker?
    var clock = EncoderClock()
    /// Encoders opened in place of others, by the reason.
    private(set) var restarts: [SessionStatistics.RestartReason: Int] = [:]
    /// Live parameters that the encoder was opened with whose parameter sets are in force.
    var formatLive: LiveParameters?
    /// The id of the first picture of the next run: ids count all pictures that encoders were given.
    var nextID = 0

    /// Makes a pipeline; `inForce` is what the configuration became for this encoder.
    init(
        backend: any EncoderBackend, description: EncoderDescription, inForce: SettingsInForce,
        transfer: GivenTransfer? = nil, unitMemory: UnitMemory = .array, logger: Logger
    ) {
        self.transfer = transfer
        self.backend = backend
        self.description = description
        directKinds = Array(description.capabilities.directPictureKinds)
        self.inForce = inForce
        self.logger = logger
        let (configuration, settings) = (inForce.configuration, inForce.settings)
        watch = StreamWatch(live: configuration.live, logger: logger)
        buffer = settings.live.rate.buffer.map {
            BufferTracker(model: $0, start: StreamPosition(startOf: configuration.live))
        }
        limits = LimitPlanner(
            limits: configuration.live.dataRateLimits,
            coarsest: Self.coarsest(configuration.live, description.capabilities),
            trustsBucket: Self.trustsBucket(configuration, settings, description))
        bitRate = BitRateMeter(asked: configuration.live.rateControl.bitsPerSecond)
        assembler = AccessUnitAssembler(configuration: configuration, memory: unitMemory)
        keyFrames = KeyFramePlanner(settings.live)
    }

    /// Whether ``settings`` or ``adjustments`` changed with a frame since this was set to false.
    var hasNews = false
    /// Why the pipeline cannot go on: the running encoder threw, so that nothing is known of its state.
    var failure: EncoderError? { run?.failure }
    /// The frame that no encoder could be opened for.
    private var unopened: SubmittedFrame?
    /// What showed while frames were encoded; stays when the settings change.
    private var frameAdjustments: [Adjustment] = []

    /// How the session differs from its configuration, as far as is known.
    var adjustments: [Adjustment] {
        (inForce.adjustments + encoderAdjustments + frameAdjustments + watch.adjustments)
            .filter { $0.requested != $0.used }
    }

    /// The live settings in force.
    var live: LiveSettings { inForce.configuration.live }

    /// The settings in the encoder's terms.
    var settings: ResolvedSettings { inForce.settings }

    // MARK: - Runs

    /// Goes on with an encoder that was just opened.
    ///
    /// - Parameters:
    ///   - run: The encoder.
    ///   - reason: Why it takes the place of another, which does not count for the first of a stream.
    mutating func begin(_ run: EncoderRun, replacingFor reason: SessionStatistics.RestartReason) {
        self.run = run
        if assembler.format != nil { restarts[reason, default: 0] += 1 }
    }

    /// Closes the encoder without flushing it.
    mutating func close() {
        if let run { nextID = run.nextID }
        run = nil
    }

    /// Gives everything inside to `emit`; where the encoder does not go on, the next frame opens another and is a key
    /// frame.
    mutating func flush(emit: Emit) throws(EncoderError) {
        while let run {
            let outcome = try run.flush { (output) throws(EncoderError) in try deliver(output, of: run, to: emit) }
            if isSpoiled {
                try encodeAgain(emit: emit)
            } else if outcome.takesMore {
                if outcome.needsKeyFrame { keyFrames.forceNext() }
                return
            } else {
                close()
            }
        }
    }

    /// Closes the encoder; the frames inside come out as dropped for `error`.
    ///
    /// One that hangs may take as long to close, for which nobody is kept waiting: it stays open as long as the
    /// pipeline.
    mutating func abandon(_ error: EncoderError, emit: Emit) throws(EncoderError) {
        let inside = (rejected + (run?.takeOutAll() ?? [])).map(\.frame) + (unopened.map { [$0] } ?? [])
        if error.code != .timedOut { close() }
        (unopened, rejected, isSpoiled) = (nil, [], false)
        try release(to: emit)
        for frame in inside { try emit(frame.dropped(.failed(error))) }
    }

    // MARK: - Encoding

    /// Encodes one frame; what is ready goes to `emit`.
    ///
    /// After a throw the pipeline cannot go on; the frame comes out when it is abandoned.
    mutating func encode(_ picture: PixelBuffer, of frame: SubmittedFrame, emit: Emit) throws(EncoderError) {
        if let transfer = transfer?.transfer(for: picture, to: inForce.configuration.source) {
            let filled: PixelBuffer
            do throws(EncoderError) { filled = try fill(from: picture, of: frame, by: transfer) } catch {
                return try refuse(frame, error, emit: emit)
            }
            return try encodeAsItIs(filled, of: frame, emit: emit)
        }
        try encodeAsItIs(picture, of: frame, emit: emit)
    }

    /// Encodes a picture of the size and format that are taken.
    private mutating func encodeAsItIs(
        _ picture: PixelBuffer, of frame: SubmittedFrame, emit: Emit
    ) throws(EncoderError) {
        guard picture.kind == .memory else { return try encodeFromDevice(picture, of: frame, emit: emit) }
        if let error = inForce.configuration.source.mismatch(of: picture, without: nil) ?? illegalSample(in: picture) {
            return try refuse(frame, error, emit: emit)
        }
        try encode(picture, of: frame, in: try open(for: frame, emit: emit), emit: emit)
    }

    /// Encodes a picture that is not in memory: as it is where the encoder reads it, else mapped.
    private mutating func encodeFromDevice(
        _ picture: PixelBuffer, of frame: SubmittedFrame, emit: Emit
    ) throws(EncoderError) {
        if let error = inForce.configuration.source.mismatch(of: picture, without: nil) {
            return try refuse(frame, error, emit: emit)
        }
        // Only an open encoder knows whether it reads one of a kind that it takes; all others are mapped before.
        var run: EncoderRun?
        if directKinds.contains(picture.kind) {
            let open = try open(for: frame, emit: emit)
            if open.reads(picture) { return try encode(picture, of: frame, in: open, emit: emit) }
            run = open
        }
        let mapped: PixelBuffer
        do throws(EncoderError) {
            mapped = try picture.mapped()
            if let error = illegalSample(in: mapped) { throw error }
        } catch {
            return try refuse(frame, error, emit: emit)
        }
        note(
            Adjustment(
                .pixelFormat, requested: "\(picture.format) in a \(picture.kind)", used: "mapped into memory",
                reason: "\(description.displayName) does not read it where it is"))
        let taker = if let run { run } else { try open(for: frame, emit: emit) }
        try encode(mapped, of: frame, in: taker, emit: emit)
    }

    /// Why an encoder that needs legal samples must not see a picture.
    private func illegalSample(in picture: PixelBuffer) -> EncoderError? {
        description.capabilities.needsLegalSamples ? picture.illegalSample : nil
    }

    /// Ends a frame whose picture no encoder may see, so that it takes part in nothing that follows.
    private mutating func refuse(_ frame: SubmittedFrame, _ error: EncoderError, emit: Emit) throws(EncoderError) {
        if frame.options.forceKeyFrame { keyFrames.forceNext() }
        try emit(frame.dropped(.failed(error)))
    }

    /// The encoder for a frame.
    private mutating func open(for frame: SubmittedFrame, emit: Emit) throws(EncoderError) -> EncoderRun {
        do throws(EncoderError) {
            try begin(with: frame)
            // What this flushes are the frames before.
            rateTime = rateTime(of: frame)
            try follow(rateTime, emit: emit)
            return try prepare()
        } catch {
            unopened = frame
            throw error
        }
    }

    private mutating func encode(
        _ picture: PixelBuffer, of frame: SubmittedFrame, in run: EncoderRun, emit: Emit
    ) throws(EncoderError) {
        let isForced = keyFrames.mustForce(run.nextID, at: frame.time, requested: frame.options.forceKeyFrame)
        if run.isMisaligned(picture) {
            note(
                Adjustment(
                    .pixelFormat, requested: "\(picture.format) with samples at odd addresses",
                    used: "an aligned copy", reason: "encoders take whole samples"))
        }
        timestamps?.submit(frame.time)
        rateTimestamps?.submit(rateTime)
        held.place?.submit(frame.time, rateTime: rateTime, followsDurations: rateTimestamps != nil)
        var ticket = FrameTickets.Ticket(
            frame: frame, isForced: isForced,
            ticks: clock.ticks(of: rateTime, timescale: inForce.settings.plan.timescale), rateTime: rateTime,
            era: limits.era)
        if limits.hasLifted { forgetLiftedLimits() }
        if limits.hasLimits { prepare(&ticket, of: picture, for: run) }
        try run.encode(picture, as: ticket) { (output) throws(EncoderError) in
            try deliver(output, of: run, to: emit)
        }
        if isSpoiled { try encodeAgain(emit: emit) }
        guard let most = inForce.settings.request.maxFrameDelayCount else { return }
        // Another encoder may have taken this one's place.
        while let run = self.run {
            try run.collect(downTo: most) { (output) throws(EncoderError) in try deliver(output, of: run, to: emit) }
            guard isSpoiled else { return }
            try encodeAgain(emit: emit)
        }
    }

    // MARK: - Waiting

    /// How much the encoder has in flight.
    var load: EncoderLoad { run?.load ?? .idle }

    /// Whether a frame up to `time`, or any, has not come out.
    func holds(through time: MediaTime?) -> Bool { run?.holds(through: time) ?? false }

    /// Waits for the next picture in flight; what is ready goes to `emit`.
    mutating func collect(emit: Emit) throws(EncoderError) {
        guard let run else { return }
        try run.collect { (output) throws(EncoderError) in try deliver(output, of: run, to: emit) }
        if isSpoiled { try encodeAgain(emit: emit) }
    }

    /// Collects what is in flight until no frame up to `time` is inside, or nothing more comes out without another.
    mutating func collect(through time: MediaTime?, emit: Emit) throws(EncoderError) {
        while let run {
            try run.collect(through: time) { (output) throws(EncoderError) in try deliver(output, of: run, to: emit) }
            guard isSpoiled else { return }
            try encodeAgain(emit: emit)
        }
    }

    // MARK: - Notes

    /// Lists what differs from the configuration in place of what it says already, and logs it the first time.
    private mutating func note(_ adjustment: Adjustment) {
        guard !frameAdjustments.contains(adjustment) else { return }
        let count = frameAdjustments.count
        frameAdjustments.removeAll { $0.setting == adjustment.setting && $0.requested == adjustment.requested }
        if frameAdjustments.count == count { logger.warning("\(adjustment)") }
        frameAdjustments.append(adjustment)
        hasNews = true
    }

    // MARK: - Output

    mutating func deliver(
        _ output: borrowing EncoderOutput, of run: EncoderRun, to emit: Emit
    ) throws(EncoderError) {
        switch output {
        case .coded(let picture):
            let ticket = try run.takeOut(picture.id)
            guard !isSpoiled else { return rejected.append(ticket) }
            // A limit may have been lifted since a picture was dropped for it, or since others wait for this one.
            let isBound = limits.hasLimits || !reference.isComplete || !held.isEmpty
            if isBound { assembler.setMark() }
            let unit: AccessUnit
            do throws(EncoderError) {
                unit = try assembler.assemble(picture)
            } catch {
                return try drop(ticket, picture.id, .failed(error), to: emit)
            }
            try deliver(unit, of: ticket, picture.id, isBound: isBound, to: emit)
        case .dropped(let id, let reason):
            let ticket = try run.takeOut(id)
            if isSpoiled { return rejected.append(ticket) }
            try drop(ticket, id, reason.leavingSession, to: emit)
        }
    }

    private mutating func deliver(
        _ unit: consuming AccessUnit, of ticket: FrameTickets.Ticket, _ id: Int, isBound: Bool, to emit: Emit
    ) throws(EncoderError) {
        let frame = ticket.frame
        let decodeTime = timestamps?.upcoming(frameDuration: inForce.pace.frameDuration) ?? frame.time
        guard decodeTime <= frame.time else {
            let isTooDense = timestamps.map { $0.missing > 0 } ?? false
            let error = EncoderError(
                .backendFailure,
                reason: isTooDense
                    ? "frames up to \(frame.time) lie too close for decode times between them, which reordering needs"
                    : "\(description.displayName) gave the frame of \(frame.time) later than its reorder depth of "
                        + "\(run?.encoder.reorderDepth ?? 0) allows", endsSession: true)
            try emit(frame.dropped(.failed(error)))
            throw error
        }
        let rateTime = rateTimestamps?.upcoming(frameDuration: inForce.pace.frameDuration) ?? decodeTime
        if isBound, try !passes(unit, of: ticket, id, at: rateTime, to: emit) { return }
        if isBound {
            let encoded = EncodedFrame(copy unit, of: ticket, decodeTime: decodeTime)
            return try hold(encoded, unit, of: ticket, id, at: rateTime, to: emit)
        }
        takeDecodeTime()
        note(unit, id, of: ticket, at: rateTime)
        try emit(EncodedFrame(consume unit, of: ticket, decodeTime: decodeTime))
    }

    /// Learns from a coded picture that leaves.
    mutating func note(_ unit: AccessUnit, _ id: Int, of ticket: FrameTickets.Ticket, at rateTime: MediaTime) {
        if unit.isSync || (unit.isPartialSync && inForce.settings.request.allowOpenGOP) {
            keyFrames.noteSync(id, at: ticket.frame.time)
        }
        measure(unit.byteCount, of: ticket, id)
        buffer?.remove(bytes: unit.byteCount, at: rateTime)
    }

    /// Counts what a frame that is over takes of the bit rate.
    private mutating func measure(_ bytes: Int, of ticket: FrameTickets.Ticket, _ id: Int) {
        bitRate.note(
            bytes: bytes, of: id, at: ticket.rateTime,
            for: ticket.frame.duration ?? inForce.pace.frameDuration)
        hasMeasures = true
    }

    /// Tells what was measured of the stream so far.
    mutating func tell(_ statistics: inout SessionStatistics) {
        hasMeasures = false
        statistics.bitRate = bitRate.outcome
        guard limits.hasNewPeaks else { return }
        limits.hasNewPeaks = false
        statistics.windowPeaks = limits.peaks
    }

    /// Ends a frame that is not in the stream; `isTimeTaken` says that it had its decode time all the same.
    mutating func drop(
        _ ticket: FrameTickets.Ticket, _ id: Int, _ reason: EncodedFrame.DropReason, isTimeTaken: Bool = false,
        to emit: Emit
    ) throws(EncoderError) {
        measure(0, of: ticket, id)
        if !isTimeTaken, let index = timestamps?.skip(ticket.frame.time) { rateTimestamps?.skip(at: index) }
        held.place?.skip(ticket.frame.time)
        // Pictures that refer to a lost one cannot be shown, so a new start follows as soon as may be. One that rate
        // control left out was never coded: the encoder goes on from the one before.
        if reason != .rateControl || ticket.isForced { keyFrames.makeUp(for: id) }
        try emit(ticket.frame.dropped(reason))
        if !held.isEmpty { try releaseIfComplete(to: emit) }
    }
}
