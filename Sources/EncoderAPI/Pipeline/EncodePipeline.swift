// SPDX-License-Identifier: MIT

import Logging

/// Everything between a submitted frame and its encoded frame, in the order it happens; knows no threads.
///
/// Confined to the session's thread. Opens its encoder on the first frame, or when asked to prepare; opens another after
/// the old one was drained.
final class EncodePipeline {
    typealias Emit = (EncodedFrame) -> Void

    private let backend: any EncoderBackend
    private let capabilities: EncoderCapabilities
    private let logger: Logger
    private var configuration: SessionConfiguration
    private(set) var settings: ResolvedSettings
    private var resolverAdjustments: [Adjustment]
    private var encoderAdjustments: [Adjustment] = []

    private var encoder: (any FrameEncoder)?
    private var timestamps: DecodeTimestamps?
    private var assembler: AccessUnitAssembler
    private var keyFrames: KeyFramePlanner
    private var buffer: BufferTracker?
    private let isDirect: Bool
    private let converter: PictureConverter
    /// The settings before ``prepare()`` assumed what only the first frame can tell.
    private var unprepared: ResolvedSettings?
    private var clock = EncoderClock()
    private var tickets = FrameTickets()
    /// That of the last picture in the stream.
    private var idrPicID: Int?

    /// Makes a pipeline; `resolution` is what the configuration became for this encoder.
    init(
        backend: any EncoderBackend, capabilities: EncoderCapabilities, configuration: SessionConfiguration,
        resolution: (settings: ResolvedSettings, adjustments: [Adjustment]), logger: Logger
    ) throws(EncoderError) {
        self.backend = backend
        self.capabilities = capabilities
        self.configuration = configuration
        self.logger = logger
        settings = resolution.settings
        resolverAdjustments = resolution.adjustments
        buffer = settings.rate.buffer.map(BufferTracker.init)
        assembler = AccessUnitAssembler(configuration: configuration)
        keyFrames = KeyFramePlanner(maxIntervalDuration: configuration.maxKeyFrameIntervalDuration)
        isDirect =
            settings.pixelFormat == configuration.pixelFormat && settings.codedWidth == configuration.width
            && settings.codedHeight == configuration.height
        converter = try PictureConverter(
            format: settings.pixelFormat, width: settings.codedWidth, height: settings.codedHeight)
    }

    /// Whether ``settings`` or ``adjustments`` changed with a frame since this was set to false.
    var hasNews = false

    /// How the session differs from its configuration, as far as is known.
    var adjustments: [Adjustment] { resolverAdjustments + encoderAdjustments }

    /// The live settings in force.
    var live: LiveSettings { configuration.live }

    /// Whether a frame up to `time`, or any, has not come out.
    func holds(through time: MediaTime?) -> Bool {
        tickets.contains { frame in time.map { frame.time <= $0 } ?? true }
    }

    // MARK: - Encoding

    /// Opens the encoder if none is open.
    func prepare() throws(EncoderError) {
        guard encoder == nil else { return }
        let resolved = settings
        try open(for: nil)
        if tickets.isUnused { unprepared = resolved }
    }

    /// Encodes one frame; what is ready goes to `emit`.
    func encode(_ frame: SubmittedFrame, emit: Emit) throws(EncoderError) {
        openAgain(for: frame)
        try open(for: frame)
        guard let encoder else { return }
        if let error = frame.picture.illegalSample {
            return refuse(frame, error, to: emit)
        }
        let source = SourcePicture(
            id: tickets.add(frame), pixelBuffer: try converted(frame.picture),
            ticks: clock.ticks(of: frame.time, timescale: settings.timescale),
            forceKeyFrame: keyFrames.mustForce(at: frame.time, requested: frame.options.forceKeyFrame))
        timestamps?.submit(frame.time)
        try encoder.encode(source) { output in deliver(output, to: emit) }
    }

    /// Gives everything inside to `emit`; the next frame opens an encoder anew and is a key frame.
    func drain(emit: Emit) throws(EncoderError) {
        guard let encoder else { return }
        try encoder.drain { output in deliver(output, to: emit) }
        self.encoder = nil
    }

