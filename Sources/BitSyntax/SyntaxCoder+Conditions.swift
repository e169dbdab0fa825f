// SPDX-License-Identifier: MIT

// Elements that are coded under a condition and inferred otherwise. Reading sets the inferred value; writing refuses
// another one instead of losing it. What is only used when the element is coded is not evaluated otherwise.
extension SyntaxCoder {
    /// `u(bits)` where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func u(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ bits: @autoclosure () -> Int,
        _ range: @autoclosure () -> ClosedRange<Int>? = nil, at i: Int = -1, _ j: Int = -1, when isCoded: Bool,
        else inferred: Int
    ) throws(SyntaxError) {
        guard isCoded else { return try infer(SyntaxName(name(), i, j), &value, inferred) }
        try u(name(), &value, bits(), range(), at: i, j)
    }

    /// `i(bits)` where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func i(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ bits: @autoclosure () -> Int, at i: Int = -1,
        when isCoded: Bool,
        else inferred: Int
    ) throws(SyntaxError) {
        guard isCoded else { return try infer(SyntaxName(name(), i), &value, inferred) }
        try self.i(name(), &value, bits(), at: i)
    }

    /// `u(1)` as a Boolean where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func flag(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Bool, at i: Int = -1, _ j: Int = -1, when isCoded: Bool,
        else inferred: Bool
    ) throws(SyntaxError) {
        guard isCoded else { return try infer(SyntaxName(name(), i, j), &value, inferred) }
        try flag(name(), &value, at: i, j)
    }

    /// `ue(v)` where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func ue(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int,
        _ range: @autoclosure () -> ClosedRange<Int> = ExpGolomb.unsignedRange, at i: Int = -1, when isCoded: Bool,
        else inferred: Int
    ) throws(SyntaxError) {
        guard isCoded else { return try infer(SyntaxName(name(), i), &value, inferred) }
        try ue(name(), &value, range(), at: i)
    }

    /// `se(v)` where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func se(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int,
        _ range: @autoclosure () -> ClosedRange<Int> = ExpGolomb.signedRange, at i: Int = -1, _ j: Int = -1,
        when isCoded: Bool, else inferred: Int
    ) throws(SyntaxError) {
        guard isCoded else { return try infer(SyntaxName(name(), i, j), &value, inferred) }
        try se(name(), &value, range(), at: i, j)
    }

    /// Bits as they are where `isCoded`, none otherwise.
    @inlinable
    public mutating func opaque(
        _ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int, when isCoded: Bool
    ) throws(SyntaxError) {
        guard isCoded else {
            guard Self.isReading || value.count == 0 else {
                throw failure(.notRepresentable, name(), "has \(value.count) bits, but is not coded here")
            }
            value = OpaqueBits()
            return
        }
        try opaque(name(), &value, count: count)
    }

    /// A count of an array's elements where `isCoded`, none otherwise.
    @inlinable
    public mutating func count<Element>(
        _ name: @autoclosure () -> SyntaxName, _ array: inout [Element], _ range: @autoclosure () -> ClosedRange<Int>,
        repeating initial: @autoclosure () -> Element, when isCoded: Bool
    ) throws(SyntaxError) {
        guard isCoded else { return try expect(name(), &array, count: 0, repeating: initial()) }
        try count(name(), &array, range(), repeating: initial())
    }

    /// A part where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func part<Part: SyntaxStructure>(
        _ name: @autoclosure () -> SyntaxName, _ part: inout Part, in context: @autoclosure () -> Part.Context,
        when isCoded: Bool,
        else inferred: @autoclosure () -> Part
    ) throws(SyntaxError) {
        guard isCoded else {
            let inferred = inferred()
            guard Self.isReading || part == inferred else {
                throw failure(.notRepresentable, name(), "and what follows are changed, but are not coded here")
            }
            part = inferred
            return
        }
        try part.code(with: &self, in: context())
    }

    /// A part without context where `isCoded`, `inferred` otherwise.
    @inlinable
    public mutating func part<Part: SyntaxStructure>(
        _ name: @autoclosure () -> SyntaxName, _ part: inout Part, when isCoded: Bool,
        else inferred: @autoclosure () -> Part
    ) throws(SyntaxError) where Part.Context == Void {
        try self.part(name(), &part, in: (), when: isCoded, else: inferred())
    }

    /// A value that is not coded here: reading sets it to what the standard infers, writing checks that it is.
    @inlinable
    public func infer<Value: Equatable>(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Value, _ inferred: Value
    ) throws(SyntaxError) {
        guard !Self.isReading else {
            value = inferred
            return
        }
        guard value == inferred else {
            throw failure(
                .notRepresentable, name(), "is \(value), but is not coded here and would be inferred as \(inferred)")
        }
    }
}
