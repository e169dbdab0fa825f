// SPDX-License-Identifier: MIT

/// What sample values mean, as ITU-T H.273 code points; told in the stream, never converted.
public struct ColorDescription: Hashable, Sendable {
    /// `ColourPrimaries` (H.273 table 2), 0...255: 1 is BT.709, 9 is BT.2020; 2 is the standard's code for unspecified.
    public var primaries: Int
    /// `TransferCharacteristics` (H.273 table 3), 0...255: 1 is BT.709, 16 is PQ, 18 is HLG; 2 is unspecified.
    public var transfer: Int
    /// `MatrixCoefficients` (H.273 table 4), 0...255: 0 is RGB, 1 is BT.709, 9 is BT.2020; 2 is unspecified.
    public var matrix: Int
    /// `VideoFullRangeFlag`: true for 0...255 in eight bits, false for 16...235.
    public var isFullRange: Bool

    /// Makes a description from H.273 code points.
    public init(primaries: Int = 2, transfer: Int = 2, matrix: Int = 2, isFullRange: Bool = false) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// ITU-R BT.709, limited range: HD video.
    public static let bt709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1)
    /// ITU-R BT.601 with 625-line primaries, limited range: European SD video.
    public static let bt601PAL = ColorDescription(primaries: 5, transfer: 6, matrix: 5)
    /// ITU-R BT.601 with 525-line primaries, limited range: American SD video.
    public static let bt601NTSC = ColorDescription(primaries: 6, transfer: 6, matrix: 6)
    /// ITU-R BT.2100 with perceptual quantization, limited range: HDR10.
    public static let bt2100PQ = ColorDescription(primaries: 9, transfer: 16, matrix: 9)
    /// ITU-R BT.2100 with hybrid log-gamma, limited range.
    public static let bt2100HLG = ColorDescription(primaries: 9, transfer: 18, matrix: 9)
}
