// SPDX-License-Identifier: MIT

/// `aspect_ratio_idc`, with a ratio of its own when that is 255 (table E-1): how a VUI codes a ``PixelAspectRatio``.
public struct AspectRatioInfo: SyntaxStructure {
    /// `aspect_ratio_idc`, 0...255: 0 unspecified, 1...16 of table E-1, 255 ``sarWidth`` to ``sarHeight``.
    public var aspectRatioIdc = 0
    /// `sar_width`, 0...65535; 0 unspecified.
    public var sarWidth = 0
    /// `sar_height`, 0...65535; 0 unspecified.
    public var sarHeight = 0

    /// Unspecified.
    public init() {}

    /// Tells a shape with its code of table E-1, or in lowest terms where it has none.
    public init(_ ratio: PixelAspectRatio) {
        let wanted = ratio.reduced
        if let index = Self.table.firstIndex(where: { $0 == (wanted.horizontalSpacing, wanted.verticalSpacing) }) {
            aspectRatioIdc = index + 1
        } else {
            aspectRatioIdc = Self.extendedSAR
            sarWidth = wanted.horizontalSpacing
            sarHeight = wanted.verticalSpacing
        }
    }

    /// The shape; nil when unspecified or reserved.
    public var pixelAspectRatio: PixelAspectRatio? {
        guard aspectRatioIdc != Self.extendedSAR else {
            guard sarWidth > 0, sarHeight > 0 else { return nil }
            return PixelAspectRatio(horizontalSpacing: sarWidth, verticalSpacing: sarHeight)
        }
        guard (1...Self.table.count).contains(aspectRatioIdc) else { return nil }
        let (width, height) = Self.table[aspectRatioIdc - 1]
        return PixelAspectRatio(horizontalSpacing: width, verticalSpacing: height)
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
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
        (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]
}
