// SPDX-License-Identifier: MIT

/// One frame as the caller gave it, on its way to the session's thread.
struct SubmittedFrame: Sendable {
    let picture: PixelBuffer
    let time: MediaTime
    let duration: MediaTime?
    let options: FrameOptions
}
