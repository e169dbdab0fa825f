// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    // MARK: - CMBlockBuffer

    /// The call succeeded.
    public let kCMBlockBufferNoErr: OSStatus = 0
    /// There is no memory for the object.
    public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
    /// There is no memory for the bytes.
    public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
    /// A custom source of memory was given, which is not offered.
    public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
    /// The offset is outside the bytes.
    public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
    /// The length goes beyond the bytes, or is negative.
    public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
    /// A pointer is nil that must not be.
    public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
    /// There are no bytes.
    public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
    /// The bytes have no memory; all have here.
    public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
    /// The room is too small.
    public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

    // MARK: - CMFormatDescription

    /// A parameter is none that the call takes.
    public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
    /// There is no memory.
    public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
    /// The description has no such value.
    public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718
    /// A parameter is none that the call takes.
    public let kCMFormatDescriptionBridgeError_InvalidParameter: OSStatus = -12712

    // MARK: - CMSampleBuffer

    /// There is no memory.
    public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
    /// Something is missing that the call needs.
    public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
    /// There are bytes already.
    public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
    /// The bytes are not there yet, and will not be: callbacks that make them ready are not offered.
    public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
    /// There is no such sample.
    public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
    /// No sizes were given.
    public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
    /// No times were given.
    public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
    /// The room is too small; the call says how much is needed.
    public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
    /// A number of entries is neither 0, 1 nor the number of samples, or no number at all.
    public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
    /// Samples cannot be told apart.
    public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
    /// Times cannot be.
    public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
    /// The samples are of another kind.
    public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
    /// The bytes are no samples.
    public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
    /// The description is not that of the samples.
    public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
    /// The sample buffer was invalidated.
    public let kCMSampleBufferError_Invalidated: OSStatus = -12744
#endif
