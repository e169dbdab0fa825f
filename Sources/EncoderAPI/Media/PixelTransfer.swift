// SPDX-License-Identifier: MIT

/// Makes pictures of other formats and sizes into those that a session takes, which EncoderAPI itself does not: the
/// product `PictureTransfer` has one.
///
/// Given to ``CompressionSession/init(_:encoder:of:transfer:logger:)``, it is asked for pictures whose format or size
/// is another than the session's, and for all where it ``changesEveryPicture``. The counterpart of a
/// VTPixelTransferSession.
public protocol PixelTransfer: Sendable {
    /// Whether pictures of the session's own format and size are given to it too, since it turns, mirrors or cuts them:
    /// those that it refuses are refused then, and one that is on a device is mapped.
    ///
    /// Read once for each session, when that is made. False unless a type says otherwise.
    var changesEveryPicture: Bool { get }

    /// Refuses a picture that cannot be made into one of a session's.
    ///
    /// Called with each picture that needs a transfer when it is given to the session, on the caller's thread and with
    /// the session locked: it must not block, and not call the session. Called again on the session's thread before the
    /// transfer, since other pictures may be taken by then.
    ///
    /// - Parameters:
    ///   - picture: What the session was given; of any ``PixelBuffer/Kind``.
    ///   - format: The session's format, which is 4:2:0.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    ///   - color: What the session signals, whose range is full where `format` says so; nil where it signals nothing.
    /// - Throws: ``EncoderError`` with `.unsupportedPixelFormat` or `.invalidPixelBuffer` that names what would do, or
    ///   `.unsupported` where nothing does, as without a library.
    func check(
        _ picture: PixelBuffer, format: PixelFormat, width: Int, height: Int, color: ColorDescription?
    ) throws(EncoderError)

    /// Fills a session's picture with what another one shows.
    ///
    /// Called on the session's thread; several sessions may share one transfer and call it at once.
    ///
    /// - Parameters:
    ///   - picture: In memory; ``check(_:format:width:height:color:)`` did not refuse it.
    ///   - target: Of the session's format, size and color, with undefined samples; all of them must be written.
    /// - Throws: ``EncoderError``; the frame comes out as dropped with it, and the session goes on.
    func transfer(_ picture: PixelBuffer, to target: inout MutablePixelBuffer) throws(EncoderError)
}

extension PixelTransfer {
    /// Pictures of the session's own format and size go by.
    public var changesEveryPicture: Bool { false }
}
