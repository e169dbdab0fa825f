// SPDX-License-Identifier: MIT

import ParameterSets

/// The size, pixel format and color of the pictures that a session is given.
struct SourceFormat: Sendable, Hashable {
    let width: Int
    let height: Int
    let pixelFormat: PixelFormat
    /// What the samples mean; nil where nothing is signalled.
    let color: ColorDescription?

    /// This size and format with another color.
    func with(_ color: ColorDescription?) -> SourceFormat {
        SourceFormat(width: width, height: height, pixelFormat: pixelFormat, color: color)
    }

    /// Bytes of one such picture without padding.
    var byteCount: Int { pixelFormat.byteCount(width: width, height: height) }

    /// Pictures that may wait between caller, encoder and reader: as many as 16 MiB hold, in bounds.
    var pipelineCapacity: Int { min(max((16 << 20) / byteCount, 2), 16) }

    /// ``color`` as the stream signals it: of full range where the pictures are; nil signals nothing.
    var signalledColor: ColorDescription? { signalled(color) }

    private func signalled(_ color: ColorDescription?) -> ColorDescription? {
        guard pixelFormat.isFullRange else { return color }
        var signalled = color ?? ColorDescription()
        signalled.isFullRange = true
        return signalled
    }

    /// Whether a picture has this size and format.
    func hasShape(of picture: PixelBuffer) -> Bool {
        picture.width == width && picture.height == height && picture.format == pixelFormat
    }

    /// Why a picture is neither of this size, format and color nor one that `transfer` makes into such; nil for one
    /// that is.
    ///
    /// A picture that tells no color counts as one of this.
    func mismatch(of picture: PixelBuffer, without transfer: GivenTransfer?) -> EncoderError? {
        guard let transfer = transfer?.transfer(for: picture, to: self) else { return mismatch(of: picture) }
        do throws(EncoderError) {
            try transfer.check(
                picture, format: pixelFormat, width: width, height: height, color: signalledColor)
            return nil
        } catch {
            return error
        }
    }

    /// Why a picture is not of this size, format and color; nil for one that is.
    private func mismatch(of picture: PixelBuffer) -> EncoderError? {
        guard picture.format.isFourTwoZero else {
            return EncoderError(
                .unsupportedPixelFormat,
                reason: "a picture in \(picture.format), expected \(pixelFormat), or a session with a PixelTransfer, "
                    + "which makes it into that")
        }
        guard picture.width == width, picture.height == height else {
            return EncoderError(
                .invalidPixelBuffer,
                reason:
                    "a picture of \(picture.width)x\(picture.height), expected \(width)x\(height), or a session with "
                    + "a PixelTransfer, which makes it into that")
        }
        guard picture.format == pixelFormat else {
            return EncoderError(
                .invalidPixelBuffer, reason: "a picture in \(picture.format), expected \(pixelFormat)")
        }
        guard let told = picture.color, signalled(told) != signalledColor else { return nil }
        let expected = signalledColor?.codePoints ?? "none, for none is signalled"
        return EncoderError(
            .invalidPixelBuffer, reason: "a picture of color \(told.codePoints), expected \(expected)")
    }
}

extension ColorDescription {
    /// Primaries, transfer and matrix as numbers of H.273: `9,16,9` or `1,1,1,full`.
    var codePoints: String { "\(primaries),\(transfer),\(matrix)\(isFullRange ? ",full" : "")" }
}
