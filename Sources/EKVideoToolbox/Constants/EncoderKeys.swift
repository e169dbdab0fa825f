// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - What VTCompressionSessionCreate is told

    // Immutable, and never written to after it was made.
    /// The only encoder to take, by its identity.
    public nonisolated(unsafe) let kVTVideoEncoderSpecification_EncoderID: CFString = "EncoderID"
    // Immutable, and never written to after it was made.
    /// Whether devices may encode: true, the default, puts them first.
    public nonisolated(unsafe) let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: CFString =
        "EnableHardwareAcceleratedVideoEncoder"
    // Immutable, and never written to after it was made.
    /// Whether only devices may encode.
    public nonisolated(unsafe) let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: CFString =
        "RequireHardwareAcceleratedVideoEncoder"
    // Immutable, and never written to after it was made.
    /// The only device to take: 128 for /dev/dri/renderD128.
    public nonisolated(unsafe) let kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID: CFString =
        "RequiredEncoderGPURegistryID"
    // Immutable, and never written to after it was made.
    /// The device to take first.
    public nonisolated(unsafe) let kVTVideoEncoderSpecification_PreferredEncoderGPURegistryID: CFString =
        "PreferredEncoderGPURegistryID"
    // Immutable, and never written to after it was made.
    /// Whether the session is in real time, without reordering, and with sync frames only where they are asked for.
    ///
    /// It begins with RealTime true, MaxFrameDelayCount 0, AllowFrameReordering false and MaxKeyFrameInterval 2^30.
    /// Keys that are set later count, and nil sets these again. An encoder without MaxFrameDelayCount does without.
    public nonisolated(unsafe) let kVTVideoEncoderSpecification_EnableLowLatencyRateControl: CFString =
        "EnableLowLatencyRateControl"

    // MARK: - What VTCopyVideoEncoderList tells of each encoder

    // Immutable, and never written to after it was made.
    /// A CMVideoCodecType, a number.
    public nonisolated(unsafe) let kVTVideoEncoderList_CodecType: CFString = "CodecType"
    // Immutable, and never written to after it was made.
    /// The encoder's identity.
    public nonisolated(unsafe) let kVTVideoEncoderList_EncoderID: CFString = "EncoderID"
    // Immutable, and never written to after it was made.
    /// The codec's name for people.
    public nonisolated(unsafe) let kVTVideoEncoderList_CodecName: CFString = "CodecName"
    // Immutable, and never written to after it was made.
    /// The encoder's name for people.
    public nonisolated(unsafe) let kVTVideoEncoderList_EncoderName: CFString = "EncoderName"
    // Immutable, and never written to after it was made.
    /// The encoder's name with the codec's.
    public nonisolated(unsafe) let kVTVideoEncoderList_DisplayName: CFString = "DisplayName"
    // Immutable, and never written to after it was made.
    /// The device's number; absent for the CPU.
    public nonisolated(unsafe) let kVTVideoEncoderList_GPURegistryID: CFString = "GPURegistryID"
    // Immutable, and never written to after it was made.
    /// What the encoder can be chosen by, a dictionary; none is given here.
    public nonisolated(unsafe) let kVTVideoEncoderList_SupportedSelectionProperties: CFString =
        "SupportedSelectionProperties"
    // Immutable, and never written to after it was made.
    /// Not told here.
    public nonisolated(unsafe) let kVTVideoEncoderList_PerformanceRating: CFString = "PerformanceRating"
    // Immutable, and never written to after it was made.
    /// Not told here.
    public nonisolated(unsafe) let kVTVideoEncoderList_QualityRating: CFString = "QualityRating"
    // Immutable, and never written to after it was made.
    /// Not told here.
    public nonisolated(unsafe) let kVTVideoEncoderList_InstanceLimit: CFString = "InstanceLimit"
    // Immutable, and never written to after it was made.
    /// Whether a device encodes.
    public nonisolated(unsafe) let kVTVideoEncoderList_IsHardwareAccelerated: CFString = "IsHardwareAccelerated"
    // Immutable, and never written to after it was made.
    /// Whether frames may be coded in another order than they are shown.
    public nonisolated(unsafe) let kVTVideoEncoderList_SupportsFrameReordering: CFString = "SupportsFrameReordering"
    // Immutable, and never written to after it was made.
    /// Whether there are passes: false.
    public nonisolated(unsafe) let kVTVideoEncoderList_SupportsMultiPass: CFString = "SupportsMultiPass"
    // Immutable, and never written to after it was made.
    /// Changes nothing: there is no DV here.
    public nonisolated(unsafe) let kVTVideoEncoderListOption_IncludeStandardDefinitionDVEncoders: CFString =
        "IncludeStandardDefinitionDVEncoders"

    // MARK: - What dictionaries of supported properties tell

    // Immutable, and never written to after it was made.
    /// Enumeration, Boolean or Number.
    public nonisolated(unsafe) let kVTPropertyTypeKey: CFString = "PropertyType"
    // Immutable, and never written to after it was made.
    /// One of a list of values.
    public nonisolated(unsafe) let kVTPropertyType_Enumeration: CFString = "Enumeration"
    // Immutable, and never written to after it was made.
    /// True or false.
    public nonisolated(unsafe) let kVTPropertyType_Boolean: CFString = "Boolean"
    // Immutable, and never written to after it was made.
    /// A number.
    public nonisolated(unsafe) let kVTPropertyType_Number: CFString = "Number"
    // Immutable, and never written to after it was made.
    /// ReadOnly or ReadWrite.
    public nonisolated(unsafe) let kVTPropertyReadWriteStatusKey: CFString = "ReadWriteStatus"
    // Immutable, and never written to after it was made.
    /// It cannot be set.
    public nonisolated(unsafe) let kVTPropertyReadWriteStatus_ReadOnly: CFString = "ReadOnly"
    // Immutable, and never written to after it was made.
    /// It can be set.
    public nonisolated(unsafe) let kVTPropertyReadWriteStatus_ReadWrite: CFString = "ReadWrite"
    // Immutable, and never written to after it was made.
    /// Whether the value belongs to what VTSessionCopySerializableProperties copies.
    public nonisolated(unsafe) let kVTPropertyShouldBeSerializedKey: CFString = "ShouldBeSerialized"
    // Immutable, and never written to after it was made.
    /// The smallest value.
    public nonisolated(unsafe) let kVTPropertySupportedValueMinimumKey: CFString = "SupportedValueMinimum"
    // Immutable, and never written to after it was made.
    /// The largest value.
    public nonisolated(unsafe) let kVTPropertySupportedValueMaximumKey: CFString = "SupportedValueMaximum"
    // Immutable, and never written to after it was made.
    /// All values.
    public nonisolated(unsafe) let kVTPropertySupportedValueListKey: CFString = "SupportedValueList"
    // Immutable, and never written to after it was made.
    /// A text for people; none is given here.
    public nonisolated(unsafe) let kVTPropertyDocumentationKey: CFString = "Documentation"

    // MARK: - What goes with a frame

    // Immutable, and never written to after it was made.
    /// Whether the frame becomes a sync frame.
    public nonisolated(unsafe) let kVTEncodeFrameOptionKey_ForceKeyFrame: CFString = "ForceKeyFrame"
    // Immutable, and never written to after it was made.
    /// A quantizer; not offered: -12900.
    public nonisolated(unsafe) let kVTEncodeFrameOptionKey_BaseFrameQP: CFString = "BaseFrameQP"
    // Immutable, and never written to after it was made.
    /// Of long-term references; not offered: -12900.
    public nonisolated(unsafe) let kVTEncodeFrameOptionKey_AcknowledgedLTRTokens: CFString = "AcknowledgedLTRTokens"
    // Immutable, and never written to after it was made.
    /// Of long-term references; not offered: -12900.
    public nonisolated(unsafe) let kVTEncodeFrameOptionKey_ForceLTRRefresh: CFString = "ForceLTRRefresh"
    // Immutable, and never written to after it was made.
    /// Of long-term references; no sample has it.
    public nonisolated(unsafe) let kVTSampleAttachmentKey_RequireLTRAcknowledgementToken: CFString =
        "RequireLTRAcknowledgementToken"
    // Immutable, and never written to after it was made.
    /// Errors of a frame; no sample has them.
    public nonisolated(unsafe) let kVTSampleAttachmentKey_QualityMetrics: CFString = "QualityMetrics"
    // Immutable, and never written to after it was made.
    /// Of passes, which are not offered.
    public nonisolated(unsafe) let kVTMultiPassStorageCreationOption_DoNotDelete: CFString = "DoNotDelete"

    // MARK: - How pictures are transferred

    // Immutable, and never written to after it was made.
    /// What becomes of other sizes: one of the four below.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_ScalingMode: CFString = "ScalingMode"
    // Immutable, and never written to after it was made.
    /// Pictures are stretched.
    public nonisolated(unsafe) let kVTScalingMode_Normal: CFString = "Normal"
    // Immutable, and never written to after it was made.
    /// The clean aperture attached to a picture is stretched.
    public nonisolated(unsafe) let kVTScalingMode_CropSourceToCleanAperture: CFString = "CropSourceToCleanAperture"
    // Immutable, and never written to after it was made.
    /// Pictures are shown whole, with black bars.
    public nonisolated(unsafe) let kVTScalingMode_Letterbox: CFString = "Letterbox"
    // Immutable, and never written to after it was made.
    /// What stands out on two sides is cut off.
    public nonisolated(unsafe) let kVTScalingMode_Trim: CFString = "Trim"
    // Immutable, and never written to after it was made.
    /// How Cb and Cr are made: Decimate or Average; a hint, which changes nothing here.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DownsamplingMode: CFString = "DownsamplingMode"
    // Immutable, and never written to after it was made.
    /// Samples are left out.
    public nonisolated(unsafe) let kVTDownsamplingMode_Decimate: CFString = "Decimate"
    // Immutable, and never written to after it was made.
    /// Samples are averaged.
    public nonisolated(unsafe) let kVTDownsamplingMode_Average: CFString = "Average"
    // Immutable, and never written to after it was made.
    /// Not offered: -12900.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationCleanAperture: CFString =
        "DestinationCleanAperture"
    // Immutable, and never written to after it was made.
    /// Not offered: -12900.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationPixelAspectRatio: CFString =
        "DestinationPixelAspectRatio"
    // Immutable, and never written to after it was made.
    /// Primaries of what comes out, which are attached to it.
    ///
    /// Samples are not made into those of other primaries: a source whose attachments name others is refused with
    /// -12905, and one that names none is taken to have these.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationColorPrimaries: CFString =
        "DestinationColorPrimaries"
    // Immutable, and never written to after it was made.
    /// Transfer function of what comes out, likewise.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationTransferFunction: CFString =
        "DestinationTransferFunction"
    // Immutable, and never written to after it was made.
    /// The matrix of what comes out, which is attached to it: RGB is made into Y, Cb and Cr by it.
    ///
    /// Other samples keep their matrix: a source whose attachments name another is refused with -12905.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationYCbCrMatrix: CFString =
        "DestinationYCbCrMatrix"
    // Immutable, and never written to after it was made.
    /// Not offered: -12900.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationICCProfile: CFString = "DestinationICCProfile"
    // Immutable, and never written to after it was made.
    /// A hint, which changes nothing here.
    public nonisolated(unsafe) let kVTPixelTransferPropertyKey_RealTime: CFString = "RealTime"
    // Immutable, and never written to after it was made.
    /// A turn, clockwise: one of the four below.
    public nonisolated(unsafe) let kVTPixelRotationPropertyKey_Rotation: CFString = "Rotation"
    // Immutable, and never written to after it was made.
    /// Pictures stay as they are.
    public nonisolated(unsafe) let kVTRotation_0: CFString = "0"
    // Immutable, and never written to after it was made.
    /// A quarter to the right.
    public nonisolated(unsafe) let kVTRotation_CW90: CFString = "CW90"
    // Immutable, and never written to after it was made.
    /// A half.
    public nonisolated(unsafe) let kVTRotation_180: CFString = "180"
    // Immutable, and never written to after it was made.
    /// A quarter to the left.
    public nonisolated(unsafe) let kVTRotation_CCW90: CFString = "CCW90"
    // Immutable, and never written to after it was made.
    /// Whether pictures are mirrored left to right after they are turned.
    public nonisolated(unsafe) let kVTPixelRotationPropertyKey_FlipHorizontalOrientation: CFString =
        "FlipHorizontalOrientation"
    // Immutable, and never written to after it was made.
    /// Whether pictures are mirrored top to bottom after they are turned.
    public nonisolated(unsafe) let kVTPixelRotationPropertyKey_FlipVerticalOrientation: CFString =
        "FlipVerticalOrientation"

    // MARK: - Decoders, which are not offered

    // Immutable, and never written to after it was made.
    /// Of decoders.
    public nonisolated(unsafe) let kVTDecompressionPropertyKey_RealTime: CFString = "RealTime"
    // Immutable, and never written to after it was made.
    /// Of decoders.
    public nonisolated(unsafe) let kVTDecompressionPropertyKey_ThreadCount: CFString = "ThreadCount"
    // Immutable, and never written to after it was made.
    /// Of decoders.
    public nonisolated(unsafe) let kVTDecompressionPropertyKey_MaximizePowerEfficiency: CFString =
        "MaximizePowerEfficiency"
    // Immutable, and never written to after it was made.
    /// Of decoders.
    public nonisolated(unsafe) let kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: CFString =
        "EnableHardwareAcceleratedVideoDecoder"
    // Immutable, and never written to after it was made.
    /// Of decoders.
    public nonisolated(unsafe) let kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder: CFString =
        "RequireHardwareAcceleratedVideoDecoder"
#endif
