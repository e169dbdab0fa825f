// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - Rate

    // Immutable, and never written to after it was made.
    /// Long-term mean in bit/s: 0, which leaves it to the encoder, or 1000 to 1,000,000,000.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
    // Immutable, and never written to after it was made.
    /// A list of up to two pairs: bytes, and seconds in which no more may be sent.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
    // Immutable, and never written to after it was made.
    /// 0 to 1, where 1 is lossless if the encoder can; an average counts over it.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_Quality: CFString = "Quality"
    // Immutable, and never written to after it was made.
    /// A quality that is held; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ConstantQualityFactor: CFString = "ConstantQualityFactor"
    // Immutable, and never written to after it was made.
    /// A rate that is held with padding, in bit/s, in an average's range; -12900 where the encoder has no such mode.
    ///
    /// Of average, constant and variable rate the one that was set last counts.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ConstantBitRate: CFString = "ConstantBitRate"
    // Immutable, and never written to after it was made.
    /// A mean below a peak, in bit/s, in an average's range; -12900 where the encoder has no such mode.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_VariableBitRate: CFString = "VariableBitRate"
    // Immutable, and never written to after it was made.
    /// The peak of a variable rate, 1000 to 1,000,000,000 bit/s; -12900 where the encoder has no such mode.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_VBVMaxBitRate: CFString = "VBVMaxBitRate"
    // Immutable, and never written to after it was made.
    /// Size of the buffer of a constant or variable rate, 0.001 to 3600 seconds; -12900 where the encoder has none.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_VBVBufferDuration: CFString = "VBVBufferDuration"
    // Immutable, and never written to after it was made.
    /// How full the buffer begins, 0 to 100; -12900 where the encoder has none.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_VBVInitialDelayPercentage: CFString =
        "VBVInitialDelayPercentage"
    // Immutable, and never written to after it was made.
    /// Smallest quantizer, in the encoder's range.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MinAllowedFrameQP: CFString = "MinAllowedFrameQP"
    // Immutable, and never written to after it was made.
    /// Largest quantizer, in the encoder's range.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxAllowedFrameQP: CFString = "MaxAllowedFrameQP"
    // Immutable, and never written to after it was made.
    /// Bytes of a frame, by average and expected rate; read-only, 0 where either is not known.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_EstimatedAverageBytesPerFrame: CFString =
        "EstimatedAverageBytesPerFrame"
    // Immutable, and never written to after it was made.
    /// Whether a series began before; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MoreFramesBeforeStart: CFString = "MoreFramesBeforeStart"
    // Immutable, and never written to after it was made.
    /// Whether a series goes on afterwards; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MoreFramesAfterEnd: CFString = "MoreFramesAfterEnd"

    // MARK: - Structure

    // Immutable, and never written to after it was made.
    /// Most frames from one sync frame to the next; 0 leaves it to the encoder, 1 makes each one.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
    // Immutable, and never written to after it was made.
    /// The same in seconds, by presentation times, whichever comes first; 0 for none.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString =
        "MaxKeyFrameIntervalDuration"
    // Immutable, and never written to after it was made.
    /// Whether frames may depend on others; false makes each one a sync frame.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowTemporalCompression: CFString =
        "AllowTemporalCompression"
    // Immutable, and never written to after it was made.
    /// Whether frames may be coded in another order than they are shown.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
    // Immutable, and never written to after it was made.
    /// Whether frames may depend on others across a sync frame; false by default, for HEVC too.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowOpenGOP: CFString = "AllowOpenGOP"
    // Immutable, and never written to after it was made.
    /// Most frames that the encoder holds; kVTUnlimitedFrameDelayCount for any number.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxFrameDelayCount: CFString = "MaxFrameDelayCount"
    // Immutable, and never written to after it was made.
    /// Most reference pictures; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ReferenceBufferCount: CFString = "ReferenceBufferCount"
    // Immutable, and never written to after it was made.
    /// Share of frames in the base layer; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_BaseLayerFrameRateFraction: CFString =
        "BaseLayerFrameRateFraction"
    // Immutable, and never written to after it was made.
    /// Frames per second in the base layer; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_BaseLayerFrameRate: CFString = "BaseLayerFrameRate"
    // Immutable, and never written to after it was made.
    /// Share of bits in the base layer; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_BaseLayerBitRateFraction: CFString =
        "BaseLayerBitRateFraction"
    // Immutable, and never written to after it was made.
    /// Long-term references; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_EnableLTR: CFString = "EnableLTR"
    // Immutable, and never written to after it was made.
    /// Largest slice; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxH264SliceBytes: CFString = "MaxH264SliceBytes"

    // MARK: - Coding

    // Immutable, and never written to after it was made.
    /// One of the kVTProfileLevel constants of the codec.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
    // Immutable, and never written to after it was made.
    /// kVTH264EntropyMode_CAVLC or _CABAC; of HEVC -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"
    // Immutable, and never written to after it was made.
    /// Bits of a sample of the stream; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_OutputBitDepth: CFString = "OutputBitDepth"
    // Immutable, and never written to after it was made.
    /// Alpha; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_PreserveAlphaChannel: CFString = "PreserveAlphaChannel"
    // Immutable, and never written to after it was made.
    /// Quality of alpha; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_TargetQualityForAlpha: CFString = "TargetQualityForAlpha"
    // Immutable, and never written to after it was made.
    /// How alpha is meant; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_AlphaChannelMode: CFString = "AlphaChannelMode"
    // Immutable, and never written to after it was made.
    /// Format of codecs of RGB; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_Depth: CFString = "Depth"
    // Immutable, and never written to after it was made.
    /// Quantizers by block; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_SpatialAdaptiveQPLevel: CFString = "SpatialAdaptiveQPLevel"
    // Immutable, and never written to after it was made.
    /// Frames to look ahead; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_SuggestedLookAheadFrameCount: CFString =
        "SuggestedLookAheadFrameCount"
    // Immutable, and never written to after it was made.
    /// Error of each frame; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_CalculateMeanSquaredError: CFString =
        "CalculateMeanSquaredError"

    // MARK: - How fast

    // Immutable, and never written to after it was made.
    /// Whether frames come out as fast as they come: none is reordered, and none waits for a later one.
    ///
    /// But with libx264 above 1080p30 each thread except the first holds one, unless MaxFrameDelayCount is 0.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
    // Immutable, and never written to after it was made.
    /// A hint, which changes nothing here.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaximizePowerEfficiency: CFString =
        "MaximizePowerEfficiency"
    // Immutable, and never written to after it was made.
    /// A hint, which changes nothing here.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality: CFString =
        "PrioritizeEncodingSpeedOverQuality"
    // Immutable, and never written to after it was made.
    /// A hint, which changes nothing here.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MaximumRealTimeFrameRate: CFString =
        "MaximumRealTimeFrameRate"
    // Immutable, and never written to after it was made.
    /// Frames to come; 0 where it is not known.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_SourceFrameCount: CFString = "SourceFrameCount"
    // Immutable, and never written to after it was made.
    /// Frames per second to come, a hint that contradicting times win over; 0 where it is not known.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
    // Immutable, and never written to after it was made.
    /// Seconds to come; a hint, which changes nothing here.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ExpectedDuration: CFString = "ExpectedDuration"
    // Immutable, and never written to after it was made.
    /// Sessions at once; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_RecommendedParallelizationLimit: CFString =
        "RecommendedParallelizationLimit"
    // Immutable, and never written to after it was made.
    /// Frames of a part; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_RecommendedParallelizedSubdivisionMinimumFrameCount:
        CFString = "RecommendedParallelizedSubdivisionMinimumFrameCount"
    // Immutable, and never written to after it was made.
    /// Duration of a part; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_RecommendedParallelizedSubdivisionMinimumDuration:
        CFString = "RecommendedParallelizedSubdivisionMinimumDuration"
    // Immutable, and never written to after it was made.
    /// Settings for purposes; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_SupportedPresetDictionaries: CFString =
        "SupportedPresetDictionaries"

    // MARK: - Pictures

    // Immutable, and never written to after it was made.
    /// How frames of another size are made into the session's: a dictionary with ScalingMode, whose default is Trim.
    ///
    /// DownsamplingMode and RealTime are hints, which change nothing; other keys in it are refused with -12902.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_PixelTransferProperties: CFString =
        "PixelTransferProperties"
    // Immutable, and never written to after it was made.
    /// What buffers best look like; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes: CFString =
        "VideoEncoderPixelBufferAttributes"
    // Immutable, and never written to after it was made.
    /// Whether encoder and client share one pool: false; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_PixelBufferPoolIsShared: CFString =
        "PixelBufferPoolIsShared"
    // Immutable, and never written to after it was made.
    /// The part that is meant to be seen; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_CleanAperture: CFString = "CleanAperture"
    // Immutable, and never written to after it was made.
    /// Shape of a sample: a dictionary of HorizontalSpacing and VerticalSpacing, 1 to 65535.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_PixelAspectRatio: CFString = "PixelAspectRatio"
    // Immutable, and never written to after it was made.
    /// Number of fields; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_FieldCount: CFString = "FieldCount"
    // Immutable, and never written to after it was made.
    /// Order of fields; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_FieldDetail: CFString = "FieldDetail"
    // Immutable, and never written to after it was made.
    /// Of DV; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_AspectRatio16x9: CFString = "AspectRatio16x9"
    // Immutable, and never written to after it was made.
    /// Of DV; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ProgressiveScan: CFString = "ProgressiveScan"
    // Immutable, and never written to after it was made.
    /// Primaries to signal, one of CoreVideo's names; counts over what is attached to buffers.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ColorPrimaries: CFString = "ColorPrimaries"
    // Immutable, and never written to after it was made.
    /// Transfer function to signal, likewise.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_TransferFunction: CFString = "TransferFunction"
    // Immutable, and never written to after it was made.
    /// Matrix to signal, likewise.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_YCbCrMatrix: CFString = "YCbCrMatrix"
    // Immutable, and never written to after it was made.
    /// A logarithmic transfer function; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_LogTransferFunction: CFString = "LogTransferFunction"
    // Immutable, and never written to after it was made.
    /// A profile; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ICCProfile: CFString = "ICCProfile"
    // Immutable, and never written to after it was made.
    /// A gamma; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_GammaLevel: CFString = "GammaLevel"
    // Immutable, and never written to after it was made.
    /// Of HDR10; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MasteringDisplayColorVolume: CFString =
        "MasteringDisplayColorVolume"
    // Immutable, and never written to after it was made.
    /// Of HDR10; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ContentLightLevelInfo: CFString = "ContentLightLevelInfo"
    // Immutable, and never written to after it was made.
    /// Auto, the default, or None; nothing is inserted here.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_HDRMetadataInsertionMode: CFString =
        "HDRMetadataInsertionMode"
    // Immutable, and never written to after it was made.
    /// Of HDR10+; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_PreserveDynamicHDRMetadata: CFString =
        "PreserveDynamicHDRMetadata"

    // MARK: - The session

    // Immutable, and never written to after it was made.
    /// Frames that are inside; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_NumberOfPendingFrames: CFString = "NumberOfPendingFrames"
    // Immutable, and never written to after it was made.
    /// The encoder's identity, such as "x264.h264"; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_EncoderID: CFString = "EncoderID"
    // Immutable, and never written to after it was made.
    /// Whether a device encodes; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: CFString =
        "UsingHardwareAcceleratedVideoEncoder"
    // Immutable, and never written to after it was made.
    /// The device's number, of /dev/dri/renderD128 128, nothing for the CPU; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_UsingGPURegistryID: CFString = "UsingGPURegistryID"
    // Immutable, and never written to after it was made.
    /// Whether frames may come with a quantizer: false; read-only.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_SupportsBaseFrameQP: CFString = "SupportsBaseFrameQP"
    // Immutable, and never written to after it was made.
    /// Passes; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MultiPassStorage: CFString = "MultiPassStorage"

    // MARK: - Space

    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MVHEVCVideoLayerIDs: CFString = "MVHEVCVideoLayerIDs"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MVHEVCViewIDs: CFString = "MVHEVCViewIDs"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_MVHEVCLeftAndRightViewIDs: CFString =
        "MVHEVCLeftAndRightViewIDs"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_HeroEye: CFString = "HeroEye"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_StereoCameraBaseline: CFString = "StereoCameraBaseline"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_HorizontalDisparityAdjustment: CFString =
        "HorizontalDisparityAdjustment"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_HasLeftStereoEyeView: CFString = "HasLeftStereoEyeView"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_HasRightStereoEyeView: CFString = "HasRightStereoEyeView"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_HorizontalFieldOfView: CFString = "HorizontalFieldOfView"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ProjectionKind: CFString = "ProjectionKind"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_ViewPackingKind: CFString = "ViewPackingKind"
    // Immutable, and never written to after it was made.
    /// MV-HEVC; not offered: -12900.
    public nonisolated(unsafe) let kVTCompressionPropertyKey_CameraCalibrationDataLensCollection: CFString =
        "CameraCalibrationDataLensCollection"
#endif
