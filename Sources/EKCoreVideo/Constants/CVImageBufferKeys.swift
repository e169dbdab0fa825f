// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - What samples mean

    // Immutable, and never written to after it was made.
    /// Attaches the primaries: one of the constants below.
    public nonisolated(unsafe) let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
    // Immutable, and never written to after it was made.
    /// Primaries of BT.709.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
    // Immutable, and never written to after it was made.
    /// Primaries of EBU 3213, of 625 lines.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_EBU_3213: CFString = "EBU_3213"
    // Immutable, and never written to after it was made.
    /// Primaries of SMPTE C, of 525 lines.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
    // Immutable, and never written to after it was made.
    /// Primaries of P22 phosphors.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_P22: CFString = "P22"
    // Immutable, and never written to after it was made.
    /// Primaries of DCI P3.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_DCI_P3: CFString = "DCI_P3"
    // Immutable, and never written to after it was made.
    /// Primaries of P3 with the white of D65.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
    // Immutable, and never written to after it was made.
    /// Primaries of BT.2020.
    public nonisolated(unsafe) let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
    // Immutable, and never written to after it was made.
    /// Attaches the transfer function: one of the constants below.
    public nonisolated(unsafe) let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
    // Immutable, and never written to after it was made.
    /// Transfer function of BT.709.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
    // Immutable, and never written to after it was made.
    /// Transfer function of SMPTE 240M.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
    // Immutable, and never written to after it was made.
    /// A gamma; H.264 and HEVC cannot signal one by this name, and nothing is signalled.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_UseGamma: CFString = "UseGamma"
    // Immutable, and never written to after it was made.
    /// Transfer function of sRGB.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_sRGB: CFString = "IEC_sRGB"
    // Immutable, and never written to after it was made.
    /// Transfer function of BT.2020.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
    // Immutable, and never written to after it was made.
    /// Transfer function of SMPTE ST 428-1.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
    // Immutable, and never written to after it was made.
    /// Transfer function PQ.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
    // Immutable, and never written to after it was made.
    /// Transfer function HLG.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
    // Immutable, and never written to after it was made.
    /// Linear light.
    public nonisolated(unsafe) let kCVImageBufferTransferFunction_Linear: CFString = "Linear"
    // Immutable, and never written to after it was made.
    /// Attaches the matrix: one of the constants below.
    public nonisolated(unsafe) let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
    // Immutable, and never written to after it was made.
    /// Matrix of BT.709.
    public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
    // Immutable, and never written to after it was made.
    /// Matrix of BT.601.
    public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
    // Immutable, and never written to after it was made.
    /// Matrix of SMPTE 240M.
    public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
    // Immutable, and never written to after it was made.
    /// Matrix of BT.2020 with non-constant luminance.
    public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
    // Immutable, and never written to after it was made.
    /// Attaches a gamma; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferGammaLevelKey: CFString = "CVImageBufferGammaLevel"
    // Immutable, and never written to after it was made.
    /// Attaches a profile; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferICCProfileKey: CFString = "CVImageBufferICCProfile"
    // Immutable, and never written to after it was made.
    /// Attaches a color space; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferCGColorSpaceKey: CFString = "CGColorSpace"
    // Immutable, and never written to after it was made.
    /// Attaches 24 bytes; nothing here reads them.
    public nonisolated(unsafe) let kCVImageBufferMasteringDisplayColorVolumeKey: CFString =
        "MasteringDisplayColorVolume"
    // Immutable, and never written to after it was made.
    /// Attaches 4 bytes; nothing here reads them.
    public nonisolated(unsafe) let kCVImageBufferContentLightLevelInfoKey: CFString = "ContentLightLevelInfo"

    // MARK: - Where chroma samples lie

    // Immutable, and never written to after it was made.
    /// Attaches where chroma samples lie; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferChromaLocationTopFieldKey: CFString =
        "CVImageBufferChromaLocationTopField"
    // Immutable, and never written to after it was made.
    /// Attaches where chroma samples lie; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferChromaLocationBottomFieldKey: CFString =
        "CVImageBufferChromaLocationBottomField"
    // Immutable, and never written to after it was made.
    /// At the left one of two columns.
    public nonisolated(unsafe) let kCVImageBufferChromaLocation_Left: CFString = "Left"
    // Immutable, and never written to after it was made.
    /// Between two columns.
    public nonisolated(unsafe) let kCVImageBufferChromaLocation_Center: CFString = "Center"
    // Immutable, and never written to after it was made.
    /// At the left one of two columns and the upper one of two rows.
    public nonisolated(unsafe) let kCVImageBufferChromaLocation_TopLeft: CFString = "TopLeft"
    // Immutable, and never written to after it was made.
    /// Between two columns, at the upper one of two rows.
    public nonisolated(unsafe) let kCVImageBufferChromaLocation_Top: CFString = "Top"

    // MARK: - Which part is shown, and how samples are shaped

    // Immutable, and never written to after it was made.
    /// Attaches the part that is meant to be seen: a dictionary of the four keys below.
    public nonisolated(unsafe) let kCVImageBufferCleanApertureKey: CFString = "CVCleanAperture"
    // Immutable, and never written to after it was made.
    /// Columns of the part, a number.
    public nonisolated(unsafe) let kCVImageBufferCleanApertureWidthKey: CFString = "Width"
    // Immutable, and never written to after it was made.
    /// Rows of the part, a number.
    public nonisolated(unsafe) let kCVImageBufferCleanApertureHeightKey: CFString = "Height"
    // Immutable, and never written to after it was made.
    /// Columns from the picture's middle to the part's, a number.
    public nonisolated(unsafe) let kCVImageBufferCleanApertureHorizontalOffsetKey: CFString = "HorizontalOffset"
    // Immutable, and never written to after it was made.
    /// Rows from the picture's middle to the part's, a number.
    public nonisolated(unsafe) let kCVImageBufferCleanApertureVerticalOffsetKey: CFString = "VerticalOffset"
    // Immutable, and never written to after it was made.
    /// Attaches the shape of a sample: a dictionary of the two keys below.
    public nonisolated(unsafe) let kCVImageBufferPixelAspectRatioKey: CFString = "CVPixelAspectRatio"
    // Immutable, and never written to after it was made.
    /// Width of a sample, a number.
    public nonisolated(unsafe) let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString = "HorizontalSpacing"
    // Immutable, and never written to after it was made.
    /// Height of a sample, a number.
    public nonisolated(unsafe) let kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString = "VerticalSpacing"
    // Immutable, and never written to after it was made.
    /// Attaches the number of fields; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferFieldCountKey: CFString = "CVFieldCount"
    // Immutable, and never written to after it was made.
    /// Attaches the order of fields; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferFieldDetailKey: CFString = "CVFieldDetail"
    // Immutable, and never written to after it was made.
    /// Attaches the size to show; nothing here reads it.
    public nonisolated(unsafe) let kCVImageBufferDisplayDimensionsKey: CFString = "CVDisplayDimensions"
#endif
