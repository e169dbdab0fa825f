// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport
import ParameterSets

extension X265Parameters {
    /// Who decides which fields of `x265_param`: every field stands here once.
    static let groups: [ParameterGroup<x265_param>] =
        rateGroups + assigned.map(\.group) + [otherKeyFrames] + streamGroups + sessionGroups + analysisGroups
        + optionGroups

    // MARK: - Settings

    /// Settings that are an assignment each.
    static let assigned: [AssignedSetting<x265_param>] = [
        keyFrameInterval,
        AssignedSetting(.allowOpenGOP, [\.bOpenGOP]) { $1.bOpenGOP = $0.allowOpenGOP ? 1 : 0 },
        // One frame to come makes libx265 signal Main Still Picture, which is wrong if more come after all.
        AssignedSetting(.sourceFrameCount, [\.totalFrames]) { request, parameters in
            if let count = request.sourceFrameCount { parameters.totalFrames = count == 1 ? 0 : Int32(clamping: count) }
        },
        AssignedSetting(
            .pixelAspectRatio, \.request.pixelAspectRatio,
            [\.vui.aspectRatioIdc, \.vui.sarWidth, \.vui.sarHeight]
        ) { ratio, parameters in
            let coded = AspectRatioInfo(ratio)
            parameters.vui.aspectRatioIdc = Int32(clamping: coded.aspectRatioIdc)
            parameters.vui.sarWidth = Int32(clamping: coded.sarWidth)
            parameters.vui.sarHeight = Int32(clamping: coded.sarHeight)
        } text: { parameters in
            var coded = AspectRatioInfo()
            coded.aspectRatioIdc = Int(parameters.vui.aspectRatioIdc)
            (coded.sarWidth, coded.sarHeight) = (Int(parameters.vui.sarWidth), Int(parameters.vui.sarHeight))
            return coded.pixelAspectRatio?.description
        },
        AssignedSetting(
            .color, \.request.signalledColor,
            [
                \.vui.bEnableVideoSignalTypePresentFlag, \.vui.bEnableVideoFullRangeFlag,
                \.vui.bEnableColorDescriptionPresentFlag, \.vui.colorPrimaries, \.vui.transferCharacteristics,
                \.vui.matrixCoeffs,
            ]
        ) { color, parameters in
            parameters.vui.bEnableVideoSignalTypePresentFlag = 1
            parameters.vui.bEnableVideoFullRangeFlag = color.isFullRange ? 1 : 0
            parameters.vui.bEnableColorDescriptionPresentFlag = 1
            parameters.vui.colorPrimaries = Int32(clamping: color.primaries)
            parameters.vui.transferCharacteristics = Int32(clamping: color.transfer)
            parameters.vui.matrixCoeffs = Int32(clamping: color.matrix)
        } text: { parameters in
            let vui = parameters.vui
            let isFullRange = vui.bEnableVideoFullRangeFlag != 0
            guard vui.bEnableColorDescriptionPresentFlag != 0 || isFullRange else { return nil }
            let codes = "\(vui.colorPrimaries),\(vui.transferCharacteristics),\(vui.matrixCoeffs)"
            return isFullRange ? codes + ",full" : codes
        },
    ]

    private static let rateGroups: [ParameterGroup<x265_param>] = [
        ParameterGroup(
            [\.rc.rateControlMode, \.rc.qp, \.rc.bitrate, \.rc.rfConstant, \.bLossless], asked: \.askedRate
        ) { parameters, _ in
            if parameters.bLossless != 0 { return (.quality, "1") }
            return switch X265_RC_METHODS(UInt32(clamping: parameters.rc.rateControlMode)) {
            case X265_RC_CQP: (.constantQuantizer, "\(parameters.rc.qp)")
            case X265_RC_CRF: (.constantRateFactor, "\(parameters.rc.rfConstant)")
            default: ResolvedSettings.average(kilobits: Int(parameters.rc.bitrate))
            }
        },
        ParameterGroup([\.rc.vbvMaxBitrate, \.rc.vbvBufferSize], asked: \.askedBuffer) { parameters, _ in
            let (rate, size) = (Int(parameters.rc.vbvMaxBitrate) * 1000, Int(parameters.rc.vbvBufferSize) * 1000)
            guard !hasFixedQuantizers(parameters), rate > 0, size > 0 else { return nil }
            return (.dataRateLimits, ResolvedSettings.text(bitsPerSecond: rate, bufferBits: size))
        },
        // Both change samples or quantizers that a setting fixes.
        ParameterGroup([\.minLuma, \.maxLuma], asked: { $0.live.rate.control == .quality(1) ? .quality : nil }),
        ParameterGroup(
            [\.bAQMotion],
            asked: { if case .constantQuantizer = $0.live.rate.control { .constantQuantizer } else { nil } }),
        ParameterGroup([\.rc.vbvBufferInit], asked: \.askedBufferStart),
        // How far rate factors may go matters to limits only.
        ParameterGroup(.dataRateLimits, [\.rc.rfConstantMax]),
        ParameterGroup([\.rc.bStrictCbr], asked: \.askedFiller),
        ParameterGroup([\.bEnableWavefront], asked: { losesWavefront($0) ? $0.askedBuffer : nil }),
        ParameterGroup(.minAllowedFrameQP, [\.rc.qpMin]) { "\($0.rc.qpMin)" },
        ParameterGroup(.maxAllowedFrameQP, [\.rc.qpMax]) { "\($0.rc.qpMax)" },
        ParameterGroup([\.fpsNum, \.fpsDenom], asked: { _ in .expectedFrameRate }),
    ]

