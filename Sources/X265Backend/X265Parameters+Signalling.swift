// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI

extension X265Parameters {
    /// Sets what the VUI says of samples: H.273 code points and their shape.
    static func assignColor(_ request: SessionConfiguration, _ parameters: inout x265_param) throws(EncoderError) {
        if let color = request.color {
            try color.check(largestPrimaries: ColorDescription.libraryPrimaries)
            parameters.vui.bEnableVideoSignalTypePresentFlag = 1
            parameters.vui.bEnableVideoFullRangeFlag = color.isFullRange ? 1 : 0
            parameters.vui.bEnableColorDescriptionPresentFlag = 1
            parameters.vui.colorPrimaries = Int32(color.primaries)
            parameters.vui.transferCharacteristics = Int32(color.transfer)
            parameters.vui.matrixCoeffs = Int32(color.matrix)
        }
        if let ratio = request.pixelAspectRatio { assign(ratio, &parameters) }
    }

    private static func assign(_ ratio: PixelAspectRatio, _ parameters: inout x265_param) {
        // Table E.1, as --sar does: the ratios that have a code of their own, else the numbers.
        let coded = [
            (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
            (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
        ]
        let code = coded.firstIndex { $0 == (ratio.horizontalSpacing, ratio.verticalSpacing) }
        parameters.vui.aspectRatioIdc = code.map { Int32($0 + 1) } ?? X265_EXTENDED_SAR
        parameters.vui.sarWidth = code == nil ? Int32(clamping: ratio.horizontalSpacing) : 0
        parameters.vui.sarHeight = code == nil ? Int32(clamping: ratio.verticalSpacing) : 0
    }
}
