// SPDX-License-Identifier: MIT

public import Logging

/// Encodes a sequence of pictures to H.264 or HEVC: VTCompressionSession for Swift concurrency.
///
/// Give pictures to ``encode(_:at:duration:options:)`` in display order and read ``encodedFrames`` in another task; then
/// ``finish()``. Safe to use from any task; blocking library calls run on a thread that the session owns. Releasing the
/// session ends it as ``invalidate()`` does.
public final class CompressionSession: Sendable {
    /// What the session was made with.
    public let configuration: SessionConfiguration
    /// The encoder it was made with.
    public let encoder: EncoderDescription
    /// Why an ``EncoderSelection`` took no other encoder; empty where the session was made without one.
    public let rejections: [EncoderRejection]
    /// The encoded frames, in decode order; see ``EncodedFrames``.
    public let encodedFrames: EncodedFrames
    private let core: SessionCore
    private let logger: Logger

    /// Makes a session with one encoder of a back end; the encoder opens with the first frame or with ``prepare()``.
    ///
    /// Does not block: who lists encoders, which may, is the caller; see ``EncoderBackend/encoders``.
    ///
    /// - Parameters:
    ///   - configuration: Checked here, against what the encoder can do.
    ///   - encoder: The encoder to use, as the back end listed it.
    ///   - backend: The back end that listed it.
    ///   - logger: Where messages of the session and of the library behind it go.
    /// - Throws: ``EncoderError`` that names the setting, its value and what is legal.
    public convenience init(
        _ configuration: SessionConfiguration, encoder: EncoderDescription, of backend: any EncoderBackend,
        logger: Logger = Logger(label: "EncoderKit")
    ) throws(EncoderError) {
        try self.init(configuration, encoder: encoder, of: backend, rejections: [], logger: logger)
    }

    /// Makes a session with the first encoder for the codec, of a back end that lists its encoders without blocking.
    ///
    /// With any other back end, list its encoders first, or let an ``EncoderSelection`` make the session.
    ///
    /// - Parameters:
    ///   - configuration: As for ``init(_:encoder:of:logger:)``.
    ///   - backend: The back end to use.
    ///   - logger: As for ``init(_:encoder:of:logger:)``.
    /// - Throws: ``EncoderError`` as ``init(_:encoder:of:logger:)``, and with `.noEncoder` where the back end has none.
    public convenience init(
        _ configuration: SessionConfiguration, encoder backend: any ImmediateBackend,
        logger: Logger = Logger(label: "EncoderKit")
    ) throws(EncoderError) {
        let encoder = try backend.first(of: backend.listEncoders(), for: configuration.codec)
        try self.init(configuration, encoder: encoder, of: backend, logger: logger)
    }

    init(
        _ configuration: SessionConfiguration, encoder: EncoderDescription, of backend: any EncoderBackend,
        rejections: [EncoderRejection], logger: Logger
    ) throws(EncoderError) {
        let inForce = try SettingsInForce(configuration: configuration, encoder: encoder)
        try backend.check(inForce.settings, for: encoder)
        core = try SessionCore(inForce) {
            EncodePipeline(backend: backend, description: encoder, inForce: inForce, logger: logger)
        }
        self.configuration = configuration
        self.encoder = encoder
        self.rejections = rejections
        self.logger = logger
        encodedFrames = EncodedFrames(core: core)
    }

    deinit {
        core.end(
            EncoderError(.invalidated, reason: "the session was released before finish()"), discardsFrames: true)
    }
}

// MARK: - What really happens

extension CompressionSession {
    /// How the session differs from its configuration now; complete once the first frame is out or ``prepare()`` returned,
    /// but for what frames show later: limits that the stream breaks, and presentation times that contradict the hint.
    public var adjustments: [Adjustment] { core.adjustments }

    /// The settings in the encoder's terms; complete once the first frame is out or ``prepare()`` returned.
    public var effective: ResolvedSettings { core.settings }

    /// Makes pictures of the format and size that are taken now, and recycles their memory; using it is optional.
    ///
    /// Once ``prepare()`` returned they lie where the encoder reads them without a copy.
    public var pixelBufferPool: PixelBufferPool { core.pixelBufferPool }