    private static let streamGroups: [ParameterGroup<x265_param>] = [
        // Never free: libx265 crashes with levels that small pictures cannot have.
        ParameterGroup([\.levelIdc], asked: { $0.askedLevel ?? .profileLevel }),
        ParameterGroup([\.bHighTier, \.bAllowNonConformance], asked: \.askedLevel),
        ParameterGroup([\.bframes], asked: \.askedBPictures),
        ParameterGroup([\.lookaheadDepth, \.maxSlices], asked: \.askedRealTime),
        ParameterGroup(.threadCount, [\.numaPools]),
        ParameterGroup(
            [\.frameNumThreads], asked: { $0.request.threadCount == 1 ? .threadCount : $0.askedRealTime }),
    ]

    // MARK: - The session

    private static let sessionGroups: [ParameterGroup<x265_param>] = [
        ParameterGroup(
            session: [
                \.sourceWidth, \.sourceHeight, \.sourceBitDepth, \.internalBitDepth, \.internalCsp, \.interlaceMode,
                \.bField, \.pictureStructure, \.confWinRightOffset, \.confWinBottomOffset,
            ], "the session fixes what pictures look like"),
        ParameterGroup(
            session: [\.bAnnexB, \.bRepeatHeaders, \.bEmitInfoSEI],
            "the session frames the stream and places its headers"),
        ParameterGroup(
            session: [\.logLevel, \.bLogCuStats, \.csvfn, \.csvLogLevel, \.csvfpt], "libx265 has nowhere to write to"),
        ParameterGroup(session: [\.bEnablePsnr, \.bEnableSsim], "libx265 measures them for its own log only"),
        ParameterGroup(session: [\.cpuid, \.bLowPassDct], "it would change every encoder of the process"),
        ParameterGroup(
            session: [\.bEnableFrameDuplication, \.dupThreshold, \.chunkStart, \.chunkEnd],
            "it drops frames from the stream"),
        ParameterGroup(
            session: [\.forceFlush, \.bCopyPicToFrame, \.bCTUInfo, \.ctuDistortionRefine, \.reconfigWindowSize],
            "it needs calls no session makes"),
        ParameterGroup(
            session: [\.rc.lambdaFileName, \.naluFile, \.toneMapFile, \.bDhdr10opt, \.rc.zonefileCount],
            "no file is read"),
        ParameterGroup(
            session: [\.rc.zoneCount, \.rc.zones, \.bResetZoneConfig, \.dolbyProfile, \.uhdBluray],
            "it needs more than a name and a value"),
        ParameterGroup(
            session: [\.bOptQpPPS, \.bOptRefListLengthPPS], "it changes parameter sets in the middle of the stream"),
        ParameterGroup(session: [\.bEmitVUITimingInfo], "without it libx265 3.5 writes a VUI that cannot be read"),
        ParameterGroup(
            session: [\.bHistBasedSceneCut, \.edgeTransitionThreshold],
            "it reads planes as if their rows had no padding"),
        ParameterGroup(session: [\.bEnableSvtHevc, \.svtHevcParam], "this back end is libx265's own encoder"),
        ParameterGroup(
            session: [\.maxLog2CUSize, \.maxCUDepth, \.unitSizeDepth, \.num4x4Partitions, \.bDisableLookahead],
            "libx265 derives it"),
    ]

