// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import LibraryBackends
import ParameterSets

extension X265Parameters {
    /// Settings that are an assignment each.
    static let assigned: [AssignedSetting<x265_param>] = [
        AssignedSetting(.allowOpenGOP) { $1.bOpenGOP = $0.allowOpenGOP ? 1 : 0 },
        // One frame to come makes libx265 signal Main Still Picture, which is wrong if more come after all.
        AssignedSetting(.sourceFrameCount, \.sourceFrameCount) { count, parameters in
            parameters.totalFrames = count == 1 ? 0 : Int32(clamping: count)
        },
        AssignedSetting(.pixelAspectRatio, \.pixelAspectRatio) { ratio, parameters in
            let coded = AspectRatioInfo(ratio)
            parameters.vui.aspectRatioIdc = Int32(clamping: coded.aspectRatioIdc)
            parameters.vui.sarWidth = Int32(clamping: coded.sarWidth)
            parameters.vui.sarHeight = Int32(clamping: coded.sarHeight)
        },
        AssignedSetting(.color, \.signalledColor) { color, parameters in
            parameters.vui.bEnableVideoSignalTypePresentFlag = 1
            parameters.vui.bEnableVideoFullRangeFlag = color.isFullRange ? 1 : 0
            parameters.vui.bEnableColorDescriptionPresentFlag = 1
            parameters.vui.colorPrimaries = Int32(clamping: color.primaries)
            parameters.vui.transferCharacteristics = Int32(clamping: color.transfer)
            parameters.vui.matrixCoeffs = Int32(clamping: color.matrix)
        },
    ]
}
