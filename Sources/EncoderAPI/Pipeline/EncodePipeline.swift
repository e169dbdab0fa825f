// SPDX-License-Identifier: MIT

import Logging

/// Everything between a submitted frame and its encoded frame, in the order it happens; knows no threads.
///
/// Confined to the session's thread. Opens its encoder on the first frame, or when asked to prepare; opens another after
/// the old one was flushed.
final class EncodePipeline {
    /// Takes what became of a frame; throws when the session was ended meanwhile.
    typealias Emit = (EncodedFrame) throws(EncoderError) -> Void

    let backend: any EncoderBackend
    let description: EncoderDescription
    let logger: Logger
    var inForce: SettingsInForce
    var encoderAdjustments: [Adjustment] = []
    var watch: StreamWatch

    var encoder: (any FrameEncoder)?
    var paceRestarts = PaceRestarts()
    var timestamps: DecodeTimestamps?
    var assembler: AccessUnitAssembler
    var keyFrames: KeyFramePlanner
    var buffer: BufferTracker?
    private let isDirect: Bool
    private let converter: PictureConverter
    var clock = EncoderClock()
    private var tickets = FrameTickets()

    /// Makes a pipeline; `inForce` is what the configuration became for this encoder.
    init(
        backend: any EncoderBackend, description: EncoderDescription, inForce: SettingsInForce, logger: Logger
    ) throws(EncoderError) {
        self.backend = backend
        self.description = description
        self.inForce = inForce
        self.logger = logger
        let (configuration, settings) = (inForce.configuration, inForce.settings)
        let picture = settings.picture
        watch = StreamWatch(live: configuration.live, logger: logger)
        buffer = settings.live.rate.buffer.map(BufferTracker.init)
        assembler = AccessUnitAssembler(configuration: configuration)
        keyFrames = KeyFramePlanner(settings.live)
        isDirect =
            picture.pixelFormat == configuration.pixelFormat && picture.codedWidth == configuration.width
            && picture.codedHeight == configuration.height
        converter = try PictureConverter(
            format: picture.pixelFormat, width: picture.codedWidth, height: picture.codedHeight)
    }

    /// Whether ``settings`` or ``adjustments`` changed with a frame since this was set to false.
    var hasNews = false
    /// Why the pipeline cannot go on: the running encoder threw, so that nothing is known of its state.
    private(set) var failure: EncoderError?
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

    /// Whether a frame up to `time`, or any, has not come out.
    func holds(through time: MediaTime?) -> Bool {
        tickets.contains { frame in time.map { frame.time <= $0 } ?? true }
    }

    // MARK: - Encoding

    /// Encodes one frame; what is ready goes to `emit`.
    ///
    /// After a throw the pipeline cannot go on; the frame comes out when it is abandoned.
    func encode(_ picture: PixelBuffer, of frame: SubmittedFrame, emit: Emit) throws(EncoderError) {
        if let error = picture.illegalSample {
            // No encoder may see the picture, so it takes part in nothing that follows.
            if frame.options.forceKeyFrame { keyFrames.forceNext() }
            return try emit(frame.dropped(.failed(error)))
        }
        do throws(EncoderError) {
            try begin(with: frame)
            // What this flushes are the frames before.
            try follow(frame.time, emit: emit)
            try prepare()
        } catch {
            _ = tickets.add(frame, isForced: false)
            throw error
        }
        let isForced = keyFrames.mustForce(
            tickets.nextID, at: frame.time, requested: frame.options.forceKeyFrame)
        let id = tickets.add(frame, isForced: isForced)
        guard let encoder else { return }
        let source = SourcePicture(
            id: id, pixelBuffer: try converted(picture),
            ticks: clock.ticks(of: frame.time, timescale: inForce.settings.plan.timescale), forceKeyFrame: isForced)
        timestamps?.submit(frame.time)
        try running { () throws(EncoderError) in
            try encoder.encode(source) { (output) throws(EncoderError) in try deliver(output, to: emit) }
        }
        guard let most = inForce.settings.request.maxFrameDelayCount else { return }
        while tickets.count > most, encoder.inFlight > 0 { try collect(emit: emit) }
    }

    // MARK: - Waiting

    /// What the encoder has in flight.
    var load: EncoderLoad {
        guard let encoder else { return .idle }
        let inFlight = encoder.inFlight
        guard inFlight > 0 else { return .idle }
        return inFlight < encoder.depth ? .busy : .full
    }

    /// Waits for the next picture in flight; what is ready goes to `emit`.
    ///
    /// - Throws: ``EncoderError``, `.timedOut` when none comes out for as long as the encoder says it may take.
    func collect(emit: Emit) throws(EncoderError) {
        guard let encoder else { return }
        let deadline = ContinuousClock.now + encoder.patience
        let before = tickets.count
        try running { () throws(EncoderError) in
            while tickets.count == before, encoder.inFlight > 0 {
                guard ContinuousClock.now < deadline else { throw lateness(of: encoder) }
                try encoder.collect(until: deadline) { (output) throws(EncoderError) in try deliver(output, to: emit) }
            }
        }
    }

    private func lateness(of encoder: any FrameEncoder) -> EncoderError {
        let oldest = tickets.oldestID.map { "picture \($0), the oldest inside," } ?? "none of the pictures given"
        return EncoderError(
            .timedOut,
            reason:
                "\(description.displayName) has \(encoder.inFlight) pictures in flight, and \(oldest) did not come out "
                + "within \(encoder.patience)")
    }

