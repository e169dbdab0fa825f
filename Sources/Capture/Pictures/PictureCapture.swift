// SPDX-License-Identifier: MIT

public import EncoderAPI
import Synchronization

/// Captures pictures of a screen, a camera or a graph of libavfilter.
///
/// The device is opened, read and closed on a thread of its own. What it gives waits for ``next()``, two pictures at
/// most; then the device waits, and what it cannot keep meanwhile is lost and counted. Pictures that a screen or a
/// camera gives before the first call of ``next()`` are let go of; a graph waits for it. ``next()`` is called on one
/// thread at a time, all else on any.
public final class PictureCapture: Sendable {
    /// What is captured.
    public let source: CaptureSource
    /// What it was opened with.
    public let options: CaptureOptions
    /// What the pictures are like.
    public let format: CapturedFormat
    private let mailbox: Mailbox<CapturedFormat, CapturedPicture>
    private let desk: PictureDesk

    /// Pictures that wait for ``next()`` at most.
    private static let depth = 2

    /// Opens a source; blocks until it has given a first picture, for ``CaptureOptions/longestOpening`` at most.
    ///
    /// - Parameters:
    ///   - source: A screen, a camera or a graph that ends with pictures.
    ///   - options: How it is captured.
    /// - Throws: ``CaptureError`` that names the display, device or graph and the cure.
    public init(_ source: CaptureSource, _ options: CaptureOptions = CaptureOptions()) throws(CaptureError) {
        try options.check(source)
        let mailbox = Mailbox<CapturedFormat, CapturedPicture>(capacity: Self.depth, keepsEarly: false)
        let desk = PictureDesk()
        do throws(EncoderError) {
            try SessionThread.start {
                do throws(CaptureError) {
                    try PictureThread(source, options, mailbox, desk).run()
                    mailbox.end()
                } catch {
                    mailbox.end(error)
                }
            }
        } catch {
            throw CaptureError(.outOfMemory, reason: error.reason, source: source.description, status: error.status)
        }
        guard let format = try mailbox.waitForOpening(options.longestOpening) else {
            mailbox.stop()
            throw CaptureError(
                .timedOut,
                reason:
                    "it did not open and give a picture within \(options.longestOpening): its server or driver does "
                    + "not answer", source: source.description)
        }
        (self.source, self.options, self.format) = (source, options, format)
        (self.mailbox, self.desk) = (mailbox, desk)
    }

    deinit { mailbox.stop() }

    /// Has pictures filled from a pool from the next one on, such as `session.pixelBufferPool`.
    ///
    /// Without a call, they are filled from a pool of ``format``.
    ///
    /// - Parameter pool: Of any format of eight bits, or the one of ``format``; pictures of another size are scaled,
    ///   with bars where the sides have another ratio.
    public func fill(_ pool: PixelBufferPool) { desk.pool.withLock { $0 = pool } }

    /// What became of the frames so far.
    public var statistics: CaptureStatistics { desk.statistics.withLock { $0 } }

    /// Gives the next picture; blocks until it comes.
    ///
    /// - Returns: Nil at the end of a graph, and after ``stop()``, once what waited was given.
    /// - Throws: ``CaptureError`` once every picture before it was given: `.lost` where the device went away,
    ///   `.timedOut` where it gives nothing for ``CaptureOptions/longestSilence``, or its thread is stuck in a call,
    ///   which takes up to twice as long and a second to notice. Later calls throw it again.
    public func next() throws(CaptureError) -> CapturedPicture? {
        mailbox.start()
        while true {
            switch try mailbox.next(options.longestSilence) {
            case .item(let picture): return picture
            case .over: return nil
            case .nothing:
                // The thread tells of a device that gives nothing; here it is stuck in a call.
                guard desk.silence > options.longestSilence + .seconds(1) else { continue }
                throw CaptureError(
                    .timedOut, reason: "it does not answer for \(options.longestSilence)", source: source.description)
            }
        }
    }

    /// Closes the device; a ``next()`` that waits returns nil.
    ///
    /// Waits for the device's thread for a second at most: one that is stuck in a call is left behind.
    public func stop() {
        mailbox.stop()
        _ = mailbox.waitForEnd(.seconds(1))
    }
}

/// What both threads of a capture look at.
final class PictureDesk: Sendable {
    let pool = Mutex<PixelBufferPool?>(nil)
    let statistics = Mutex(CaptureStatistics())
    private let sign = Mutex(ContinuousClock.now)

    /// Says that the device's thread is not stuck.
    func giveSign() { sign.withLock { $0 = .now } }

    /// How long the device's thread has been in a call.
    var silence: Duration { sign.withLock { .now - $0 } }
}
