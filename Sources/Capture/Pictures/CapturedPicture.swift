// SPDX-License-Identifier: MIT

public import EncoderAPI

/// What a source's pictures are like.
public struct CapturedFormat: Sendable, Hashable {
    /// Luma samples in a row.
    public var width: Int
    /// Luma rows.
    public var height: Int
    /// How the samples lie: the device's layout where sessions take it, else I420.
    ///
    /// A pool of another format of eight bits may be filled all the same, through `PictureTransfer`.
    public var pixelFormat: PixelFormat
    /// What the samples mean: as the device says, but for RGB, which becomes BT.709, and converted pictures, whose
    /// range becomes limited.
    public var color: ColorDescription
    /// Frames per second that the source promises; nil where it promises none.
    public var rate: FrameRate?
    /// FFmpeg's names of what the device gives, such as "mjpeg, yuvj422p".
    public var deviceFormat: String
}

/// A picture that was captured.
public struct CapturedPicture: Sendable {
    /// The picture; its memory is the pool's, and used again when nobody holds it any more.
    public var picture: PixelBuffer
    /// When it was captured, in microseconds of the system's monotonic clock; later than that of the picture before.
    public var time: MediaTime
    /// How long it was shown, until the next one that came; nil unless ``CaptureOptions/knowsDurations``, and for the
    /// last picture.
    public var duration: MediaTime?
}
