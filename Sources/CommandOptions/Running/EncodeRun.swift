// SPDX-License-Identifier: MIT

package import EncoderAPI
package import MediaFiles

/// One pass of a source through a session into a writer, with bounded memory.
///
/// Reading and writing block, so each has a thread of its own; the session has its own too.
package struct EncodeRun: Sendable {
    /// What came of a pass.
    package struct Outcome: Sendable {
        /// Pictures given to the session.
        package var submitted = 0
        /// Access units written.
        package var encoded = 0
        /// Pictures that are not in the stream, with the first reason.
        package var dropped = 0
        /// Why the first of them is not.
        package var firstDrop: EncodedFrame.DropReason?
        /// Bytes of the access units.
        package var bytes = 0
        /// What was changed to make use of the source, as far as it was read.
        package var conversions: [String] = []
        /// Whether the pass ended early because it was asked to.
        package var isInterrupted = false
        /// What went wrong first; everything encoded before is written all the same.
        package var error: (any Error)?
    }

    /// The session; the pass finishes it.
    package let session: CompressionSession
    /// Pictures to encode at most; nil for all.
    package var frameLimit: Int?
    /// Numbers of pictures, from 0 on, to make key frames.
    package var forcedKeyFrames: Set<Int> = []
    /// Ends the pass early when it happens: what was read by then is encoded.
    package var interruption = OneShotEvent()
    /// Gives the session a picture, with its number as the token; nil waits for room and for nothing else.
    package var give: (@Sendable (SourceFrame, FrameOptions) async throws -> Void)?

    package init(
        session: CompressionSession, frameLimit: Int? = nil, forcedKeyFrames: Set<Int> = [],
        interruption: OneShotEvent = OneShotEvent(),
        give: (@Sendable (SourceFrame, FrameOptions) async throws -> Void)? = nil
    ) {
        self.session = session
        self.frameLimit = frameLimit
        self.forcedKeyFrames = forcedKeyFrames
        self.interruption = interruption
        self.give = give
    }

    /// Reads, encodes and writes everything.
    ///
    /// - Parameters:
    ///   - source: Used on a thread of its own from here on.
    ///   - writer: Used on a thread of its own; finished at the end, also after a failure.
    ///   - observe: Sees each frame after it was written, on the writer's thread.
    /// - Returns: What came of it, failures included.
    /// - Throws: ``CommandFailure`` when there are no threads.
    package func run(
        from source: sending any VideoSource, to writer: sending any EncodedFrameWriter,
        observe: @escaping @Sendable (EncodedFrame) -> Void = { _ in }
    ) async throws(CommandFailure) -> Outcome {
        let readerThread = try ThreadExecutor()
        let writerThread = try ThreadExecutor()
        let inputEnd = OneShotEvent()
        interruption.whenSignalled { inputEnd.signal() }
        // Attached before the first picture is given, so that the session sees a reader from the start.
        let frames = session.encodedFrames.makeAsyncIterator()
        let feed = Task(executorPreference: readerThread) {
            let fed = await self.feed(from: source)
            inputEnd.signal()
            return fed
        }
        let write = Task(executorPreference: writerThread) {
            await self.write(frames, to: writer, observe: observe)
        }
        await inputEnd.wait()
        let sessionError = await finish()
        var outcome = await write.value
        writerThread.stop()
        outcome.isInterrupted = interruption.hasHappened
        // A reader that is stuck in a pipe is left behind: the session refuses what it may still bring.
        if !outcome.isInterrupted {
            let fed = await feed.value
            readerThread.stop()
            outcome.submitted = fed.count
            outcome.conversions = fed.conversions
            outcome.error = outcome.error ?? fed.error
        }
        outcome.error = outcome.error ?? sessionError
        return outcome
    }

    private func finish() async -> EncoderError? {
        do throws(EncoderError) {
            try await session.finish()
            return nil
        } catch {
            return error
        }
    }

    private func feed(from source: any VideoSource) async -> (
        count: Int, conversions: [String], error: (any Error)?
    ) {
        var count = 0
        do {
            while count < frameLimit ?? .max, !interruption.hasHappened, let frame = try source.next() {
                let options = FrameOptions(forceKeyFrame: forcedKeyFrames.contains(count), token: count)
                if let give {
                    try await give(frame, options)
                } else {
                    try await session.encode(frame, options: options)
                }
                count += 1
            }
            return (count, source.info.conversions, nil)
        } catch {
            return (count, source.info.conversions, error)
        }
    }

    private func write(
        _ iterator: EncodedFrames.AsyncIterator, to writer: any EncodedFrameWriter,
        observe: (EncodedFrame) -> Void
    ) async -> Outcome {
        var frames = iterator
        var outcome = Outcome()
        do {
            while let frame = try await frames.next() {
                try writer.write(frame)
                outcome.add(frame)
                observe(frame)
            }
        } catch {
            outcome.error = error
            // Nobody takes frames any more: whoever waits for room must learn of it.
            session.invalidate()
        }
        do throws(MediaFileError) {
            try writer.finish()
        } catch {
            outcome.error = outcome.error ?? error
        }
        return outcome
    }
}

extension CompressionSession {
    /// Queues one picture of a source.
    package func encode(_ frame: SourceFrame, options: FrameOptions) async throws(EncoderError) {
        try await encode(frame.picture, at: frame.presentationTime, duration: frame.duration, options: options)
    }
}

extension EncodeRun.Outcome {
    fileprivate mutating func add(_ frame: EncodedFrame) {
        switch frame.outcome {
        case .encoded(let unit):
            encoded += 1
            bytes += unit.data.count
        case .dropped(let reason):
            dropped += 1
            firstDrop = firstDrop ?? reason
        }
    }
}
