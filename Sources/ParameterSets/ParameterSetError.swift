// SPDX-License-Identifier: MIT

// What this module hands out (elements, traces, opaque bits, errors) comes with it.
@_exported public import BitSyntax

/// Why bits could not be read as a syntax structure, or a structure not be written as bits.
public typealias ParameterSetError = SyntaxError

extension SyntaxError.Code {
    /// The NAL unit is of another type than the structure asked for.
    public static let wrongUnitType = Self(rawValue: "wrongUnitType")
    /// The parameter set that a unit refers to is not known, or a record or stream has none.
    public static let missingParameterSet = Self(rawValue: "missingParameterSet")
    /// Bytes stand where a start code has to be, or there is none at all.
    public static let missingStartCode = Self(rawValue: "missingStartCode")
}
