// SPDX-License-Identifier: MIT

import Synchronization

/// One frame as the caller gave it, on its way through the session, without its picture.
///
/// What comes back with the frame, so the session keeps it until then; the picture is let go as soon as the encoder has
/// read it. A class, because it passes through several queues: one reference is counted then, not each part of it.
final class SubmittedFrame: Sendable {
    private let taken = Atomic<Int64>(0)
    private let transferred = Atomic<Int64>(0)
    let time: MediaTime
    let duration: MediaTime?
    let options: FrameOptions

    init(time: MediaTime, duration: MediaTime?, options: FrameOptions) {
        self.time = time
        self.duration = duration
        self.options = options
    }

    /// When the session took it, in nanoseconds of ``FrameCost/now``; 0 until then.
    var takenAt: Int64 { taken.load(ordering: .relaxed) }

    /// Notes that the session takes it now.
    func noteTaken() { taken.store(FrameCost.now, ordering: .relaxed) }

    /// How long the transfer took for its picture, in nanoseconds; 0 for one that needed none.
    var transferTime: Int64 { transferred.load(ordering: .relaxed) }

    /// Notes that the transfer, which began at `start`, ends now.
    func noteTransferred(since start: Int64) { transferred.store(FrameCost.now - start, ordering: .relaxed) }

    /// The event of a frame that is not in the stream; it has no place in decode order, so its decode time is its own.
    func dropped(_ reason: EncodedFrame.DropReason) -> EncodedFrame {
        EncodedFrame(
            outcome: .dropped(reason), presentationTime: time, decodeTime: time, duration: duration,
            token: options.token)
    }
}
