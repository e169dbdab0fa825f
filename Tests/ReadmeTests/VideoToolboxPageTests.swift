// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The page that finds what VideoToolbox has.
@Suite struct VideoToolboxPageTests {
    /// kVTCompressionPropertyKey_…, those of calibrated cameras by the one that holds them.
    static let properties = """
        NumberOfPendingFrames PixelBufferPoolIsShared VideoEncoderPixelBufferAttributes MaxKeyFrameInterval
        MaxKeyFrameIntervalDuration AllowTemporalCompression AllowFrameReordering AllowOpenGOP AverageBitRate
        DataRateLimits Quality TargetQualityForAlpha MoreFramesBeforeStart MoreFramesAfterEnd
        PrioritizeEncodingSpeedOverQuality ConstantBitRate EstimatedAverageBytesPerFrame VariableBitRate VBVMaxBitRate
        VBVBufferDuration VBVInitialDelayPercentage ProfileLevel OutputBitDepth HDRMetadataInsertionMode H264EntropyMode
        Depth PreserveAlphaChannel MaxFrameDelayCount MaxH264SliceBytes RealTime MaximizePowerEfficiency SourceFrameCount
        ExpectedFrameRate MaximumRealTimeFrameRate BaseLayerFrameRateFraction BaseLayerFrameRate
        BaseLayerBitRateFraction ExpectedDuration ReferenceBufferCount CalculateMeanSquaredError
        UsingHardwareAcceleratedVideoEncoder UsingGPURegistryID SupportsBaseFrameQP CleanAperture PixelAspectRatio
        FieldCount FieldDetail AspectRatio16x9 ProgressiveScan ColorPrimaries TransferFunction YCbCrMatrix ICCProfile
        GammaLevel MasteringDisplayColorVolume ContentLightLevelInfo AlphaChannelMode PixelTransferProperties
        MultiPassStorage EncoderID RecommendedParallelizationLimit RecommendedParallelizedSubdivisionMinimumFrameCount
        RecommendedParallelizedSubdivisionMinimumDuration PreserveDynamicHDRMetadata MaxAllowedFrameQP MinAllowedFrameQP
        EnableLTR SuggestedLookAheadFrameCount SpatialAdaptiveQPLevel SupportedPresetDictionaries MVHEVCVideoLayerIDs
        MVHEVCViewIDs MVHEVCLeftAndRightViewIDs HeroEye StereoCameraBaseline HorizontalDisparityAdjustment
        HorizontalFieldOfView HasLeftStereoEyeView HasRightStereoEyeView ProjectionKind ViewPackingKind
        CameraCalibrationDataLensCollection ConstantQualityFactor LogTransferFunction
        """

    static let functions = """
        VTCompressionSessionCreate VTCompressionSessionPrepareToEncodeFrames VTCompressionSessionEncodeFrame
        EncodeFrameWithOutputHandler VTCompressionSessionEncodeMultiImageFrame VTIsStereoMVHEVCEncodeSupported VTCompressionSessionCompleteFrames
        VTCompressionSessionInvalidate VTCompressionSessionGetPixelBufferPool VTCompressionSessionGetTypeID
        VTCompressionSessionBeginPass EndPass GetTimeRangesForNextPass VTMultiPassStorage VTFrameSilo
        VTSessionSetProperty VTSessionSetProperties VTSessionCopyProperty VTSessionCopySupportedPropertyDictionary
        VTSessionCopySerializableProperties VTCopyVideoEncoderList VTCopySupportedPropertyDictionaryForEncoder
        VTPixelTransferSession VTDecompressionSession IncludeStandardDefinitionDVEncoders kVTPropertyTypeKey
        CMFormatDescriptionEqual CVPixelBufferPoolFlush
        """

    static let rest = """
        ForceKeyFrame BaseFrameQP AcknowledgedLTRTokens ForceLTRRefresh kVTEncodeInfo_Asynchronous FrameDropped
        RequireHardwareAcceleratedVideoEncoder EnableHardwareAcceleratedVideoEncoder RequiredEncoderGPURegistryID
        PreferredEncoderGPURegistryID EnableLowLatencyRateControl NotSync PartialSync DependsOnOthers
        IsDependedOnByOthers EarlierDisplayTimesAllowed HasRedundantCoding DisplayImmediately DoNotDisplay
        QualityMetrics RequireLTRAcknowledgementToken CMSampleBuffer CMBlockBuffer CMVideoFormatDescription CMTime
        CMTimeRange CMClock CVPixelBuffer CVPixelBufferPool y420 f420 420v 420f x420 xf20 422v 2vuy v210 L008 32BGRA
        DroppedFrameReason HDR10PlusPerFrameData HEVCSyncSampleNALUnitType kCMSampleBufferAttachmentKey_ForceKeyFrame
        kVTQPModulationLevel_Default kVTCompressionPreset_HighQuality kCMTimeInvalid
        -12900 -12901 -12902 -12903 -12904 -12905 -12907 -12908 -12912 -12915 -12916 -12917 -12211 -12213 -12214 -12215
        -12216 -12218 -17691
        """

    @Test("every function, property, option, type and status has its row", arguments: [functions, properties, rest])
    func complete(names: String) throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/EncoderAPI/EncoderAPI.docc/ComparedWithVideoToolbox.md").standardizedFileURL
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }
        // What the last column does not name: a difference may name anything.
        let named = rows.flatMap { row in
            row.split(separator: "|").dropLast().joined(separator: " ").split {
                !"-_".contains($0) && !$0.isLetter && !$0.isNumber
            }
        }
        let words = Set(named.flatMap { [String($0)] + $0.split(separator: "_").map(String.init) })
        let missing = names.split(whereSeparator: \.isWhitespace).filter { !words.contains(String($0)) }
        #expect(missing.isEmpty)
    }
}