    /// Frames given that are neither encoded nor dropped yet; 0 once the session is over.
    public var pendingFrameCount: Int { core.pendingCount }
}

// MARK: - Encoding

extension CompressionSession {
    /// Opens the encoder now rather than with the first frame; calling it again does nothing.
    ///
    /// - Throws: ``EncoderError`` when the encoder does not open; `.cancelled` when the waiting task is cancelled.
    public func prepare() async throws(EncoderError) {
        try await core.perform { pipeline, _ throws(EncoderError) in _ = try pipeline.prepare() }
    }

    /// Queues one picture; its encoded frame arrives later on ``encodedFrames``.
    ///
    /// Suspends while the pipeline is full: until the encoder, and the reader of ``encodedFrames``, have caught up.
    ///
    /// - Parameters:
    ///   - picture: In the configuration's format and size; retained until the encoder has read it, so do not write to its
    ///     memory.
    ///   - time: Presentation time, larger from call to call; any timescale.
    ///   - duration: How long it is shown; given back with the frame. The first frame's stands in for an unknown frame
    ///     rate.
    ///   - options: What goes with this frame.
    /// - Throws: ``EncoderError``: `.outOfOrderTimestamp`, `.invalidPixelBuffer`, `.invalidValue` for a time 2^31 - 1 s or
    ///   more from 0, and what ``FrameOptions/forceKeyFrame`` is refused with (the frame is not taken, the session goes on);
    ///   `.cancelled`, `.readerReleased`, `.invalidState` after ``finish()``, or whatever ended the session.
    public func encode(
        _ picture: PixelBuffer, at time: MediaTime, duration: MediaTime? = nil, options: FrameOptions = FrameOptions()
    ) async throws(EncoderError) {
        try check(time, options)
        let frame = SubmittedFrame(time: time, duration: duration, options: options)
        var number = try core.submit(picture, frame)
        while number == nil {
            warnIfUnread()
            await core.wait(for: .room)
            if Task.isCancelled {
                throw EncoderError(.cancelled, reason: "the encoding task was cancelled; the frame was not taken")
            }
            number = try core.submit(picture, frame)
        }
        guard let number, let held = configuration.maxFrameDelayCount, number > held else { return }
        await core.wait(for: .handled(number))
    }

    /// Queues one picture if there is room, without suspending: for capture callbacks, which must not wait.
    ///
    /// With ``SessionConfiguration/maxFrameDelayCount`` M, frame N is not taken while frame N - 1 - M is not out, unless the
    /// encoder has dealt with frame N - 1 already and nothing more can come out without another.
    ///
    /// - Parameters:
    ///   - picture: As for ``encode(_:at:duration:options:)``.
    ///   - time: As for ``encode(_:at:duration:options:)``.
    ///   - duration: As for ``encode(_:at:duration:options:)``.
    ///   - options: As for ``encode(_:at:duration:options:)``.
    /// - Returns: False when the pipeline is full, or too many frames are inside; the frame is not taken then.
    /// - Throws: ``EncoderError`` as for ``encode(_:at:duration:options:)``.
    public func encodeImmediately(
        _ picture: PixelBuffer, at time: MediaTime, duration: MediaTime? = nil, options: FrameOptions = FrameOptions()
    ) throws(EncoderError) -> Bool {
        try check(time, options)
        let frame = SubmittedFrame(time: time, duration: duration, options: options)
        return try core.submit(picture, frame) != nil
    }

    /// Changes the live settings for the frames that follow; with `.applied` also for those that the encoder holds for its
    /// lookahead.
    ///
    /// - Parameter change: Edits the settings in force.
    /// - Returns: What it took; see ``UpdateOutcome``.
    /// - Throws: ``EncoderError`` for settings that cannot be; the old ones stay in force then. `.cancelled` when the
    ///   waiting task is cancelled; the change is made all the same. Whatever the open encoder throws ends the session.
    @discardableResult
    public func update(
        _ change: @escaping @Sendable (inout LiveSettings) -> Void
    ) async throws(EncoderError) -> UpdateOutcome {
        try await core.perform { pipeline, emit throws(EncoderError) in
            var live = pipeline.live
            change(&live)
            return try pipeline.update(live, emit: emit)
        }
    }

