// SPDX-License-Identifier: MIT

/// `display_orientation()`: how to turn the picture before it is shown (D.1.27 in H.264, D.2.17 in HEVC).
public struct DisplayOrientation<Orientation: SyntaxStructure>: SyntaxStructure where Orientation.Context == Void {
    /// The orientation; nil when an earlier one ends (`display_orientation_cancel_flag`).
    public var orientation: Orientation?

    /// Ends an earlier orientation.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.absence("display_orientation_cancel_flag", &orientation, Orientation())
        try orientation?.code(with: &coder, in: ())
    }
}
