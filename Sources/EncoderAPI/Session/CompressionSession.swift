// SPDX-License-Identifier: MIT

public import Logging

/// Encodes a sequence of pictures to H.264 or HEVC: VTCompressionSession for Swift concurrency, and for callbacks.
///
/// Give pictures to ``encode(_:at:duration:options:)`` in display order and read ``encodedFrames`` in another task;
/// then ``finish(until:)``. Callers that cannot suspend use ``synchronous``, and ``deliver(on:to:)`` gives what is
/// encoded to a handler. Calls take effect in their order, whoever makes them and however. Safe to use from any task
/// and thread; blocking library calls run on a thread that the session owns. Releasing the session ends it as
/// ``invalidate()`` does, but does not wait for a handler that is running.
public final class CompressionSession: Sendable {
    /// What the session was made with.
    public let configuration: SessionConfiguration
    /// The encoder it was made with.
    public let encoder: EncoderDescription
    /// Why an ``EncoderSelection`` took no other encoder; empty where the session was made without one.
    public let rejections: [EncoderRejection]
    /// The encoded frames, in decode order; see ``EncodedFrames``.
    public let encodedFrames: EncodedFrames
    let core: SessionCore
    let logger: Logger

    /// Makes a session with one encoder of a back end; the encoder opens with the first frame or with ``prepare()``.
    ///
    /// Does not block: who lists encoders, which may, is the caller; see ``EncoderBackend/encoders``.
    ///
    /// - Parameters:
    ///   - configuration: Checked here, against what the encoder can do.
    ///   - encoder: The encoder to use, as the back end listed it.
    ///   - backend: The back end that listed it.
    ///   - transfer: Makes pictures of other formats and sizes into those that the configuration names; nil, the
    ///     default, refuses such pictures.
    ///   - logger: Where messages of the session and of the library behind it go.
    /// - Throws: ``EncoderError`` that names the setting, its value and what is legal.
    public convenience init(
        _ configuration: SessionConfiguration, encoder: EncoderDescription, of backend: any EncoderBackend,
        transfer: (any PixelTransfer)? = nil, logger: Logger = Logger(label: "EncoderKit")
    ) throws(EncoderError) {
        try self.init(
            configuration, encoder: encoder, of: backend, rejections: [], transfer: transfer, logger: logger)
    }

    /// Makes a session with the first encoder for the codec, of a back end that lists its encoders without blocking.
    ///
    /// With any other back end, list its encoders first, or let an ``EncoderSelection`` make the session.
    ///
    /// - Parameters:
    ///   - configuration: As for ``init(_:encoder:of:transfer:logger:)``.
    ///   - backend: The back end to use.
    ///   - transfer: As for ``init(_:encoder:of:transfer:logger:)``.
    ///   - logger: As for ``init(_:encoder:of:transfer:logger:)``.
    /// - Throws: ``EncoderError`` as ``init(_:encoder:of:transfer:logger:)``, and with `.noEncoder` where the back end
    ///   has none.
    public convenience init(
        _ configuration: SessionConfiguration, encoder backend: any ImmediateBackend,
        transfer: (any PixelTransfer)? = nil, logger: Logger = Logger(label: "EncoderKit")
    ) throws(EncoderError) {
        let encoder = try backend.first(of: backend.listEncoders(), for: configuration.codec)
        try self.init(configuration, encoder: encoder, of: backend, transfer: transfer, logger: logger)
    }

    /// ``init(_:encoder:of:transfer:logger:)`` with a place for the bytes of access units, and with the encoders that a
    /// selection did not take.
    package init(
        _ configuration: SessionConfiguration, encoder: EncoderDescription, of backend: any EncoderBackend,
        rejections: [EncoderRejection] = [], transfer: (any PixelTransfer)?, unitMemory: UnitMemory = .array,
        logger: Logger
    ) throws(EncoderError) {
        let inForce = try SettingsInForce(configuration: configuration, encoder: encoder)
        try backend.check(inForce.settings, for: encoder)
        let transfer = GivenTransfer(transfer)
        core = try SessionCore(inForce, transfer: transfer) { settings throws(EncoderError) in
            try backend.check(settings, for: encoder)
        } makePipeline: {
            EncodePipeline(
                backend: backend, description: encoder, inForce: inForce, transfer: transfer, unitMemory: unitMemory,
                logger: logger)
        }
        self.configuration = configuration
        self.encoder = encoder
        self.rejections = rejections
        self.logger = logger
        encodedFrames = EncodedFrames(core: core)
    }

