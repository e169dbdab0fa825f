// SPDX-License-Identifier: MIT

/// Brings pictures into the layout and size that one encoder reads: those that have them go through as they are.
struct PictureIntake {
    /// Whether pictures have the format and size that the encoder reads.
    let isDirect: Bool
    private let converter: PictureConverter

    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for an impossible size.
    init(from source: SourceFormat, to picture: PictureFormat) throws(EncoderError) {
        isDirect =
            picture.pixelFormat == source.pixelFormat.layout && picture.codedWidth == source.width
            && picture.codedHeight == source.height
        converter = try PictureConverter(
            format: picture.pixelFormat, width: picture.codedWidth, height: picture.codedHeight)
    }

    /// Whether a picture is copied only because its samples lie at odd addresses.
    func isMisaligned(_ picture: PixelBuffer) -> Bool {
        isDirect && picture.kind == .memory && !picture.isSampleAligned
    }

    /// The picture as the encoder reads it.
    ///
    /// - Throws: ``EncoderError`` with `.outOfMemory`.
    func take(_ picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        guard picture.kind == .memory else { return picture }
        if isDirect, picture.isSampleAligned, picture.isReadableInVectors { return picture }
        return try converter.convert(picture)
    }
}
