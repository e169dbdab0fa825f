// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - Extensions of descriptions

    // Immutable, and never written to after it was made.
    /// avcC and hvcC: a dictionary of bytes by their names.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString =
        "SampleDescriptionExtensionAtoms"
    // Immutable, and never written to after it was made.
    /// A name for people, a text.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_FormatName: CFString = "FormatName"
    // Immutable, and never written to after it was made.
    /// Bits of a sample of RGB, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_Depth: CFString = "Depth"
    // Immutable, and never written to after it was made.
    /// The part that is meant to be seen, a dictionary.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_CleanAperture: CFString = "CVCleanAperture"
    // Immutable, and never written to after it was made.
    /// Shape of a sample, a dictionary.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_PixelAspectRatio: CFString = "CVPixelAspectRatio"
    // Immutable, and never written to after it was made.
    /// Width of a sample, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: CFString =
        "HorizontalSpacing"
    // Immutable, and never written to after it was made.
    /// Height of a sample, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: CFString = "VerticalSpacing"
    // Immutable, and never written to after it was made.
    /// Columns of the part that is meant to be seen, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionKey_CleanApertureWidth: CFString = "Width"
    // Immutable, and never written to after it was made.
    /// Rows of the part that is meant to be seen, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionKey_CleanApertureHeight: CFString = "Height"
    // Immutable, and never written to after it was made.
    /// Columns from the picture's middle to the part's, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionKey_CleanApertureHorizontalOffset: CFString = "HorizontalOffset"
    // Immutable, and never written to after it was made.
    /// Rows from the picture's middle to the part's, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionKey_CleanApertureVerticalOffset: CFString = "VerticalOffset"
    // Immutable, and never written to after it was made.
    /// Number of fields, a number; nothing here sets it.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_FieldCount: CFString = "CVFieldCount"
    // Immutable, and never written to after it was made.
    /// Order of fields, a text; nothing here sets it.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_FieldDetail: CFString = "CVFieldDetail"
    // Immutable, and never written to after it was made.
    /// Primaries, a text.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_ColorPrimaries: CFString =
        "CVImageBufferColorPrimaries"
    // Immutable, and never written to after it was made.
    /// Primaries of BT.709.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
    // Immutable, and never written to after it was made.
    /// Primaries of EBU 3213.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_EBU_3213: CFString = "EBU_3213"
    // Immutable, and never written to after it was made.
    /// Primaries of SMPTE C.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
    // Immutable, and never written to after it was made.
    /// Primaries of DCI P3.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_DCI_P3: CFString = "DCI_P3"
    // Immutable, and never written to after it was made.
    /// Primaries of P3 with the white of D65.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_P3_D65: CFString = "P3_D65"
    // Immutable, and never written to after it was made.
    /// Primaries of BT.2020.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
    // Immutable, and never written to after it was made.
    /// Primaries of P22 phosphors.
    public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_P22: CFString = "P22"
    // Immutable, and never written to after it was made.
    /// Transfer function, a text.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_TransferFunction: CFString =
        "CVImageBufferTransferFunction"
    // Immutable, and never written to after it was made.
    /// Transfer function of BT.709.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
    // Immutable, and never written to after it was made.
    /// Transfer function of SMPTE 240M.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
    // Immutable, and never written to after it was made.
    /// A gamma.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_UseGamma: CFString = "UseGamma"
    // Immutable, and never written to after it was made.
    /// Transfer function of BT.2020.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
    // Immutable, and never written to after it was made.
    /// Transfer function of SMPTE ST 428-1.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
    // Immutable, and never written to after it was made.
    /// Transfer function PQ.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
    // Immutable, and never written to after it was made.
    /// Transfer function HLG.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
    // Immutable, and never written to after it was made.
    /// Linear light.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_Linear: CFString = "Linear"
    // Immutable, and never written to after it was made.
    /// Transfer function of sRGB.
    public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_sRGB: CFString = "IEC_sRGB"
    // Immutable, and never written to after it was made.
    /// Matrix, a text.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = "CVImageBufferYCbCrMatrix"
    // Immutable, and never written to after it was made.
    /// Matrix of BT.709.
    public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
    // Immutable, and never written to after it was made.
    /// Matrix of BT.601.
    public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
    // Immutable, and never written to after it was made.
    /// Matrix of SMPTE 240M.
    public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
    // Immutable, and never written to after it was made.
    /// Matrix of BT.2020.
    public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
    // Immutable, and never written to after it was made.
    /// Whether samples have the full range, a boolean.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"
    // Immutable, and never written to after it was made.
    /// A whole sample entry of MP4, bytes; none is made here.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_VerbatimSampleDescription: CFString =
        "VerbatimSampleDescription"
    // Immutable, and never written to after it was made.
    /// Bytes from row to row, a number.
    public nonisolated(unsafe) let kCMFormatDescriptionExtension_BytesPerRow: CFString = "CVBytesPerRow"
#endif
