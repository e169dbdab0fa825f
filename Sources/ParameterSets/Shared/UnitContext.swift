// SPDX-License-Identifier: MIT

/// What decides the syntax of a NAL unit's payload besides the payload itself.
public struct UnitContext<Header: Sendable, ParameterSets: Sendable>: Sendable {
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