    deinit {
        core.end(
            EncoderError(.invalidated, reason: "the session was released before it was finished"), discardsFrames: true)
        core.abandonDeliveries(
            EncoderError(.invalidated, reason: "the session was released before its frames were taken"),
            sparingReader: true)
    }
}

// MARK: - What really happens

extension CompressionSession {
    /// How the session differs from its configuration now; complete once the first frame is out, but for what frames
    /// show later: limits that the stream breaks, presentation times that contradict the hint or need a finer clock,
    /// pictures that have to be mapped, or copied because their samples are not aligned.
    public var adjustments: [Adjustment] { core.adjustments }

    /// The settings in the encoder's terms; complete once the first frame is out.
    ///
    /// After ``prepare()`` they are those of the
    /// open encoder, which the first frame replaces where its duration contradicts a rate that was assumed.
    public var effective: ResolvedSettings { core.settings }

    /// The value of a setting in force, as ``SettingRow/set(_:in:)`` takes it: what was decided or asked, or what the
    /// encoder uses in its place where an adjustment tells a value; nil where the encoder decides, as it does of a
    /// level, preset or thread count that nobody named, and for names that no ``SettingRow`` has.
    ///
    /// Of ``Setting/allowFrameReordering`` it is false where the open encoder uses no B pictures, though nobody asked.
    public func value(of setting: Setting) -> String? {
        guard let row = SettingRow.named(setting.rawValue) else { return nil }
        if setting == .allowFrameReordering, core.isReordering == false { return "false" }
        // What the session decided may be listed, and then what the library made of that.
        let used = adjustments.last { $0.setting == setting }?.used
        return used.flatMap { row.value(writtenAs: $0, of: encoder.capabilities) } ?? row.value(inForce: effective)
    }

    /// Makes pictures of the format, size and color that are taken now, and recycles their memory; using it is
    /// optional.
    ///
    /// Once ``prepare()`` returned, an encoder with a pool for this format and size has them where it reads them
    /// without a copy.
    public var pixelBufferPool: PixelBufferPool { core.pixelBufferPool }

    /// What the session did so far: counts, latencies, restarts; a copy of about 12 KB, from any thread and also after
    /// the end.
    public var statistics: SessionStatistics { core.statistics }

    /// Frames given that are neither encoded nor dropped yet; 0 once the session is over.
    public var pendingFrameCount: Int { core.pendingCount }
}

// MARK: - Encoding

extension CompressionSession {
    /// Opens the encoder now rather than with the first frame; calling it again does nothing.
    ///
    /// - Throws: ``EncoderError`` when the encoder does not open; `.cancelled` when the waiting task is cancelled;
    ///   `.invalidState` after ``finish(until:)``, or whatever ended the session.
    public func prepare() async throws(EncoderError) {
        try await core.perform(.prepare)
    }

