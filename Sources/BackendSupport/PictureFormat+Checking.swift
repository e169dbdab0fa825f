// SPDX-License-Identifier: MIT

package import EncoderAPI

extension PictureFormat {
    /// Refuses a picture of another format or size, of which a library would read more than there is.
    package func check(_ picture: PixelBuffer) throws(EncoderError) {
        guard picture.format.layout == pixelFormat, picture.width == codedWidth, picture.height == codedHeight else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "\(picture.format) \(picture.width)x\(picture.height), expected \(pixelFormat) "
                    + "\(codedWidth)x\(codedHeight)")
        }
    }
}

extension UnsafeRawBufferPointer {
    /// A NAL unit without the start code that a library writes before it: three bytes, four before the first of an
    /// access unit and before parameter sets (annex B of both standards).
    package var withoutStartCode: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: dropFirst(count > 3 && self[2] == 1 ? 3 : 4))
    }
}
