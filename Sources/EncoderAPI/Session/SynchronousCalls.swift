// SPDX-License-Identifier: MIT

import Logging

/// A session's calls for callers that cannot suspend: capture callbacks, delegates, C functions with a context pointer.
///
/// They take effect in the order of the calls, from any thread, and in one order with the session's other calls. None
/// suspends, and none needs a task or Swift's cooperative pool to go on. ``encode(_:at:duration:options:whenFull:)``
/// waits only where it is told to block. ``update(_:whenDone:)``,
/// ``changePictures(width:height:pixelFormat:color:whenDone:)``, ``complete(through:until:whenDone:)`` and
/// ``finish(until:whenDone:)`` never wait. ``prepare()``, ``complete(through:until:)`` and ``finish(until:)`` block the
/// calling thread until they are done, and throw `.invalidState` where the handler or a `whenDone` makes them, which
/// they would wait for.
public struct SynchronousCalls: Sendable {
    /// The session whose calls these are.
    public let session: CompressionSession

    /// Opens the encoder now rather than with the first frame, and waits for it; calling it again does nothing.
    ///
    /// - Throws: ``EncoderError`` when the encoder does not open; `.invalidState` after
    ///   ``CompressionSession/finish(until:)``, and where the handler or a `whenDone` makes the call; or whatever ended
    ///   the session.
    public func prepare() throws(EncoderError) {
        try session.core.blocking { answer in
            session.core.order(.prepare, answer: answer)
        }
    }

    /// Queues one picture.
    ///
    /// A key frame that is asked for with a frame that finds no room is asked for with the next one; a frame that is
    /// refused with an error takes its request along.
    ///
    /// - Parameters:
    ///   - picture: In the format and size that the session takes now; retained until the encoder has read it, so do
    ///     not write to its memory.
    ///   - time: Presentation time, larger from call to call; any timescale.
    ///   - duration: How long it is shown, as for ``CompressionSession/encode(_:at:duration:options:)``.
    ///   - options: What goes with this frame.
    ///   - whenFull: What to do while the pipeline is full, or while more frames are inside than
    ///     ``SessionConfiguration/maxFrameDelayCount`` allows. A handler is not blocked, for it would wait for itself:
    ///     its frame is taken.
    /// - Returns: Whether the frame was taken; always true where the call may block.
    /// - Throws: ``EncoderError`` as ``CompressionSession/encode(_:at:duration:options:)``, but for `.cancelled`.
    @discardableResult
    public func encode(
        _ picture: PixelBuffer, at time: MediaTime, duration: MediaTime? = nil, options: FrameOptions = FrameOptions(),
        whenFull: FullPipeline = .block
    ) throws(EncoderError) -> Bool {
        let core = session.core
        let frame = try session.checked(time, duration, options)
        switch whenFull {
        case .drop: return try core.submit(picture, frame, keepsRequest: true) != nil
        case .grow(let limit):
            guard SessionConfiguration.pipelineCapacities.contains(limit) else {
                throw EncoderError(
                    .invalidValue,
                    reason: "a pipeline of \(limit) frames, expected \(SessionConfiguration.pipelineCapacities)",
                    setting: .pipelineCapacity)
            }
            return try core.submit(picture, frame, limit: limit, keepsRequest: true) != nil
        case .block: return try submitBlocking(picture, frame)
        }
    }

    /// Queues one picture as ``encode(_:at:duration:options:whenFull:)`` does that blocks, unless the session takes
    /// pictures otherwise by then than its caller knows.
    ///
    /// - Parameters:
    ///   - picture: As there.
    ///   - time: As there.
    ///   - duration: As there.
    ///   - options: As there.
    ///   - pool: What the caller found in ``CompressionSession/pixelBufferPool``, by whose format, size and color it
    ///     decided what to do with the picture.
    /// - Returns: Whether the frame was taken; false where another thread changed pictures meanwhile.
    /// - Throws: ``EncoderError`` as there.
    package func encode(
        _ picture: PixelBuffer, at time: MediaTime, duration: MediaTime?, options: FrameOptions,
        takenAs pool: PixelBufferPool
    ) throws(EncoderError) -> Bool {
        try submitBlocking(picture, try session.checked(time, duration, options), source: pool.source)
    }

