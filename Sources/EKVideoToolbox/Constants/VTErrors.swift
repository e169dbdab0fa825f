// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    /// Nothing here has the property, or the call is not offered.
    public let kVTPropertyNotSupportedErr: OSStatus = -12900
    /// The property cannot be set.
    public let kVTPropertyReadOnlyErr: OSStatus = -12901
    /// A value, time, size or picture is none that the call takes.
    public let kVTParameterErr: OSStatus = -12902
    /// The session was invalidated, or it failed before.
    public let kVTInvalidSessionErr: OSStatus = -12903
    /// There is no memory.
    public let kVTAllocationFailedErr: OSStatus = -12904
    /// The picture cannot be made into one of the session's.
    public let kVTPixelTransferNotSupportedErr: OSStatus = -12905
    /// There are no decoders here.
    public let kVTCouldNotFindVideoDecoderErr: OSStatus = -12906
    /// Not answered here.
    public let kVTCouldNotCreateInstanceErr: OSStatus = -12907
    /// No encoder that is linked and registered does what is asked.
    public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
    /// Of decoders.
    public let kVTVideoDecoderBadDataErr: OSStatus = -12909
    /// Of decoders.
    public let kVTVideoDecoderUnsupportedDataFormatErr: OSStatus = -12910
    /// Of decoders.
    public let kVTVideoDecoderMalfunctionErr: OSStatus = -12911
    /// The library or device behind the encoder failed.
    public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912
    /// Of decoders.
    public let kVTVideoDecoderNotAvailableNowErr: OSStatus = -12913
    /// The picture cannot be turned.
    public let kVTImageRotationNotSupportedErr: OSStatus = -12914
    /// The device is lost.
    public let kVTVideoEncoderNotAvailableNowErr: OSStatus = -12915
    /// Not answered here.
    public let kVTFormatDescriptionChangeNotSupportedErr: OSStatus = -12916
    /// Not answered here.
    public let kVTInsufficientSourceColorDataErr: OSStatus = -12917
    /// Not answered here.
    public let kVTCouldNotCreateColorCorrectionDataErr: OSStatus = -12918
    /// Not answered here.
    public let kVTColorSyncTransformConvertFailedErr: OSStatus = -12919
    /// Of decoders.
    public let kVTVideoDecoderAuthorizationErr: OSStatus = -12210
    /// Not answered here.
    public let kVTVideoEncoderAuthorizationErr: OSStatus = -12211
    /// Of passes.
    public let kVTMultiPassStorageIdentifierMismatchErr: OSStatus = -12213
    /// Of passes.
    public let kVTMultiPassStorageInvalidErr: OSStatus = -12214
    /// Not answered here.
    public let kVTPixelTransferNotPermittedErr: OSStatus = -12218
    /// Not answered here.
    public let kVTSessionMalfunctionErr: OSStatus = -17691
    /// Of decoders.
    public let kVTVideoDecoderReferenceMissingErr: OSStatus = -17694
    /// Of decoders.
    public let kVTVideoDecoderUnknownErr: OSStatus = -17696

    /// No limit of frames inside.
    public let kVTUnlimitedFrameDelayCount = -1
    /// The encoder's own quantizers by block.
    public let kVTQPModulationLevel_Default = -1
    /// One quantizer for all blocks.
    public let kVTQPModulationLevel_Disable = 0
#endif