    /// Changes the live settings; on a throw nothing has changed.
    func update(_ live: LiveSettings, emit: Emit) throws(EncoderError) -> UpdateOutcome {
        guard live != configuration.live else { return .unchanged }
        var changed = configuration
        changed.live = live
        var resolver = SettingsResolver(configuration: changed, capabilities: capabilities)
        var next = try resolver.resolve()
        let resolved = next
        next.timescale = settings.timescale
        if !next.isFrameRateKnown {
            (next.frameRate, next.isFrameRateKnown) = (settings.frameRate, settings.isFrameRateKnown)
        }
        var complete = next
        clock.complete(&complete, from: nil)
        try backend.check(complete)
        let isLive = try encoder?.update(next) ?? true
        if !isLive { try drain(emit: emit) }
        configuration = changed
        settings = next
        if unprepared != nil { unprepared = resolved }
        resolverAdjustments = resolver.adjustments
        encoderAdjustments = encoder?.adjustments ?? []
        followBuffer(next.rate.buffer)
        return isLive ? .applied : .restarted(formatMayChange: next.level == nil)
    }

    /// Closes the encoder without draining it.
    func close() {
        encoder = nil
        tickets.removeAll()
    }

    /// Ends a frame that no encoder may see.
    private func refuse(_ frame: SubmittedFrame, _ error: EncoderError, to emit: Emit) {
        if frame.options.forceKeyFrame { keyFrames.forceNext() }
        timestamps?.submit(frame.time)
        event(id: tickets.add(frame), outcome: .dropped(.failed(error)), to: emit)
    }

    private func converted(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        if isDirect, picture.isSampleAligned { return picture }
        if isDirect { noteMisalignment(picture) }
        return try converter.convert(picture)
    }

    private func noteMisalignment(_ picture: PixelBuffer) {
        let adjustment = Adjustment(
            .pixelFormat, requested: "\(picture.format) with samples at odd addresses", used: "an aligned copy",
            reason: "encoders take whole samples")
        guard !resolverAdjustments.contains(adjustment) else { return }
        resolverAdjustments.append(adjustment)
        hasNews = true
    }

    // MARK: - Opening

    /// Closes an encoder that was prepared for another frame rate than the first frame tells.
    private func openAgain(for frame: SubmittedFrame) {
        guard var next = unprepared else { return }
        unprepared = nil
        clock.complete(&next, from: frame)
        guard next.frameRate != settings.frameRate else { return }
        encoder = nil
        settings = next
    }

    private func open(for frame: SubmittedFrame?) throws(EncoderError) {
        guard encoder == nil else { return }
        clock.complete(&settings, from: frame)
        var opening = settings
        if let buffer { opening.rate.buffer = buffer.resumed }
        opening.precedingIDRPicID = idrPicID
        let encoder = try backend.makeEncoder(opening, logger: logger)
        self.encoder = encoder
        hasNews = true
        encoderAdjustments = encoder.adjustments
        // Decode times must go on without a jump, so a later encoder keeps the first one's reorder depth.
        timestamps = timestamps ?? DecodeTimestamps(reorderDepth: encoder.reorderDepth)
    }

    private func followBuffer(_ model: BufferModel?) {
        guard let model, buffer != nil else {
            buffer = model.map(BufferTracker.init)
            return
        }
        buffer?.change(to: model)
    }

    // MARK: - Output

    private func deliver(_ output: borrowing EncoderOutput, to emit: Emit) {
        switch output {
        case .coded(let picture): deliver(picture, to: emit)
        case .dropped(let id, let reason):
            keyFrames.forceNext()
            event(id: id, outcome: .dropped(reason), to: emit)
        }
    }

    private func deliver(_ picture: CodedPicture, to emit: Emit) {
        do throws(EncoderError) {
            let unit = try assembler.assemble(picture)
            idrPicID = picture.idrPicID
            event(id: picture.id, outcome: .encoded(unit), to: emit)
        } catch {
            // Pictures that refer to the lost one cannot be shown, so a new start follows as soon as may be.
            keyFrames.forceNext()
            event(id: picture.id, outcome: .dropped(.failed(error)), to: emit)
        }
    }

    private func event(id: Int, outcome: EncodedFrame.Outcome, to emit: Emit) {
        guard let frame = tickets.remove(id: id) else {
            preconditionFailure("\(capabilities.identifier) gave picture \(id), which is not inside it")
        }
        let decodeTime = timestamps?.next(frameDuration: clock.frameDuration(settings)) ?? frame.time
        if case .encoded(let unit) = outcome {
            if unit.isSync { keyFrames.noteSync(at: frame.time) }
            buffer?.remove(bytes: unit.data.count, at: decodeTime)
        }
        emit(
            EncodedFrame(
                outcome: outcome, presentationTime: frame.time, decodeTime: decodeTime, duration: frame.duration,
                token: frame.options.token))
    }
}
