// SPDX-License-Identifier: MIT

/// One frame as the caller gave it, on its way to the session's thread.
///
/// A class, because it passes through several queues: one reference is counted then, not each part of it.
final class SubmittedFrame: Sendable {
    let picture: PixelBuffer
    let time: MediaTime
    let duration: MediaTime?
    let options: FrameOptions

    init(picture: PixelBuffer, time: MediaTime, duration: MediaTime?, options: FrameOptions) {
        self.picture = picture
        self.time = time
        self.duration = duration
        self.options = options
    }
}
