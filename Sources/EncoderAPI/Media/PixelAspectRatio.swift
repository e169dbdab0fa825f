// SPDX-License-Identifier: MIT

/// Width to height of one luma sample as displayed; 1:1 is square.
public struct PixelAspectRatio: Sendable, Hashable {
    /// 1 to 65535.
    public var horizontalSpacing: Int
    /// 1 to 65535.
    public var verticalSpacing: Int

    /// Makes a ratio; the range is checked when a session is made.
    public init(horizontalSpacing: Int, verticalSpacing: Int) {
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }
}
