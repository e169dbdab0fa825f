// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - H.264

    // Immutable, and never written to after it was made.
    /// Baseline, level 1.3.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_1_3: CFString = "H264_Baseline_1_3"
    // Immutable, and never written to after it was made.
    /// Baseline, level 3.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_0: CFString = "H264_Baseline_3_0"
    // Immutable, and never written to after it was made.
    /// Baseline, level 3.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_1: CFString = "H264_Baseline_3_1"
    // Immutable, and never written to after it was made.
    /// Baseline, level 3.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_2: CFString = "H264_Baseline_3_2"
    // Immutable, and never written to after it was made.
    /// Baseline, level 4.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_4_0: CFString = "H264_Baseline_4_0"
    // Immutable, and never written to after it was made.
    /// Baseline, level 4.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_4_1: CFString = "H264_Baseline_4_1"
    // Immutable, and never written to after it was made.
    /// Baseline, level 4.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_4_2: CFString = "H264_Baseline_4_2"
    // Immutable, and never written to after it was made.
    /// Baseline, level 5.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_5_0: CFString = "H264_Baseline_5_0"
    // Immutable, and never written to after it was made.
    /// Baseline, level 5.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_5_1: CFString = "H264_Baseline_5_1"
    // Immutable, and never written to after it was made.
    /// Baseline, level 5.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_5_2: CFString = "H264_Baseline_5_2"
    // Immutable, and never written to after it was made.
    /// Baseline, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_AutoLevel: CFString = "H264_Baseline_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Constrained Baseline, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString =
        "H264_ConstrainedBaseline_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Main, level 3.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_0: CFString = "H264_Main_3_0"
    // Immutable, and never written to after it was made.
    /// Main, level 3.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_1: CFString = "H264_Main_3_1"
    // Immutable, and never written to after it was made.
    /// Main, level 3.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_2: CFString = "H264_Main_3_2"
    // Immutable, and never written to after it was made.
    /// Main, level 4.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_4_0: CFString = "H264_Main_4_0"
    // Immutable, and never written to after it was made.
    /// Main, level 4.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_4_1: CFString = "H264_Main_4_1"
    // Immutable, and never written to after it was made.
    /// Main, level 4.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_4_2: CFString = "H264_Main_4_2"
    // Immutable, and never written to after it was made.
    /// Main, level 5.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_5_0: CFString = "H264_Main_5_0"
    // Immutable, and never written to after it was made.
    /// Main, level 5.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_5_1: CFString = "H264_Main_5_1"
    // Immutable, and never written to after it was made.
    /// Main, level 5.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_5_2: CFString = "H264_Main_5_2"
    // Immutable, and never written to after it was made.
    /// Main, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Main_AutoLevel: CFString = "H264_Main_AutoLevel"
    // Immutable, and never written to after it was made.
    /// High, level 3.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_0: CFString = "H264_High_3_0"
    // Immutable, and never written to after it was made.
    /// High, level 3.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_1: CFString = "H264_High_3_1"
    // Immutable, and never written to after it was made.
    /// High, level 3.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_2: CFString = "H264_High_3_2"
    // Immutable, and never written to after it was made.
    /// High, level 4.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_0: CFString = "H264_High_4_0"
    // Immutable, and never written to after it was made.
    /// High, level 4.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_1: CFString = "H264_High_4_1"
    // Immutable, and never written to after it was made.
    /// High, level 4.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_2: CFString = "H264_High_4_2"
    // Immutable, and never written to after it was made.
    /// High, level 5.0.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_5_0: CFString = "H264_High_5_0"
    // Immutable, and never written to after it was made.
    /// High, level 5.1.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_5_1: CFString = "H264_High_5_1"
    // Immutable, and never written to after it was made.
    /// High, level 5.2.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_5_2: CFString = "H264_High_5_2"
    // Immutable, and never written to after it was made.
    /// High, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_H264_High_AutoLevel: CFString = "H264_High_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Constrained High, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString =
        "H264_ConstrainedHigh_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Extended, level 5.0; refused: no encoder here has it.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Extended_5_0: CFString = "H264_Extended_5_0"
    // Immutable, and never written to after it was made.
    /// Extended; refused: no encoder here has it.
    public nonisolated(unsafe) let kVTProfileLevel_H264_Extended_AutoLevel: CFString = "H264_Extended_AutoLevel"

    // MARK: - HEVC

    // Immutable, and never written to after it was made.
    /// Main, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main_AutoLevel: CFString = "HEVC_Main_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Main 10, encoder's choice of level.
    public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main10_AutoLevel: CFString = "HEVC_Main10_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Main 4:2:2 10; refused: pictures here are 4:2:0.
    public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main42210_AutoLevel: CFString = "HEVC_Main42210_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Monochrome; refused: pictures here are 4:2:0.
    public nonisolated(unsafe) let kVTProfileLevel_HEVC_Monochrome_AutoLevel: CFString = "HEVC_Monochrome_AutoLevel"
    // Immutable, and never written to after it was made.
    /// Monochrome 10; refused: pictures here are 4:2:0.
    public nonisolated(unsafe) let kVTProfileLevel_HEVC_Monochrome10_AutoLevel: CFString = "HEVC_Monochrome10_AutoLevel"

    // MARK: - Other values

    // Immutable, and never written to after it was made.
    /// Context-adaptive variable-length coding.
    public nonisolated(unsafe) let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
    // Immutable, and never written to after it was made.
    /// Context-adaptive binary arithmetic coding.
    public nonisolated(unsafe) let kVTH264EntropyMode_CABAC: CFString = "CABAC"
    // Immutable, and never written to after it was made.
    /// Nothing is inserted.
    public nonisolated(unsafe) let kVTHDRMetadataInsertionMode_None: CFString = "None"
    // Immutable, and never written to after it was made.
    /// The encoder decides.
    public nonisolated(unsafe) let kVTHDRMetadataInsertionMode_Auto: CFString = "Auto"
    // Immutable, and never written to after it was made.
    /// Refused: nothing here does it.
    public nonisolated(unsafe) let kVTHDRMetadataInsertionMode_RequestSDRRangePreservation: CFString =
        "RequestSDRRangePreservation"
    // Immutable, and never written to after it was made.
    /// Of alpha, which nothing here encodes.
    public nonisolated(unsafe) let kVTAlphaChannelMode_StraightAlpha: CFString = "StraightAlpha"
    // Immutable, and never written to after it was made.
    /// Of alpha, which nothing here encodes.
    public nonisolated(unsafe) let kVTAlphaChannelMode_PremultipliedAlpha: CFString = "PremultipliedAlpha"
    // Immutable, and never written to after it was made.
    /// A preset of settings, which is not offered.
    public nonisolated(unsafe) let kVTCompressionPreset_HighQuality: CFString = "HighQuality"
    // Immutable, and never written to after it was made.
    /// A preset of settings, which is not offered.
    public nonisolated(unsafe) let kVTCompressionPreset_Balanced: CFString = "Balanced"
    // Immutable, and never written to after it was made.
    /// A preset of settings, which is not offered.
    public nonisolated(unsafe) let kVTCompressionPreset_HighSpeed: CFString = "HighSpeed"
    // Immutable, and never written to after it was made.
    /// A preset of settings, which is not offered.
    public nonisolated(unsafe) let kVTCompressionPreset_VideoConferencing: CFString = "VideoConferencing"
    // Immutable, and never written to after it was made.
    /// A preset of settings, which is not offered.
    public nonisolated(unsafe) let kVTCompressionPreset_ConsistentQuality: CFString = "ConsistentQuality"
#endif
