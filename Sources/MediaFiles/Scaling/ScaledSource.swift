// SPDX-License-Identifier: MIT

import EncoderAPI

/// A source whose pictures are scaled to another size as they are read.
package final class ScaledSource: VideoSource {
    private let original: any VideoSource
    private let width: Int
    private let height: Int
    private var scaler: PictureScaler?

    /// - Parameters:
    ///   - original: What is read; all its pictures have the size that it states.
    ///   - width: Luma samples in a row of what comes out, 1...65535.
    ///   - height: Luma rows of what comes out, 1...65535.
    package init(_ original: any VideoSource, width: Int, height: Int) {
        self.original = original
        self.width = width
        self.height = height
    }

    package var info: VideoSourceInfo { original.info.scaled(toWidth: width, height: height) }

    package var byteOffset: Int64 { original.byteOffset }

    package func next() throws(MediaFileError) -> SourceFrame? {
        guard var frame = try original.next() else { return nil }
        let picture = frame.picture
        let scaler = try scaler(for: picture)
        self.scaler = scaler
        frame.picture = try scaler.scale(picture)
        return frame
    }

    private func scaler(for picture: PixelBuffer) throws(MediaFileError) -> PictureScaler {
        if let scaler { return scaler }
        return try PictureScaler(
            format: picture.format, width: picture.width, height: picture.height, toWidth: width, toHeight: height)
    }
}

extension VideoSourceInfo {
    /// What is known of the same video with pictures of another size, which show the same.
    ///
    /// The shape of the samples stays: sizes of the same shape are meant, but for rounding to even numbers.
    package func scaled(toWidth width: Int, height: Int) -> VideoSourceInfo {
        var info = self
        (info.width, info.height) = (width, height)
        return info
    }
}
