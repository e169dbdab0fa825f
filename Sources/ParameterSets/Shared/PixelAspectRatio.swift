// SPDX-License-Identifier: MIT

/// The shape of a luma sample as displayed, width to height; 1:1 is square.
///
/// The standards call it the sample aspect ratio, VideoToolbox as it is called here.
public struct PixelAspectRatio: Hashable, Sendable {
    /// The width, 1...65535 in any unit.
    public var horizontalSpacing: Int
    /// The height, 1...65535 in the same unit.
    public var verticalSpacing: Int

    /// Makes a ratio; its range is checked where the ratio is used.
    public init(horizontalSpacing: Int, verticalSpacing: Int) {
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }

    /// The same shape in lowest terms; itself unless both sides are more than 0.
    public var reduced: PixelAspectRatio {
        guard horizontalSpacing > 0, verticalSpacing > 0 else { return self }
        let ratio = Ratio(horizontalSpacing, verticalSpacing).reduced
        return PixelAspectRatio(horizontalSpacing: ratio.numerator, verticalSpacing: ratio.denominator)
    }
}

extension PixelAspectRatio: CustomStringConvertible {
    /// Width and height as "4:3".
    public var description: String { "\(horizontalSpacing):\(verticalSpacing)" }
}
