// SPDX-License-Identifier: MIT

/// A picture in a device's own memory, made by the back end that encodes from it.
///
/// A back end hands its surfaces out as ``PixelBuffer``s of kind ``PixelBuffer/Kind/surface``, from a pool of its
/// encoder's or of its own, and recognises them by their type when they come back.
public protocol DeviceSurface: AnyObject, Sendable {
    /// Copies or maps the samples into memory, for an encoder that does not read the surface itself.
    ///
    /// Called on a session's thread, and on any that calls ``PixelBuffer/mapped()``.
    ///
    /// - Returns: A picture of kind ``PixelBuffer/Kind/memory``, valid as long as somebody holds it.
    /// - Throws: ``EncoderError`` where the device does not allow it.
    func mapped() throws(EncoderError) -> PixelBuffer

    /// Ends the writing that ``MutablePixelBuffer/init(writing:memory:planes:format:width:height:)`` began: the samples
    /// are complete.
    ///
    /// Called at most once for each such buffer, on the thread that makes it a ``PixelBuffer``; not called for one that
    /// is thrown away.
    func finishWriting()
}
