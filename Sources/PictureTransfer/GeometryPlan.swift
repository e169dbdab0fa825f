// SPDX-License-Identifier: MIT

import EncoderAPI

/// Which part of a picture goes where, and how it is turned on the way.
struct GeometryPlan: Hashable {
    /// A part of a picture, in luma samples.
    struct Part: Hashable {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
    }

    /// A turn of planes as libyuv has it: upside down first where that is asked, then clockwise.
    struct Turn: Hashable {
        var isFlipped = false
        var degrees = 0
        /// Whether the sides change places.
        var swapsSides: Bool { degrees % 180 != 0 }
        var isNone: Bool { !isFlipped && degrees == 0 }
    }

    /// What of the source is left.
    let crop: Part
    let turn: Turn
    /// Where it comes to lie in the target; at even places.
    let content: Part
    /// Whether the target shows black around it.
    let hasBars: Bool

    /// Sides of the part once it is turned, before it is scaled.
    var turnedWidth: Int { turn.swapsSides ? crop.height : crop.width }
    var turnedHeight: Int { turn.swapsSides ? crop.width : crop.height }
    var isScaled: Bool { turnedWidth != content.width || turnedHeight != content.height }

    /// libyuv counts places of samples in 16 bits before the point, one of them for the sign.
    static let largestScaledSide = 32768

    /// - Throws: `EncoderError` with `.invalidPixelBuffer` for an aperture that the picture does not have, and for
    ///   sides too large to be scaled.
    init(
        _ options: PixelTransferOptions, from format: PixelFormat, width: Int, height: Int, toWidth: Int,
        height toHeight: Int
    ) throws(EncoderError) {
        let steps = Self.steps(of: format)
        var crop = Part(width: width, height: height)
        if let aperture = options.cleanAperture {
            crop = try Self.part(aperture, of: format, width: width, height: height)
        }
        // A mirrored turn is the opposite turn of the picture upside down.
        let degrees = options.rotation.rawValue
        turn = options.isMirrored ? Turn(isFlipped: true, degrees: (540 - degrees) % 360) : Turn(degrees: degrees)
        var content = Part(width: toWidth, height: toHeight)
        let (shownWidth, shownHeight) = turn.swapsSides ? (crop.height, crop.width) : (crop.width, crop.height)
        // Above 0 where the picture is wider than the target.
        let excess = shownWidth * toHeight - shownHeight * toWidth
        switch options.scaling {
        case .normal: break
        case .letterbox where excess > 0:
            content.height = Self.even((2 * shownHeight * toWidth + shownWidth) / (2 * shownWidth), upTo: toHeight)
            content.y = (toHeight - content.height) / 4 * 2
        case .letterbox where excess < 0:
            content.width = Self.even((2 * shownWidth * toHeight + shownHeight) / (2 * shownHeight), upTo: toWidth)
            content.x = (toWidth - content.width) / 4 * 2
        case .trim where excess != 0:
            let isWider = excess > 0
            let left =
                isWider
                ? (2 * shownHeight * toWidth + toHeight) / (2 * toHeight)
                : (2 * shownWidth * toHeight + toWidth) / (2 * toWidth)
            if isWider != turn.swapsSides {
                crop.cutColumns(to: left, step: steps.x)
            } else {
                crop.cutRows(to: left, step: steps.y)
            }
        default: break
        }
        self.crop = crop
        self.content = content
        hasBars = content.width < toWidth || content.height < toHeight
        guard isScaled else { return }
        for side in [crop.width, crop.height, content.width, content.height] where side > Self.largestScaledSide {
            throw EncoderError(
                .invalidPixelBuffer, reason: "a side of \(side) to be scaled, expected 1...\(Self.largestScaledSide)")
        }
    }

    /// Columns and rows that share a chroma sample.
    private static func steps(of format: PixelFormat) -> (x: Int, y: Int) {
        switch format {
        case .bgra, .rgba, .argb, .rgb24, .i444: (1, 1)
        case .yuyv, .uyvy, .nv16: (2, 1)
        default: (2, 2)
        }
    }

    private static func part(
        _ aperture: PixelTransferOptions.CleanAperture, of format: PixelFormat, width: Int, height: Int
    ) throws(EncoderError) -> Part {
        let steps = steps(of: format)
        func check(_ name: String, _ value: Int, _ legal: ClosedRange<Int>, step: Int = 1) throws(EncoderError) {
            guard legal.contains(value), value % step == 0 else {
                let expected = "\(legal.lowerBound)...\(legal.upperBound)" + (step > 1 ? " in steps of \(step)" : "")
                throw EncoderError(
                    .invalidPixelBuffer,
                    reason: "a clean aperture with \(name) \(value) of a picture of \(width)x\(height) in \(format), "
                        + "expected \(expected)")
            }
        }
        try check("x", aperture.x, 0...width - 1, step: steps.x)
        try check("y", aperture.y, 0...height - 1, step: steps.y)
        try check("width", aperture.width, 1...width - aperture.x)
        try check("height", aperture.height, 1...height - aperture.y)
        return Part(x: aperture.x, y: aperture.y, width: aperture.width, height: aperture.height)
    }

    /// The even number next to a side, at least 2, or all of a target that is hardly larger.
    private static func even(_ side: Int, upTo largest: Int) -> Int {
        let rounded = max((side + 1) / 2 * 2, 2)
        return rounded >= largest ? largest : rounded
    }
}

extension GeometryPlan.Part {
    fileprivate mutating func cutColumns(to left: Int, step: Int) {
        let left = min(max(left, 1), width)
        x += (width - left) / (2 * step) * step
        width = left
    }

    fileprivate mutating func cutRows(to left: Int, step: Int) {
        let left = min(max(left, 1), height)
        y += (height - left) / (2 * step) * step
        height = left
    }
}