    /// Collects what is in flight until no frame up to `time` is inside, or nothing more comes out without another.
    func collect(through time: MediaTime?, emit: Emit) throws(EncoderError) {
        while holds(through: time), load != .idle { try collect(emit: emit) }
    }

    /// Gives everything inside to `emit`; where the encoder does not go on, the next frame opens another and is a key frame.
    func flush(emit: Emit) throws(EncoderError) {
        guard let encoder else { return }
        let outcome = try running { () throws(EncoderError) in
            try encoder.flush { (output) throws(EncoderError) in try deliver(output, to: emit) }
        }
        try collect(through: nil, emit: emit)
        try running { () throws(EncoderError) in
            guard tickets.count == 0 else {
                throw EncoderError(
                    .backendFailure,
                    reason:
                        "\(description.displayName) was flushed and still holds \(tickets.count) of the pictures given"
                )
            }
        }
        if !outcome.takesMore { self.encoder = nil } else if outcome.needsKeyFrame { keyFrames.forceNext() }
    }

    /// Calls into the running encoder.
    ///
    /// One that throws is in an unknown state and may have lost pictures, so the pipeline ends with it.
    func running<Value>(_ call: () throws(EncoderError) -> Value) throws(EncoderError) -> Value {
        do throws(EncoderError) {
            return try call()
        } catch {
            failure = error
            throw error
        }
    }

    /// Closes the encoder; the frames inside come out as dropped for `error`.
    func abandon(_ error: EncoderError, emit: Emit) throws(EncoderError) {
        encoder = nil
        for frame in tickets.removeAll() { try emit(frame.dropped(.failed(error))) }
    }

    /// Closes the encoder without flushing it.
    func close() { encoder = nil }

    private func converted(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        if isDirect, picture.isSampleAligned, picture.isReadableInVectors { return picture }
        if isDirect, !picture.isSampleAligned { noteMisalignment(picture) }
        return try converter.convert(picture)
    }

    private func noteMisalignment(_ picture: PixelBuffer) {
        note(
            Adjustment(
                .pixelFormat, requested: "\(picture.format) with samples at odd addresses", used: "an aligned copy",
                reason: "encoders take whole samples"))
    }

    /// Lists what differs from the configuration in place of what it says already, and logs it the first time.
    private func note(_ adjustment: Adjustment) {
        guard !frameAdjustments.contains(adjustment) else { return }
        let count = frameAdjustments.count
        frameAdjustments.removeAll { $0.setting == adjustment.setting && $0.requested == adjustment.requested }
        if frameAdjustments.count == count { logger.warning("\(adjustment)") }
        frameAdjustments.append(adjustment)
        hasNews = true
    }

    // MARK: - Output

    private func deliver(_ output: borrowing EncoderOutput, to emit: Emit) throws(EncoderError) {
        switch output {
        case .coded(let picture):
            let ticket = try ticket(picture.id)
            let unit: AccessUnit
            do throws(EncoderError) {
                unit = try assembler.assemble(picture)
            } catch {
                return try drop(ticket, picture.id, .failed(error), to: emit)
            }
            try deliver(unit, of: ticket.frame, picture.id, to: emit)
        case .dropped(let id, let reason):
            try drop(try ticket(id), id, reason, to: emit)
        }
    }

    private func ticket(_ id: Int) throws(EncoderError) -> FrameTickets.Ticket {
        if let ticket = tickets.remove(id: id) { return ticket }
        throw EncoderError(
            .backendFailure, reason: "\(description.displayName) gave picture \(id), which is not inside it")
    }

    private func deliver(
        _ unit: AccessUnit, of frame: SubmittedFrame, _ id: Int, to emit: Emit
    ) throws(EncoderError) {
        let decodeTime = timestamps?.next(frameDuration: inForce.pace.frameDuration) ?? frame.time
        guard decodeTime <= frame.time else {
            let error = EncoderError(
                .backendFailure,
                reason: "\(description.displayName) gave the frame of \(frame.time) later than its reorder depth of "
                    + "\(encoder?.reorderDepth ?? 0) allows")
            try emit(frame.dropped(.failed(error)))
            throw error
        }
        if unit.isSync || (unit.isPartialSync && inForce.settings.request.allowOpenGOP) {
            keyFrames.noteSync(id, at: frame.time)
        }
        buffer?.remove(bytes: unit.data.count, at: decodeTime)
        if watch.noteOutput(bytes: unit.data.count, at: decodeTime) { hasNews = true }
        try emit(
            EncodedFrame(
                outcome: .encoded(unit), presentationTime: frame.time, decodeTime: decodeTime,
                duration: frame.duration, token: frame.options.token))
    }

    /// Ends a frame that is not in the stream.
    private func drop(
        _ ticket: FrameTickets.Ticket, _ id: Int, _ reason: EncodedFrame.DropReason, to emit: Emit
    ) throws(EncoderError) {
        timestamps?.skip(ticket.frame.time)
        // Pictures that refer to a lost one cannot be shown, so a new start follows as soon as may be. One that rate control
        // left out was never coded: the encoder goes on from the one before.
        if reason != .rateControl || ticket.isForced { keyFrames.makeUp(for: id) }
        try emit(ticket.frame.dropped(reason))
    }
}
