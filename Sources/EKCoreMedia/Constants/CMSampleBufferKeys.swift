// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - Attachments of a sample

    // Immutable, and never written to after it was made.
    /// Whether decoding cannot begin with the sample; absent from those with which it can.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
    // Immutable, and never written to after it was made.
    /// Whether decoding can begin with the sample although samples shown earlier may be missing.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_PartialSync: CFString = "PartialSync"
    // Immutable, and never written to after it was made.
    /// Whether parts are coded twice; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_HasRedundantCoding: CFString = "HasRedundantCoding"
    // Immutable, and never written to after it was made.
    /// False for a sample that may be left out.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_IsDependedOnByOthers: CFString = "IsDependedOnByOthers"
    // Immutable, and never written to after it was made.
    /// Whether the sample needs others to be decoded.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"
    // Immutable, and never written to after it was made.
    /// Whether later samples may be shown earlier; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_EarlierDisplayTimesAllowed: CFString =
        "EarlierDisplayTimesAllowed"
    // Immutable, and never written to after it was made.
    /// Whether to show the sample at once.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
    // Immutable, and never written to after it was made.
    /// Whether to decode the sample and not show it.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
    // Immutable, and never written to after it was made.
    /// Temporal level of HEVC; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_HEVCTemporalLevelInfo: CFString = "HEVCTemporalLevelInfo"
    // Immutable, and never written to after it was made.
    /// Whether the sample is a TSA picture; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess: CFString =
        "HEVCTemporalSubLayerAccess"
    // Immutable, and never written to after it was made.
    /// Whether the sample is an STSA picture; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess: CFString =
        "HEVCStepwiseTemporalSubLayerAccess"
    // Immutable, and never written to after it was made.
    /// NAL unit type of a sync sample; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType: CFString =
        "HEVCSyncSampleNALUnitType"
    // Immutable, and never written to after it was made.
    /// HDR10+ of the sample; nothing here says so.
    public nonisolated(unsafe) let kCMSampleAttachmentKey_HDR10PlusPerFrameData: CFString = "HDR10PlusPerFrameData"

    // MARK: - Attachments of a sample buffer

    // Immutable, and never written to after it was made.
    /// Whether the picture is to become a key frame.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_ForceKeyFrame: CFString = "ForceKeyFrame"
    // Immutable, and never written to after it was made.
    /// Why there is no sample.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
    // Immutable, and never written to after it was made.
    /// Whether a decoder begins anew.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString =
        "ResetDecoderBeforeDecoding"
    // Immutable, and never written to after it was made.
    /// Whether a decoder gives out all afterwards.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString = "DrainAfterDecoding"
    // Immutable, and never written to after it was made.
    /// Whether the sample marks an empty time.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_EmptyMedia: CFString = "EmptyMedia"
    // Immutable, and never written to after it was made.
    /// Whether samples play backwards.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_Reverse: CFString = "Reverse"
    // Immutable, and never written to after it was made.
    /// Counts changes of format.
    public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TransitionID: CFString = "TransitionID"
    // Immutable, and never written to after it was made.
    /// The frame came too late.
    public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
    // Immutable, and never written to after it was made.
    /// There was no buffer for the frame.
    public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
    // Immutable, and never written to after it was made.
    /// Frames are missing for another reason.
    public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"
#endif
