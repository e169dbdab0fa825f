// SPDX-License-Identifier: MIT

/// What decides a slice header's syntax besides the header itself.
public struct SliceContext<Header: Sendable, ParameterSets: Sendable>: Sendable {
    /// The NAL unit's header.
    public var header: Header
    /// The parameter sets of the stream up to the unit.
    public var parameterSets: ParameterSets

    /// Makes a context.
    public init(header: Header, parameterSets: ParameterSets) {
        self.header = header
        self.parameterSets = parameterSets
    }
}