    private static let analysisGroups: [ParameterGroup<x265_param>] = [
        ParameterGroup(
            session: [
                \.rc.bStatWrite, \.rc.bStatRead, \.rc.statFileName, \.rc.bEnableSlowFirstPass, \.bUseRcStats,
                \.bMultiPassOptRPS, \.analysisMultiPassRefine, \.analysisMultiPassDistortion, \.bliveVBV2pass,
                \.bEnableSceneCutAwareQp, \.fwdScenecutWindow, \.fwdRefQpDelta, \.fwdNonRefQpDelta,
                \.bwdScenecutWindow, \.bwdRefQpDelta, \.bwdNonRefQpDelta,
            ], "a session encodes once"),
        ParameterGroup(
            session: [
                \.analysisReuseMode, \.analysisReuseFileName, \.analysisReuseLevel, \.analysisSave, \.analysisLoad,
                \.analysisSaveReuseLevel, \.analysisLoadReuseLevel, \.bUseAnalysisFile, \.bAnalysisType, \.scaleFactor,
                \.intraRefine, \.interRefine, \.mvRefine, \.bDynamicRefine,
            ], "analysis data of another encode cannot be given"),
    ]

    // MARK: - Native options

    /// What presets and native options decide: rate control, what is signalled, and how pictures are analysed.
    private static let optionGroups: [ParameterGroup<x265_param>] = [
        ParameterGroup(options: [
            \.rc.qCompress, \.rc.ipFactor, \.rc.pbFactor, \.rc.qpStep, \.rc.aqMode, \.rc.hevcAq, \.rc.aqStrength,
            \.rc.qpAdaptationRange, \.rc.cuTree, \.rc.rfConstantMin, \.rc.qblur, \.rc.complexityBlur,
            \.rc.qgSize, \.rc.bEnableGrain, \.rc.bEnableConstVbv, \.vbvBufferEnd, \.vbvEndFrameAdjust,
            \.minVbvFullness, \.maxVbvFullness, \.decoderVbvMaxRate, \.cbQpOffset, \.crQpOffset,
            \.bOptCUDeltaQP, \.dynamicRd, \.bSsimRd, \.psyRd, \.psyRdoq, \.rdoqLevel, \.rdLevel,
            \.rdPenalty, \.bEnableRdRefine, \.noiseReductionIntra, \.noiseReductionInter, \.maxAUSizeFactor,
        ]),
        ParameterGroup(options: [
            \.bEnableAccessUnitDelimiters, \.bEmitHRDSEI, \.decodedPictureHashSEI, \.bEnableTemporalSubLayers,
            \.preferredTransferCharacteristics, \.vui.bEnableOverscanInfoPresentFlag,
            \.vui.bEnableOverscanAppropriateFlag, \.vui.videoFormat, \.vui.bEnableChromaLocInfoPresentFlag,
            \.vui.chromaSampleLocTypeTopField, \.vui.chromaSampleLocTypeBottomField,
            \.vui.bEnableDefaultDisplayWindowFlag, \.vui.defDispWinLeftOffset, \.vui.defDispWinRightOffset,
            \.vui.defDispWinTopOffset, \.vui.defDispWinBottomOffset, \.masteringDisplayColorVolume, \.maxCLL, \.maxFALL,
            \.log2MaxPocLsb, \.bEmitVUIHRDInfo,
            \.bEmitHDRSEI, \.bEmitHDR10SEI, \.bHDROpt, \.bHDR10Opt, \.bEmitCLL, \.bEmitIDRRecoverySEI, \.bSingleSeiNal,
            \.bEnableHRDConcatFlag, \.radl, \.scalingLists,
        ]),
        ParameterGroup(options: [
            \.bDistributeModeAnalysis, \.bDistributeMotionEstimation, \.maxNumReferences, \.bFrameAdaptive, \.bBPyramid,
            \.bFrameBias, \.lookaheadSlices, \.lookaheadThreads, \.scenecutThreshold, \.scenecutBias, \.gopLookahead,
            \.bEnableFades, \.keyframeMin, \.maxCUSize, \.minCUSize, \.bEnableRectInter, \.bEnableAMP, \.maxTUSize,
            \.tuQTMaxInterDepth, \.tuQTMaxIntraDepth, \.limitTU, \.bEnableSignHiding, \.bEnableTransformSkip,
            \.bEnableConstrainedIntra, \.bEnableStrongIntraSmoothing, \.maxNumMergeCand, \.limitReferences,
            \.limitModes,
            \.searchMethod, \.subpelRefine, \.searchRange, \.bEnableTemporalMvp, \.bEnableHME, \.hmeSearchMethod,
            \.hmeRange, \.bEnableWeightedPred, \.bEnableWeightedBiPred, \.bSourceReferenceEstimation,
            \.bEnableLoopFilter, \.deblockingFilterTCOffset, \.deblockingFilterBetaOffset, \.bEnableSAO,
            \.bSaoNonDeblocked, \.selectiveSAO, \.bLimitSAO, \.bEnableEarlySkip, \.recursionSkipMode,
            \.bEnableFastIntra, \.bEnableTSkipFast, \.bCULossless, \.bIntraInBFrames, \.bEnableSplitRdSkip,
            \.edgeVarThreshold,
        ]),
    ]
}