    private func submitBlocking(
        _ picture: PixelBuffer, _ frame: SubmittedFrame, source: SourceFormat? = nil
    ) throws(EncoderError) -> Bool {
        let core = session.core
        var taken = try core.submit(picture, frame, source: source)
        // Nearly always there is room, and nothing to wait for.
        if let taken, taken.awaited == nil { return true }
        let isOwnThread = core.isOwnThread
        if taken == nil {
            if !isOwnThread { warnIfUnread() }
            taken = try core.submitBlocking(picture, frame, source: source, always: isOwnThread)
        }
        guard let taken else { return false }
        if let number = taken.awaited, !isOwnThread { core.waitBlocking(for: .handled(number)) }
        return true
    }

    /// Changes the live settings for the frames given from now on, with `.applied` also for those that the encoder
    /// holds for its lookahead; returns without waiting for frames given before.
    ///
    /// - Parameters:
    ///   - change: Edits the settings as they were asked for last; called again each time another task or thread
    ///     changes them meanwhile, so it must not change them otherwise.
    ///   - whenDone: Told once what the change took, or why it could not be: on the session's thread, when it takes its
    ///     turn, or on the thread that ends the session before. Without it, a change that cannot be is a warning in the
    ///     log.
    /// - Throws: ``EncoderError`` for settings that cannot be; the old ones stay in force then. `.invalidState` after
    ///   ``CompressionSession/finish(until:)``, or whatever ended the session.
    public func update(
        _ change: (inout LiveSettings) -> Void,
        whenDone: (@Sendable (Result<UpdateOutcome, EncoderError>) -> Void)? = nil
    ) throws(EncoderError) {
        try session.core.change({ change(&$0.live) }, answer: whenDone ?? warning("live settings stay as they were"))
    }

    /// Changes settings for the frames given from now on, also those that other calls leave fixed; returns without
    /// waiting for frames given before.
    ///
    /// Where more than live settings change and an encoder is open, it is flushed, and another starts with a key
    /// frame; times go on. All that a change names takes effect together.
    ///
    /// - Parameters:
    ///   - change: Edits the settings as they were asked for last; called again each time another task or thread
    ///     changes them meanwhile, so it must not change them otherwise.
    ///   - whenDone: Told once, as by ``update(_:whenDone:)``.
    /// - Throws: ``EncoderError`` for settings that cannot be, and with `.unsupported` for another codec, framing,
    ///   placement of parameter sets, size, format, color, timescale or capacity of the pipeline, which it does not
    ///   change; the old ones stay in force then. `.invalidState` after ``CompressionSession/finish(until:)``, or
    ///   whatever ended the session.
    package func reconfigure(
        _ change: (inout SessionConfiguration) -> Void,
        whenDone: (@Sendable (Result<UpdateOutcome, EncoderError>) -> Void)? = nil
    ) throws(EncoderError) {
        try session.core.change(
            { (configuration) throws(EncoderError) in
                let before = configuration
                change(&configuration)
                try configuration.checkFixedParts(as: before)
            }, answer: whenDone ?? warning("settings stay as they were"))
    }

    /// Takes pictures of another size, format or color from now on, without waiting for the frames before.
    ///
    /// - Parameters:
    ///   - width: Luma samples in a row, as for ``SessionConfiguration/width``.
    ///   - height: Luma rows, as for ``SessionConfiguration/height``.
    ///   - pixelFormat: The format of the pictures; nil for the one they have.
    ///   - color: As for ``CompressionSession/changePictures(width:height:pixelFormat:color:)``.
    ///   - whenDone: Told once, as by ``update(_:whenDone:)``. Where the change cannot be made in its turn, frames
    ///     given meanwhile for the new size, format or color come out as dropped.
    /// - Throws: ``EncoderError`` for a size, format or color that cannot be with the settings; `.invalidState` after
    ///   ``CompressionSession/finish(until:)``, or whatever ended the session.
    public func changePictures(
        width: Int, height: Int, pixelFormat: PixelFormat? = nil, color: ColorDescription? = nil,
        whenDone: (@Sendable (Result<UpdateOutcome, EncoderError>) -> Void)? = nil
    ) throws(EncoderError) {
        let source = try session.checkedSource(width, height, pixelFormat, color)
        let core = session.core
        if let refusal = core.refusal { throw refusal }
        core.order(
            .change(to: try PixelBufferPool(source)), answer: whenDone ?? warning("pictures stay as they were"))
    }