    /// Queues one picture; its encoded frame arrives later on ``encodedFrames``.
    ///
    /// Suspends while the pipeline is full: until the encoder, and the reader of ``encodedFrames``, have caught up.
    /// With ``SessionConfiguration/maxFrameDelayCount`` M it also waits until frame N - M is out, or the encoder has
    /// dealt with this one; where the session ends meanwhile it returns without an error, since the frame was taken,
    /// and the next call throws.
    ///
    /// - Parameters:
    ///   - picture: In the format and size that are taken now, see ``pixelBufferPool``, and of that color if it has a
    ///     ``PixelBuffer/color``, or one that the session's ``PixelTransfer`` makes into that; retained until the
    ///     encoder has read it, with data-rate limits until its frame has left, so do not write to its memory.
    ///   - time: Presentation time, larger from call to call; any timescale.
    ///   - duration: How long it is shown, more than 0 and less than 2^31 - 1 s; nil where nobody knows. Given back
    ///     with the frame. The first frame's stands in for an unknown frame rate.
    ///   - options: What goes with this frame.
    /// - Throws: ``EncoderError``: `.outOfOrderTimestamp`, `.invalidPixelBuffer`, `.invalidValue` for a time 2^31 - 1 s
    ///   or more from 0 and for a duration out of its range, and what ``FrameOptions/forceKeyFrame`` is refused with
    ///   (the frame is not taken, the session goes on); `.cancelled`, `.readerReleased`, `.invalidState` after
    ///   ``finish(until:)``, or whatever ended the session.
    public func encode(
        _ picture: PixelBuffer, at time: MediaTime, duration: MediaTime? = nil, options: FrameOptions = FrameOptions()
    ) async throws(EncoderError) {
        let frame = try checked(time, duration, options)
        var taken = try core.submit(picture, frame)
        if taken == nil {
            warnIfUnread()
            taken = try await core.submitWaiting(picture, frame)
        }
        if let number = taken?.awaited { await core.wait(for: .handled(number)) }
    }

    /// Queues one picture if there is room: ``SynchronousCalls/encode(_:at:duration:options:whenFull:)`` with
    /// ``FullPipeline/drop``.
    ///
    /// - Parameters:
    ///   - picture: As for ``encode(_:at:duration:options:)``.
    ///   - time: As for ``encode(_:at:duration:options:)``.
    ///   - duration: As for ``encode(_:at:duration:options:)``.
    ///   - options: As for ``encode(_:at:duration:options:)``.
    /// - Returns: False when the pipeline is full, or too many frames are inside; the frame is not taken then.
    /// - Throws: ``EncoderError`` as for ``encode(_:at:duration:options:)``, but for `.cancelled`.
    public func encodeImmediately(
        _ picture: PixelBuffer, at time: MediaTime, duration: MediaTime? = nil, options: FrameOptions = FrameOptions()
    ) throws(EncoderError) -> Bool {
        try synchronous.encode(picture, at: time, duration: duration, options: options, whenFull: .drop)
    }

    /// Makes the next frame that is given a sync frame, whatever becomes of frames in between: one that is not taken,
    /// because the pipeline is full, or not encoded leaves the request to the frame after it.
    ///
    /// Neither waits nor blocks.
    ///
    /// - Throws: ``EncoderError`` as ``FrameOptions/forceKeyFrame`` is refused with; `.invalidState` after
    ///   ``finish(until:)``, or whatever ended the session.
    public func requestKeyFrame() throws(EncoderError) {
        try check(FrameOptions(forceKeyFrame: true))
        try core.requestKeyFrame()
    }

    /// Changes the live settings for the frames that follow; with `.applied` also for those that the encoder holds for
    /// its lookahead.
    ///
    /// - Parameter change: Edits the settings as they were asked for last; called again each time another task or
    ///   thread changes them meanwhile.
    /// - Returns: What it took; see ``UpdateOutcome``.
    /// - Throws: ``EncoderError`` for settings that cannot be; the old ones stay in force then. `.cancelled` when the
    ///   waiting task is cancelled; the change is made all the same. `.invalidState` after
    ///   ``finish(until:)``, or whatever ended the session, as all that the open encoder throws does.
    @discardableResult
    public func update(_ change: (inout LiveSettings) -> Void) async throws(EncoderError) -> UpdateOutcome {
        let reply = Reply<UpdateOutcome>()
        try core.change({ change(&$0.live) }, answer: { reply.answer($0) })
        return try await reply.valueUnlessCancelled
    }

