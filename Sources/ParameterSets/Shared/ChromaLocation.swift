// SPDX-License-Identifier: MIT

/// Where 4:2:0 chroma samples lie between luma samples (figure E-1 in both standards).
public struct ChromaLocation: SyntaxStructure {
    /// `chroma_sample_loc_type_top_field`, 0...5: 0 left, 1 centre, 2 top left, 3 top, 4 bottom left, 5 bottom.
    public var topField = 0
    /// `chroma_sample_loc_type_bottom_field`, 0...5.
    public var bottomField = 0

    /// Left, as inferred when not coded.
    public init() {}

    /// The same location in both fields.
    public init(_ location: Int) {
        topField = location
        bottomField = location
    }

    /// Codes both locations.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("chroma_sample_loc_type_top_field", &topField, 0...5)
        try coder.ue("chroma_sample_loc_type_bottom_field", &bottomField, 0...5)
    }
}
