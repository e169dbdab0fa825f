// SPDX-License-Identifier: MIT

/// A picture's size in luma samples.
public struct PictureSize: Hashable, Sendable {
    /// Luma samples per row.
    public var width: Int
    /// Rows of luma samples: of both fields together, or of one where HEVC codes fields as pictures.
    public var height: Int

    /// Makes a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// How many luma samples are coded but not shown on each side.
public struct LumaCrop: Hashable, Sendable {
    /// Columns at the left.
    public var left: Int
    /// Columns at the right.
    public var right: Int
    /// Rows at the top.
    public var top: Int
    /// Rows at the bottom.
    public var bottom: Int

    /// Makes a crop, of nothing unless given.
    public init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
        self.left = left
        self.right = right
        self.top = top
        self.bottom = bottom
    }
}

/// How chroma is sampled: `chroma_format_idc` (H.264 and HEVC table 6-1).
public enum ChromaFormat: Int, Hashable, Sendable, CaseIterable {
    /// 4:0:0, luma only.
    case monochrome = 0
    /// 4:2:0, half the columns and half the rows.
    case yuv420 = 1
    /// 4:2:2, half the columns.
    case yuv422 = 2
    /// 4:4:4, every sample.
    case yuv444 = 3

    /// `SubWidthC`: luma samples to a chroma sample in a row; 1 for monochrome, as crop units have it.
    public var subWidth: Int { self == .yuv420 || self == .yuv422 ? 2 : 1 }

    /// `SubHeightC`: luma samples to a chroma sample in a column; 1 for monochrome, as crop units have it.
    public var subHeight: Int { self == .yuv420 ? 2 : 1 }
}