    /// Changes the size, the format or the color of the pictures that follow: those given after the call have the new
    /// ones, those given before it come out as they are.
    ///
    /// Where a frame was coded, the encoder is flushed and another opened, with the settings in force: the next frame
    /// is a key frame, with another ``AccessUnit/format`` if the parameter sets differ, which the answer says. Times go
    /// on. The size, format and color that are taken already change nothing.
    ///
    /// - Parameters:
    ///   - width: Luma samples in a row, as for ``SessionConfiguration/width``.
    ///   - height: Luma rows, as for ``SessionConfiguration/height``.
    ///   - pixelFormat: The format of the pictures; nil for the one they have.
    ///   - color: What their samples mean, as for ``SessionConfiguration/color``; nil keeps the codes, while the range
    ///     is full where the new format says so. `ColorDescription()` takes back what was signalled: all its codes are
    ///     unspecified.
    /// - Returns: What it took; see ``UpdateOutcome``.
    /// - Throws: ``EncoderError`` for a size, format or color that cannot be with the settings; the old ones stay in
    ///   force then, and frames of the new ones that were given meanwhile come out as dropped. `.cancelled` when the
    ///   waiting task is cancelled; the change is made all the same. `.invalidState` after ``finish(until:)``, or
    ///   whatever ended the session.
    @discardableResult
    public func changePictures(
        width: Int, height: Int, pixelFormat: PixelFormat? = nil, color: ColorDescription? = nil
    ) async throws(EncoderError) -> UpdateOutcome {
        let source = try checkedSource(width, height, pixelFormat, color)
        return try await core.perform(.change(to: try PixelBufferPool(source)))
    }

    /// What pictures to come are like; most of what cannot be shows here, before a frame of them is taken.
    func checkedSource(
        _ width: Int, _ height: Int, _ pixelFormat: PixelFormat?, _ color: ColorDescription?
    ) throws(EncoderError) -> SourceFormat {
        var next = core.asked
        let now = core.pixelBufferPool.source
        next.source = SourceFormat(
            width: width, height: height, pixelFormat: pixelFormat ?? now.pixelFormat, color: color ?? now.color)
        _ = try SettingsInForce(configuration: next, encoder: encoder)
        return next.source
    }

    /// Ends the session at once; frames that are not encoded yet never will be, and have no event.
    ///
    /// Calls that wait throw `.invalidated`, but for an `encode` whose frame was taken, which returns.
    /// ``encodedFrames`` ends, without an error, after what was encoded before. The encoder stops after the frame it is
    /// working on, which does not come out any more. A handler gets nothing more: where it is running, the call waits
    /// until it returns, unless the handler or a `whenDone` makes it. So handlers of two sessions must not invalidate
    /// each other's: each would wait for the other.
    public func invalidate() {
        let error = EncoderError(.invalidated, reason: "the session was invalidated")
        core.end(error, discardsFrames: true)
        core.abandonDeliveries(error)
        core.waitForHandler()
    }
}

// MARK: - What both ways of calling share

extension CompressionSession {
    /// A frame as the session takes it on.
    func checked(
        _ time: MediaTime, _ duration: MediaTime?, _ options: FrameOptions
    ) throws(EncoderError) -> SubmittedFrame {
        // 2^31 seconds are 68 years; more would overflow the libraries' sums of ticks.
        guard abs(time.seconds) < Double(Int32.max) else {
            throw EncoderError(
                .invalidValue, reason: "presentation time \(time), expected less than \(Int32.max) s from 0")
        }
        if let duration, !(duration > .zero && duration.seconds < Double(Int32.max)) {
            throw EncoderError(
                .invalidValue,
                reason: "duration \(duration), expected more than 0 and less than \(Int32.max) s, or none")
        }
        try check(options)
        return SubmittedFrame(time: time, duration: duration, options: options)
    }

    private func check(_ options: FrameOptions) throws(EncoderError) {
        try SettingRow.check(options, with: encoder)
        guard !options.forceKeyFrame || configuration.codec != .hevc || !core.asked.allowOpenGOP else {
            throw EncoderError(
                .conflictingSettings,
                reason: "a forced key frame with open GOP, which would make it a CRA and not an IDR",
                setting: .forceKeyFrame)
        }
    }
}
