// SPDX-License-Identifier: MIT

import ParameterSets

/// The size and pixel format of the pictures that a session is given.
struct SourceFormat: Sendable, Hashable {
    let width: Int
    let height: Int
    let pixelFormat: PixelFormat

    /// Bytes of one such picture without padding.
    var byteCount: Int { pixelFormat.byteCount(width: width, height: height) }

    /// Why a picture is not of this size and format; nil for one that is.
    func mismatch(of picture: PixelBuffer) -> EncoderError? {
        guard picture.width == width, picture.height == height else {
            return EncoderError(
                .invalidPixelBuffer,
                reason: "a picture of \(picture.width)x\(picture.height), expected \(width)x\(height)")
        }
        guard picture.format == pixelFormat else {
            return EncoderError(
                .invalidPixelBuffer, reason: "a picture in \(picture.format), expected \(pixelFormat)")
        }
        return nil
    }
}

extension SessionConfiguration {
    /// The size and format of the pictures to come.
    var source: SourceFormat {
        get { SourceFormat(width: width, height: height, pixelFormat: pixelFormat) }
        set { (width, height, pixelFormat) = (newValue.width, newValue.height, newValue.pixelFormat) }
    }

    /// ``color`` as the stream signals it: of full range where the pictures are; nil signals nothing.
    public var signalledColor: ColorDescription? {
        guard pixelFormat.isFullRange else { return color }
        var signalled = color ?? ColorDescription()
        signalled.isFullRange = true
        return signalled
    }
}
