// SPDX-License-Identifier: MIT

/// `access_unit_delimiter_rbsp()` (7.3.2.5): the start of an access unit.
public struct HEVCAccessUnitDelimiter: RBSPStructure {
    /// `pic_type`, 0...7: which slices the picture may have; 0 I, 1 P and I, 2 B, P and I (table 7-2).
    public var picType = 2

    /// A delimiter before a picture of such slices.
    public init(picType: Int) {
        self.picType = picType
    }

    /// Any slices.
    public init() {}

    /// Codes three bits and the trailing ones.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("pic_type", &picType, 3)
        try coder.rbspTrailingBits()
    }

    /// Type 35 in the base layer.
    public static var defaultHeader: HEVCNALUnitHeader { .init(type: .accessUnitDelimiter) }
}
