// SPDX-License-Identifier: MIT

/// What the sample values mean: range and colour (E.2.1 in both standards, code points of ITU-T H.273).
public struct VideoSignalType: SyntaxStructure {
    /// What the standard calls the last element: `matrix_coefficients` in H.264, `matrix_coeffs` in HEVC.
    public typealias Context = SyntaxName

    /// `video_format`, 0...7: 0 component, 1 PAL, 2 NTSC, 3 SECAM, 4 MAC, 5 unspecified.
    public var videoFormat = 5
    /// `video_full_range_flag`: whether samples use all values; otherwise 16...235 of 8 bits.
    public var videoFullRangeFlag = false
    /// Primaries, transfer and matrix; nil when unspecified.
    public var colourDescription: ColourDescription?

    /// Unspecified.
    public init() {}

    /// Makes a signal type of format unspecified.
    public init(isFullRange: Bool, colourDescription: ColourDescription?) {
        videoFullRangeFlag = isFullRange
        self.colourDescription = colourDescription
    }

    /// Codes `video_format` up to the matrix coefficients.
    public mutating func code(with coder: inout some SyntaxCoder, in matrixName: Context) throws(ParameterSetError) {
        try coder.u("video_format", &videoFormat, 3)
        try coder.flag("video_full_range_flag", &videoFullRangeFlag)
        try coder.part(flag: "colour_description_present_flag", &colourDescription, in: matrixName)
    }
}

/// Colour primaries, transfer characteristics and matrix coefficients (ITU-T H.273 clause 8).
public struct ColourDescription: SyntaxStructure {
    /// What the standard calls the last element: `matrix_coefficients` in H.264, `matrix_coeffs` in HEVC.
    public typealias Context = SyntaxName

    /// `colour_primaries`, 0...255: 1 is BT.709, 9 is BT.2020, 2 unspecified.
    public var colourPrimaries = 2
    /// `transfer_characteristics`, 0...255: 1 is BT.709, 16 is PQ, 18 is HLG, 2 unspecified.
    public var transferCharacteristics = 2
    /// `matrix_coefficients`, 0...255: 0 is RGB, 1 is BT.709, 9 is BT.2020, 2 unspecified.
    public var matrixCoefficients = 2

    /// Unspecified.
    public init() {}

    /// Makes a description of code points.
    public init(colourPrimaries: Int, transferCharacteristics: Int, matrixCoefficients: Int) {
        self.colourPrimaries = colourPrimaries
        self.transferCharacteristics = transferCharacteristics
        self.matrixCoefficients = matrixCoefficients
    }

    /// Codes 24 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in matrixName: Context) throws(ParameterSetError) {
        try coder.u("colour_primaries", &colourPrimaries, 8)
        try coder.u("transfer_characteristics", &transferCharacteristics, 8)
        try coder.u(matrixName, &matrixCoefficients, 8)
    }
}