    /// What tells the log where nobody asks why a change could not be.
    private func warning<Value: Sendable>(_ what: String) -> SessionCommand<Value>.Answer {
        { [logger = session.logger] result in
            guard case .failure(let error) = result, !error.endsSession else { return }
            logger.warning("\(what): \(error)")
        }
    }

    /// Waits until all frames given before the call, or those of them up to `time`, are delivered or encoded; the
    /// session goes on.
    ///
    /// What it does to frames that the encoder holds is said at ``CompressionSession/complete(through:until:)``.
    ///
    /// - Parameters:
    ///   - time: Presentation time of the last frame to wait for; nil for all.
    ///   - milestone: What is waited for; of the asynchronous call the default is
    ///     ``CompressionSession/Milestone/encoded``. Do not wait for delivery on the thread or actor that reads, nor
    ///     where nobody reads and no handler is set: it would never come.
    /// - Throws: ``EncoderError``: `.readerReleased` where nobody is left to deliver to; `.invalidState` after the
    ///   session was finished, and where the handler or a `whenDone` makes the call; or whatever ended the session.
    public func complete(
        through time: MediaTime? = nil, until milestone: CompressionSession.Milestone = .delivered
    ) throws(EncoderError) {
        try session.core.blocking { answer in
            session.core.bringOut(
                by: .complete(through: time, of: session.core), until: milestone, onWait: { warnIfUnread() },
                answer: answer)
        }
    }

    /// Has all frames given before the call, or those of them up to `time`, brought out, and returns at once; the
    /// session goes on.
    ///
    /// As ``complete(through:until:)``, for callers that may not wait: frames given after the call, from whatever
    /// thread, are neither flushed nor waited for.
    ///
    /// - Parameters:
    ///   - time: As for ``complete(through:until:)``.
    ///   - milestone: As for ``complete(through:until:)``. A delivery that nobody makes is waited for until the reader
    ///     or the session is released, or the session is invalidated.
    ///   - whenDone: Told exactly once, whatever becomes of the session: when the frames are as far as asked, or why
    ///     they will not be, with the errors of ``complete(through:until:)``. It runs on the session's thread; for a
    ///     delivery that comes later, where the handler returned or the reader took the last of the frames; and where
    ///     the session ends before or is over, on the thread that ends it or makes this call. It must not block, and
    ///     may make all calls that do not wait. It does not hold the session, which ends when it is released.
    public func complete(
        through time: MediaTime? = nil, until milestone: CompressionSession.Milestone = .delivered,
        whenDone: @escaping @Sendable (Result<Void, EncoderError>) -> Void
    ) {
        session.core.bringOut(
            by: .complete(through: time, of: session.core), until: milestone, onWait: session.warnIfUnread,
            answer: whenDone)
    }

    /// Encodes all frames given, delivers them, and ends the session.
    ///
    /// - Parameter milestone: As for ``complete(through:until:)``.
    /// - Throws: ``EncoderError`` as ``complete(through:until:)``.
    public func finish(until milestone: CompressionSession.Milestone = .delivered) throws(EncoderError) {
        try session.core.blocking { answer in
            session.core.bringOut(
                by: .finish(session.core), until: milestone, onWait: { warnIfUnread() }, answer: answer)
        }
    }

    /// Has all frames given brought out, ends the session after them, and returns at once: nothing more is taken from
    /// then on.
    ///
    /// As ``finish(until:)``, for callers that may not wait. Hold the session until it is done: releasing it before
    /// invalidates it.
    ///
    /// - Parameters:
    ///   - milestone: As for ``finish(until:)``. A delivery that nobody makes is waited for until the session is
    ///     invalidated or released, or its reader is.
    ///   - whenDone: Told exactly once, as by ``complete(through:until:whenDone:)``: of a session that was finished
    ///     before with `.invalidState`.
    public func finish(
        until milestone: CompressionSession.Milestone = .delivered,
        whenDone: @escaping @Sendable (Result<Void, EncoderError>) -> Void
    ) {
        session.core.bringOut(
            by: .finish(session.core), until: milestone, onWait: session.warnIfUnread, answer: whenDone)
    }

    private func warnIfUnread() {
        guard session.core.isFirstUnreadWait() else { return }
        session.logger.warning(
            "a call blocks until frames are taken, but nobody reads encodedFrames and no handler is set")
    }
}

extension CompressionSession {
    /// The calls for callers that cannot suspend.
    public var synchronous: SynchronousCalls { SynchronousCalls(session: self) }
}