    /// Changes the size or the format of the pictures that follow: those given after the call have the new ones, those
    /// given before it come out as they are.
    ///
    /// The encoder is flushed and another opened, with the settings in force: the next frame is a key frame with another
    /// ``AccessUnit/format``. Times go on.
    ///
    /// - Parameters:
    ///   - width: Luma samples in a row, as for ``SessionConfiguration/width``.
    ///   - height: Luma rows, as for ``SessionConfiguration/height``.
    ///   - pixelFormat: The format of the pictures; nil for the one they have.
    /// - Returns: What it took; see ``UpdateOutcome``.
    /// - Throws: ``EncoderError`` for a size or format that cannot be with the settings; the old ones stay in force then,
    ///   and frames of the new ones that were given meanwhile come out as dropped. `.cancelled` when the waiting task is
    ///   cancelled; the change is made all the same.
    @discardableResult
    public func changePictures(
        width: Int, height: Int, pixelFormat: PixelFormat? = nil
    ) async throws(EncoderError) -> UpdateOutcome {
        let source = SourceFormat(
            width: width, height: height, pixelFormat: pixelFormat ?? core.pixelBufferPool.format)
        var next = core.settings.request
        next.source = source
        // Most of what cannot be shows here, before a frame of the new size is taken.
        _ = try SettingsInForce(configuration: next, encoder: encoder)
        return try await core.perform(taking: try PixelBufferPool(source)) { pipeline, emit throws(EncoderError) in
            try pipeline.change(to: source, emit: emit)
        }
    }

    /// Waits until all frames given so far, or those up to `time`, are encoded; the session goes on.
    ///
    /// An encoder that holds them back for its lookahead is flushed: with libx264 and libx265 the next frame is a key frame
    /// then.
    ///
    /// - Parameter time: Presentation time of the last frame to wait for; nil for all.
    /// - Throws: ``EncoderError`` that ended the session; `.cancelled` when the waiting task is cancelled, while the frames
    ///   still come out.
    public func complete(through time: MediaTime? = nil) async throws(EncoderError) {
        try await core.perform { pipeline, emit throws(EncoderError) in
            try pipeline.collect(through: time, emit: emit)
            if pipeline.holds(through: time) { try pipeline.flush(emit: emit) }
        }
    }

    /// Encodes all frames given and ends the session; ``encodedFrames`` ends after the last.
    ///
    /// Returns even if nobody reads. Calling it twice throws `.invalidState`.
    ///
    /// - Throws: ``EncoderError`` that ended the session; `.cancelled` when the waiting task is cancelled, while the frames
    ///   still come out.
    public func finish() async throws(EncoderError) {
        try await core.perform(finishing: true) { pipeline, emit throws(EncoderError) in try pipeline.flush(emit: emit)
        }
    }

    /// Ends the session at once; frames that are not encoded yet never will be, and have no event.
    ///
    /// Calls that wait throw `.invalidated`, and so does ``encodedFrames`` after what was encoded before. The encoder stops
    /// after the frame it is working on, which does not come out any more.
    public func invalidate() {
        core.end(EncoderError(.invalidated, reason: "the session was invalidated"), discardsFrames: true)
    }

    private func check(_ time: MediaTime, _ options: FrameOptions) throws(EncoderError) {
        // 2^31 seconds are 68 years; more would overflow the libraries' sums of ticks.
        guard abs(time.seconds) < Double(Int32.max) else {
            throw EncoderError(
                .invalidValue, reason: "presentation time \(time), expected less than \(Int32.max) s from 0")
        }
        try SettingRow.check(options, with: encoder)
        if options.forceKeyFrame, configuration.allowOpenGOP, configuration.codec == .hevc {
            throw EncoderError(
                .conflictingSettings,
                reason: "a forced key frame with open GOP, which would make it a CRA and not an IDR",
                setting: .forceKeyFrame)
        }
    }

    private func warnIfUnread() {
        guard core.isFirstUnreadWait() else { return }
        Task { [core, logger] in
            // A reader that starts together with its writer may come a little later.
            try? await Task.sleep(for: .seconds(1))
            guard core.isUnread else { return }
            logger.warning("encode waits for room, but nobody reads encodedFrames: read them in another task")
        }
    }
}
