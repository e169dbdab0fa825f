// SPDX-License-Identifier: MIT

import EncoderAPI

/// Captures sound of a server's source, or of a graph of libavfilter.
///
/// The source is opened, read and closed on a thread of its own. What a sound card gives before the first call of
/// ``next()`` is kept, the newest 20 s of it, so that sound is there from the first picture on. A card is listened to
/// for a second before it counts as open: when it was recorded is known by then. ``next()`` is called on
/// one thread at a time, all else on any.
public final class SoundCapture: Sendable {
    /// What is captured.
    public let source: CaptureSource
    /// What it was opened with.
    public let options: CaptureOptions
    private let mailbox: Mailbox<Void, CapturedSound>
    private let desk: PictureDesk

    /// Pieces that wait at most: 20 s of 20 ms.
    static let depth = 1000

    /// Opens a source; blocks until it is open, for ``CaptureOptions/longestOpening`` at most.
    ///
    /// - Parameters:
    ///   - source: A source of a sound server, or a graph that ends with sound.
    ///   - options: How it is captured; what is said of pictures there has no meaning here.
    /// - Throws: ``CaptureError`` that names the server, source or graph and the cure.
    public init(_ source: CaptureSource, _ options: CaptureOptions = CaptureOptions()) throws(CaptureError) {
        try options.check(source)
        let mailbox = Mailbox<Void, CapturedSound>(capacity: Self.depth, keepsEarly: true)
        let desk = PictureDesk()
        do throws(EncoderError) {
            try SessionThread.start {
                do throws(CaptureError) {
                    try SoundThread(source, options, mailbox, desk).run()
                    mailbox.end()
                } catch {
                    mailbox.end(error)
                }
            }
        } catch {
            throw CaptureError(.outOfMemory, reason: error.reason, source: source.description, status: error.status)
        }
        guard try mailbox.waitForOpening(options.longestOpening) != nil else {
            mailbox.stop()
            throw CaptureError(
                .timedOut,
                reason:
                    "it did not open and give sound within \(options.longestOpening): its server does not answer",
                source: source.description)
        }
        (self.source, self.options, self.mailbox, self.desk) = (source, options, mailbox, desk)
    }

    deinit { mailbox.stop() }

    /// Gives the next piece; blocks until it comes.
    ///
    /// - Returns: Nil at the end of a graph, and after ``stop()``, once what waited was given.
    /// - Throws: ``CaptureError`` once every piece before it was given: `.lost` where the server went away, `.timedOut`
    ///   where it gives nothing for ``CaptureOptions/longestSilence``. Later calls throw it again.
    public func next() throws(CaptureError) -> CapturedSound? {
        start()
        while true {
            switch try mailbox.next(options.longestSilence) {
            case .item(let sound): return sound
            case .over: return nil
            case .nothing: try checkSilence()
            }
        }
    }

    /// What ``poll()`` finds.
    package enum Found {
        case sound(CapturedSound)
        /// There is nothing yet.
        case nothing
        case over
    }

    /// Gives the next piece, where there is one; does not wait.
    ///
    /// - Throws: As ``next()``.
    package func poll() throws(CaptureError) -> Found {
        start()
        switch try mailbox.poll() {
        case .item(let sound): return .sound(sound)
        case .over: return .over
        case .nothing:
            try checkSilence()
            return .nothing
        }
    }

    /// Says that sound is wanted: what a graph did not give before is no silence.
    private func start() {
        if mailbox.start() { desk.giveSign() }
    }

    private func checkSilence() throws(CaptureError) {
        guard desk.silence > options.longestSilence else { return }
        throw CaptureError(
            .timedOut, reason: "it gave no sound for \(options.longestSilence)", source: source.description)
    }

    /// Closes the source; a ``next()`` that waits returns nil.
    ///
    /// Waits for the thread for a second at most: one that is stuck in a call is left behind.
    public func stop() {
        mailbox.stop()
        _ = mailbox.waitForEnd(.seconds(1))
    }
}
