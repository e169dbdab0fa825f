// SPDX-License-Identifier: MIT

/// The pictures an encoder is given, and how much of each is shown.
public struct PictureFormat: Sendable, Hashable {
    /// Width in luma samples as coded.
    public var codedWidth: Int
    /// Height in luma rows as coded.
    public var codedHeight: Int
    /// Luma samples to crop at the right: even, so that an odd width as asked for shows one sample more.
    public var cropRight: Int
    /// Luma rows to crop at the bottom: even, likewise.
    public var cropBottom: Int
    /// One of the encoder's direct formats.
    public var pixelFormat: PixelFormat

    /// Bits of a coded sample: those of ``pixelFormat``.
    public var bitDepth: Int { pixelFormat.bitDepth }

    /// Luma samples in a row that are shown: even, so one more than an odd width as asked for.
    public var shownWidth: Int { codedWidth - cropRight }
    /// Luma rows that are shown: even, likewise.
    public var shownHeight: Int { codedHeight - cropBottom }

    /// Makes a format that shows `width` by `height` luma samples of pictures that are coded larger where they must be.
    ///
    /// - Parameters:
    ///   - width: Luma samples in a row as asked for.
    ///   - height: Luma rows as asked for.
    ///   - codedWidth: `width` or more; nil for the next even number.
    ///   - codedHeight: `height` or more; nil for the next even number.
    ///   - pixelFormat: The format of the pictures.
    public init(
        width: Int, height: Int, codedWidth: Int? = nil, codedHeight: Int? = nil, pixelFormat: PixelFormat = .i420
    ) {
        self.codedWidth = codedWidth ?? (width + 1) / 2 * 2
        self.codedHeight = codedHeight ?? (height + 1) / 2 * 2
        cropRight = (self.codedWidth - width) / 2 * 2
        cropBottom = (self.codedHeight - height) / 2 * 2
        self.pixelFormat = pixelFormat
    }
}
