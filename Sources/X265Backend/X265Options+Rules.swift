// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

extension X265Options {
    /// What native options may not do together, or against settings, though each field alone could have its value.
    static let rules: [OptionRule<x265_param>] =
        [unit, tree, refresh, slices] + lookaheadRules + [window] + rateRules + needs

    /// Parameters of an open encoder as options give them: libx265 keeps a hundredth of the per cent.
    static func unscaled(_ parameters: x265_param, openedWith given: x265_param) -> x265_param {
        var parameters = parameters
        if parameters.scenecutBias == given.scenecutBias / 100 { parameters.scenecutBias = given.scenecutBias }
        return parameters
    }

    // MARK: - Crashes

    // What stops libx265 3.5, and the process with it, was found with every option and some thirty values each.

    private static let unit = OptionRule<x265_param>([\.maxCUSize]) { parameters, _ in
        let (width, height) = (Int(parameters.sourceWidth), Int(parameters.sourceHeight))
        let most = X265Parameters.largestUnit(width: width, height: height)
        guard parameters.maxCUSize > most else { return nil }
        return OptionRule.Breach(
            nil,
            "coding tree units of \(parameters.maxCUSize) in a picture of \(width)x\(height), expected at most \(most)")
    }

    private static let tree = OptionRule<x265_param>([\.rc.cuTree]) { parameters, _ in
        let least = X265Parameters.narrowestTree
        guard parameters.rc.cuTree != 0, parameters.sourceWidth < least else { return nil }
        return OptionRule.Breach(
            nil, "a picture \(parameters.sourceWidth) wide, expected \(least) or more: libx265 can corrupt memory")
    }

    private static let refresh = OptionRule<x265_param>([\.bIntraRefresh], besides: [\.keyframeMax, \.bframes]) {
        parameters, settings in
        guard parameters.bIntraRefresh != 0, parameters.keyframeMax >= 2,
            parameters.keyframeMax <= parameters.bframes
        else { return nil }
        return OptionRule.Breach(
            nil,
            "a key-frame interval of \(parameters.keyframeMax), expected more than the \(parameters.bframes) B pictures "
                + "in a row: libx265 divides by zero")
    }

    private static let slices = OptionRule<x265_param>(
        [\.maxSlices], besides: [\.bEnableWavefront, \.numaPools]
    ) { parameters, settings in
        let hasRowThreads = X265Delay.surelyUsesPool(settings.request) && parameters.bEnableWavefront != 0
        guard parameters.maxSlices > (hasRowThreads ? 2 : 1) else { return nil }
        guard !hasRowThreads else {
            return OptionRule.Breach(nil, "\(parameters.maxSlices) slices, expected 1...2: libx265 crashes with more")
        }
        let isAlone = settings.request.threadCount == 1
        return OptionRule.Breach(
            isAlone ? .threadCount : X265Parameters.losesWavefront(settings) ? settings.askedBuffer : nil,
            "\(parameters.maxSlices) slices, expected 1 without threads for rows: libx265 crashes or hangs with more")
    }

    // MARK: - Rate and stream

    private static let rateRules: [OptionRule<x265_param>] = [
        OptionRule([\.rc.qpMin], besides: [\.rc.qpMax]) { parameters, settings in
            guard parameters.rc.qpMin > parameters.rc.qpMax else { return nil }
            return OptionRule.Breach(
                settings.live.askedQuantizerBound,
                "quantizers of \(parameters.rc.qpMin) at least and \(parameters.rc.qpMax) at most")
        },
        OptionRule(
            [\.rc.qpMin, \.rc.qpMax], besides: [\.rc.rateControlMode, \.rc.qp, \.bLossless]
        ) { parameters, settings in
            let bounds = (parameters.rc.qpMin, parameters.rc.qpMax)
            let isBound = bounds.0 > 0 || bounds.1 < Int32(X264Family.quantizers.upperBound)
            guard isBound, X265Parameters.hasFixedQuantizers(parameters),
                !X265Parameters.keepsBounds(parameters, least: Int(bounds.0), most: Int(bounds.1))
            else { return nil }
            return OptionRule.Breach(
                settings.askedFixedQuantizers, "quantizers fixed beforehand leave \(bounds.0)...\(bounds.1)")
        },
        OptionRule([\.rc.bitrate, \.rc.rateControlMode]) { parameters, settings in
            guard parameters.rc.rateControlMode == Int32(X265_RC_ABR.rawValue) else { return nil }
            let level = settings.plan.level.flatMap {
                X265Parameters.mostBits(level: $0, isHighTier: parameters.bHighTier != 0)
            }
            return settings.breach(ofAverage: Int(parameters.rc.bitrate), levelBits: level)
        },
        X264Family.colorRule(\.vui.colorPrimaries) { ColorDescription(primaries: Int($0.vui.colorPrimaries)) },
        X264Family.colorRule(\.vui.transferCharacteristics) {
            ColorDescription(transfer: Int($0.vui.transferCharacteristics))
        },
        X264Family.colorRule(\.vui.matrixCoeffs) { ColorDescription(matrix: Int($0.vui.matrixCoeffs)) },
    ]

    /// The offsets count pairs of samples of 4:2:0 pictures (E.3.1).
    private static let window = OptionRule<x265_param>([
        \.vui.defDispWinLeftOffset, \.vui.defDispWinRightOffset, \.vui.defDispWinTopOffset,
        \.vui.defDispWinBottomOffset,
    ]) { parameters, _ in
        let vui = parameters.vui
        let (columns, rows) = ((Int(parameters.sourceWidth) - 1) / 2, (Int(parameters.sourceHeight) - 1) / 2)
        guard
            Int(vui.defDispWinLeftOffset) + Int(vui.defDispWinRightOffset) > columns
                || Int(vui.defDispWinTopOffset) + Int(vui.defDispWinBottomOffset) > rows
        else { return nil }
        return OptionRule.Breach(
            nil,
            "nothing is left of \(parameters.sourceWidth)x\(parameters.sourceHeight), expected left and right of at most "
                + "\(columns) together, top and bottom of at most \(rows), in pairs of samples")
    }

    // MARK: - Needs

    private static let needs: [OptionRule<x265_param>] = [
        .need([\.rc.bStrictCbr], "an average bit rate, and \(buffer)") { parameters, _ in
            parameters.rc.rateControlMode == Int32(X265_RC_ABR.rawValue) && hasBuffer(parameters)
        },
        .need([\.rc.rfConstantMin, \.rc.rfConstantMax], "a constant rate factor, and \(buffer)") { parameters, _ in
            parameters.rc.rateControlMode == Int32(X265_RC_CRF.rawValue) && hasBuffer(parameters)
        },
        .need(
            [\.rc.vbvBufferInit, \.vbvBufferEnd, \.rc.bEnableConstVbv, \.minVbvFullness, \.maxVbvFullness], buffer
        ) { parameters, _ in hasBuffer(parameters) },
        .need([\.vbvEndFrameAdjust], "vbv-end and SourceFrameCount, and \(buffer)") { parameters, _ in
            parameters.vbvBufferEnd > 0 && parameters.totalFrames > 0 && hasBuffer(parameters)
        },
    ]

    private static let buffer = "limits: DataRateLimits, or vbv-maxrate and vbv-bufsize"

    private static func hasBuffer(_ parameters: x265_param) -> Bool {
        parameters.rc.vbvMaxBitrate > 0 && parameters.rc.vbvBufferSize > 0
    }
}
