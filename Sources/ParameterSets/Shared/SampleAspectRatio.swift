// SPDX-License-Identifier: MIT

/// The shape of a luma sample: `aspect_ratio_idc`, with a ratio of its own when that is 255 (table E-1).
public struct SampleAspectRatio: SyntaxStructure {
    /// `aspect_ratio_idc`, 0...255: 0 unspecified, 1...16 of table E-1, 255 ``sarWidth`` to ``sarHeight``.
    public var aspectRatioIdc = 0
    /// `sar_width`, 0...65535; 0 unspecified.
    public var sarWidth = 0
    /// `sar_height`, 0...65535; 0 unspecified.
    public var sarHeight = 0

    /// Unspecified.
    public init() {}

    /// Makes the shape of samples `width` wide and `height` high, each 1...65535 in any unit.
    public init(width: Int, height: Int) {
        let wanted = Ratio(width, height).reduced
        if let index = Self.table.firstIndex(of: wanted) {
            aspectRatioIdc = index + 1
        } else {
            aspectRatioIdc = Self.extendedSAR
            sarWidth = wanted.numerator
            sarHeight = wanted.denominator
        }
    }

    /// Width to height; nil when unspecified or reserved.
    public var ratio: Ratio? {
        guard aspectRatioIdc != Self.extendedSAR else {
            return sarWidth > 0 && sarHeight > 0 ? Ratio(sarWidth, sarHeight) : nil
        }
        return (1...Self.table.count).contains(aspectRatioIdc) ? Self.table[aspectRatioIdc - 1] : nil
    }

    /// Codes `aspect_ratio_idc` and what follows it.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("aspect_ratio_idc", &aspectRatioIdc, 8)
        try coder.u("sar_width", &sarWidth, 16, when: aspectRatioIdc == Self.extendedSAR, else: 0)
        try coder.u("sar_height", &sarHeight, 16, when: aspectRatioIdc == Self.extendedSAR, else: 0)
    }

    private static let extendedSAR = 255
    /// Table E-1 from `aspect_ratio_idc` 1 on.
    private static let table = [
        Ratio(1, 1), Ratio(12, 11), Ratio(10, 11), Ratio(16, 11), Ratio(40, 33), Ratio(24, 11), Ratio(20, 11),
        Ratio(32, 11), Ratio(80, 33), Ratio(18, 11), Ratio(15, 11), Ratio(64, 33), Ratio(160, 99), Ratio(4, 3),
        Ratio(3, 2), Ratio(2, 1),
    ]
}
