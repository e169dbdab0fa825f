// SPDX-License-Identifier: MIT

import EncoderAPI

/// What becomes of the values of samples, or why they cannot become what is asked.
struct ColorPlan {
    enum Conversion {
        case matrix(ColorMatrix)
        /// nil where the values stay.
        case range(RangeTable?)
    }

    let conversion: Conversion
    /// Y of black in the target.
    let blackLuma: UInt8

    /// - Throws: `EncoderError` that names what would do.
    init(from picture: PixelBuffer, to format: PixelFormat, _ color: ColorDescription?) throws(EncoderError) {
        if picture.format.bitDepth > 8, picture.format.layout == format.layout {
            blackLuma = try Self.range(of: picture, to: format, color) ? 0 : 16
            conversion = .range(nil)
            return
        }
        guard format.isFourTwoZero, format.bitDepth == 8 else {
            throw EncoderError(
                .unsupportedPixelFormat, reason: "\(picture.format) to \(format), expected a target in i420 or nv12")
        }
        guard picture.format.bitDepth == 8 else {
            throw EncoderError(
                .unsupportedPixelFormat,
                reason: "\(picture.format) to \(format), expected pictures of eight bits")
        }
        let isFullRange = format.isFullRange || color?.isFullRange == true
        blackLuma = isFullRange ? 0 : 16
        if picture.format.isRGB {
            guard let color, let matrix = ColorMatrix(code: color.matrix, isFullRange: isFullRange) else {
                let codes = ColorMatrix.weights.keys.sorted().map(String.init).joined(separator: ", ")
                throw EncoderError(
                    .unsupportedPixelFormat,
                    reason: "\(picture.format) to a picture whose color "
                        + (color.map { "has the matrix \($0.matrix)" } ?? "is not told (`color`, such as .bt709)")
                        + ", expected one of the matrices \(codes)")
            }
            if let told = picture.color { try Self.compare(told, with: color, countsMatrix: false) }
            conversion = .matrix(matrix)
            return
        }
        if let told = picture.color { try Self.compare(told, with: color ?? ColorDescription(), countsMatrix: true) }
        let wasFullRange = picture.format.isFullRange || (picture.color?.isFullRange ?? isFullRange)
        conversion = .range(wasFullRange == isFullRange ? nil : RangeTable(toFullRange: isFullRange))
    }

    /// Whether the range of a picture is full, which more than eight bits keep: refuses another target's.
    private static func range(
        of picture: PixelBuffer, to format: PixelFormat, _ color: ColorDescription?
    ) throws(EncoderError) -> Bool {
        if let told = picture.color { try compare(told, with: color ?? ColorDescription(), countsMatrix: true) }
        let isFullRange = format.isFullRange || color?.isFullRange == true
        let wasFullRange = picture.format.isFullRange || (picture.color?.isFullRange ?? isFullRange)
        if wasFullRange == isFullRange { return isFullRange }
        let names = (wasFullRange ? "full" : "limited", isFullRange ? "full" : "limited")
        throw EncoderError(
            .unsupportedPixelFormat,
            reason: "\(picture.format) of \(names.0) to \(names.1) range, expected pictures of eight bits")
    }

    /// Refuses what would have to be changed beside the range.
    private static func compare(
        _ told: ColorDescription, with color: ColorDescription, countsMatrix: Bool
    ) throws(EncoderError) {
        let codes = [
            ("primaries", told.primaries, color.primaries), ("transfer", told.transfer, color.transfer),
            ("matrix", countsMatrix ? told.matrix : color.matrix, color.matrix),
        ]
        for (name, told, expected) in codes where told != expected {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "a picture of \(name) \(told), expected \(expected), which it is not made into")
        }
    }
}

/// Brings eight-bit Y, Cb and Cr from limited into full range, or back.
struct RangeTable {
    let luma: [UInt8]
    let chroma: [UInt8]

    init(toFullRange: Bool) {
        func table(_ span: Double, _ zero: Double, _ target: Double) -> [UInt8] {
            (0..<256).map { sample in
                let value =
                    toFullRange
                    ? (Double(sample) - zero) * 255 / span + target : (Double(sample) - target) * span / 255 + zero
                return UInt8(min(max(value.rounded(), 0), 255))
            }
        }
        luma = table(219, 16, 0)
        chroma = table(224, 128, 128)
    }
}
