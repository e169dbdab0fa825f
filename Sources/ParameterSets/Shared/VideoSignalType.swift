// SPDX-License-Identifier: MIT

/// What a VUI tells of the video signal (E.2.1 in both standards): how it codes a ``ColorDescription``.
public struct VideoSignalType: SyntaxStructure {
    /// What the standard calls the last element: `matrix_coefficients` in H.264, `matrix_coeffs` in HEVC.
    public typealias Context = SyntaxName

    /// What follows `colour_description_present_flag`, code points of ITU-T H.273.
    public struct CodePoints: SyntaxStructure {
        /// As ``VideoSignalType/Context``.
        public typealias Context = SyntaxName

        /// `colour_primaries`, 0...255; 2 unspecified.
        public var colorPrimaries = 2
        /// `transfer_characteristics`, 0...255; 2 unspecified.
        public var transferCharacteristics = 2
        /// `matrix_coefficients`, 0...255; 2 unspecified.
        public var matrixCoefficients = 2

        /// Unspecified.
        public init() {}
    }

    /// `video_format`, 0...7: 0 component, 1 PAL, 2 NTSC, 3 SECAM, 4 MAC, 5 unspecified.
    public var videoFormat = 5
    /// `video_full_range_flag`: whether samples use all values; otherwise 16...235 of 8 bits.
    public var videoFullRangeFlag = false
    /// Primaries, transfer and matrix; nil when `colour_description_present_flag` is 0.
    public var codePoints: CodePoints?

    /// Unspecified.
    public init() {}

    /// Tells what samples mean, in a signal of unspecified format; codes that are all unspecified are left out.
    public init(_ color: ColorDescription) {
        videoFullRangeFlag = color.isFullRange
        var points = CodePoints()
        points.colorPrimaries = color.primaries
        points.transferCharacteristics = color.transfer
        points.matrixCoefficients = color.matrix
        codePoints = points == CodePoints() ? nil : points
    }

    /// What the samples mean; nil when the codes are unspecified and the range is the limited one, as where no VUI is.
    public var color: ColorDescription? {
        let points = codePoints ?? CodePoints()
        guard videoFullRangeFlag || points != CodePoints() else { return nil }
        return ColorDescription(
            primaries: points.colorPrimaries, transfer: points.transferCharacteristics,
            matrix: points.matrixCoefficients, isFullRange: videoFullRangeFlag)
    }

    /// Codes `video_format` up to the matrix coefficients.
    public mutating func code(with coder: inout some SyntaxCoder, in matrixName: Context) throws(ParameterSetError) {
        try coder.u("video_format", &videoFormat, 3)
        try coder.flag("video_full_range_flag", &videoFullRangeFlag)
        try coder.part(flag: "colour_description_present_flag", &codePoints, in: matrixName)
    }
}

extension VideoSignalType.CodePoints {
    /// Codes 24 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in matrixName: Context) throws(ParameterSetError) {
        try coder.u("colour_primaries", &colorPrimaries, 8)
        try coder.u("transfer_characteristics", &transferCharacteristics, 8)
        try coder.u(matrixName, &matrixCoefficients, 8)
    }
}
