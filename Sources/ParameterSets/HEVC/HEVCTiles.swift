// SPDX-License-Identifier: MIT

/// How a picture is divided into tiles (7.3.2.3.1, 7.4.3.3.1).
public struct HEVCTiles: SyntaxStructure {
    /// Columns and rows that are not all alike (7.4.3.3.1); the last of each takes what is left.
    public struct Sizes: Hashable, Sendable {
        /// `column_width_minus1`, in coding tree blocks; all columns but the last.
        public var columnWidthsMinus1: [Int] = []
        /// `row_height_minus1`, in coding tree blocks; all rows but the last.
        public var rowHeightsMinus1: [Int] = []

        /// One column, one row.
        public init() {}
    }

    /// `num_tile_columns_minus1`, 0...4095, less than the picture's width in coding tree blocks.
    public var numTileColumnsMinus1 = 0
    /// `num_tile_rows_minus1`, 0...4095, less than the picture's height in coding tree blocks.
    public var numTileRowsMinus1 = 0
    /// The sizes of columns and rows; nil for equal ones (`uniform_spacing_flag` 1).
    public var sizes: Sizes?
    /// `loop_filter_across_tiles_enabled_flag`.
    public var loopFilterAcrossTilesEnabledFlag = true

    /// One tile.
    public init() {}

    /// How many tiles there are.
    public var count: Int { (numTileColumnsMinus1 + 1) * (numTileRowsMinus1 + 1) }

    /// The largest picture side, 65535, in the smallest coding tree blocks that profiles allow, 16.
    private static let range = 0...4095

    /// Codes `num_tile_columns_minus1` up to `loop_filter_across_tiles_enabled_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("num_tile_columns_minus1", &numTileColumnsMinus1, Self.range)
        try coder.ue("num_tile_rows_minus1", &numTileRowsMinus1, Self.range)
        try coder.absence("uniform_spacing_flag", &sizes, Sizes())
        try sizes?.code(with: &coder, columns: numTileColumnsMinus1, rows: numTileRowsMinus1, range: Self.range)
        try coder.flag("loop_filter_across_tiles_enabled_flag", &loopFilterAcrossTilesEnabledFlag)
    }
}

extension HEVCTiles.Sizes {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, columns: Int, rows: Int, range: ClosedRange<Int>
    ) throws(ParameterSetError) {
        try coder.expect("column_width_minus1", &columnWidthsMinus1, count: columns, repeating: 0)
        for i in columnWidthsMinus1.indices {
            try coder.ue("column_width_minus1", &columnWidthsMinus1[i], range, at: i)
        }
        try coder.expect("row_height_minus1", &rowHeightsMinus1, count: rows, repeating: 0)
        for i in rowHeightsMinus1.indices {
            try coder.ue("row_height_minus1", &rowHeightsMinus1[i], range, at: i)
        }
    }
}
