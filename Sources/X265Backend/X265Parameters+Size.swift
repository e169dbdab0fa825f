// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI

extension X265Parameters {
    /// Narrowest picture for which CU-tree stays on.
    static let narrowestTree: Int32 = 64

    /// Sets the size of the pictures and the coding tree units that fit it.
    ///
    /// libx265 pads to whole coding units itself and signals the padding as conformance window, so it is told the size
    /// as shown, where that is not too small for it, and reads only that much of each picture.
    ///
    /// Besides refusing pictures smaller than one coding tree unit, libx265 3.5 predicts from something else than a
    /// decoder has where a picture is exactly one unit wide, in every preset; so there are always two columns.
    static func assignSize(
        _ picture: PictureFormat, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        let width = try shown(
            picture.codedWidth, cropped: picture.cropRight, within: X265Backend.codedWidths, setting: .width)
        let height = try shown(
            picture.codedHeight, cropped: picture.cropBottom, within: X265Backend.codedHeights, setting: .height)
        parameters.sourceWidth = Int32(width)
        parameters.sourceHeight = Int32(height)
        parameters.internalCsp = X265_CSP_I420

        let largest = parameters.maxCUSize
        let unit = largestUnit(width: width, height: height)
        guard unit < largest else { return [] }
        parameters.maxCUSize = unit
        parameters.minCUSize = min(parameters.minCUSize, unit)
        // Transforms split down to 4x4: log2(unit) - 1 levels at most.
        let depth = UInt32(unit.trailingZeroBitCount - 1)
        parameters.tuQTMaxIntraDepth = min(parameters.tuQTMaxIntraDepth, depth)
        parameters.tuQTMaxInterDepth = min(parameters.tuQTMaxInterDepth, depth)
        return [
            Adjustment(
                width <= height ? .width : .height, requested: "coding tree units of \(largest) as the preset has them",
                used: "\(unit)", reason: "libx265 wants a picture wider than one coding tree unit and at least as high")
        ]
    }

    /// The largest coding tree units in which libx265 encodes pictures of this size as a decoder sees them.
    static func largestUnit(width: Int, height: Int) -> UInt32 {
        [64, 32].first { $0 < width && $0 <= height }.map(UInt32.init) ?? 16
    }

    /// Switches CU-tree off where libx265 would write past the end of its lookahead's arrays, and lists that.
    ///
    /// libx265 3.5 does so for pictures up to 48 samples wide, whatever the height and the coding tree units; the limit
    /// leaves room for vector code of other processors.
    static func limitTree(_ parameters: inout x265_param) -> [Adjustment] {
        guard parameters.rc.cuTree != 0, parameters.sourceWidth < narrowestTree else { return [] }
        parameters.rc.cuTree = 0
        return [
            Adjustment(
                .width, requested: "CU-tree as the preset has it", used: "none",
                reason: "libx265 can corrupt memory with CU-tree in pictures narrower than \(narrowestTree)")
        ]
    }

    /// Luma samples to crop that libx265 does not know of, because what is shown is smaller than it can code.
    static func cropBeyondLibrary(_ picture: PictureFormat) -> (right: Int, bottom: Int) {
        (
            max(X265Backend.codedWidths.lowerBound - (picture.codedWidth - picture.cropRight), 0),
            max(X265Backend.codedHeights.lowerBound - (picture.codedHeight - picture.cropBottom), 0)
        )
    }

    private static func shown(
        _ coded: Int, cropped: Int, within sides: ClosedRange<Int>, setting: Setting
    ) throws(EncoderError) -> Int {
        guard coded.isMultiple(of: 2), sides.contains(coded) else {
            throw EncoderError(
                .invalidValue, reason: "coded \(setting) \(coded), expected an even one in \(sides)", setting: setting)
        }
        return max(coded - cropped, sides.lowerBound)
    }
}
