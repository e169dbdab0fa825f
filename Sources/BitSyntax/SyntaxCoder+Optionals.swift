// SPDX-License-Identifier: MIT

// Parts and numbers that need not be there. Behind a flag, `flag:` names it; where other fields decide, `when:` says
// so. Reading sets nil where nothing is coded; writing refuses a value that has no place, and nil where one is asked
// for.
extension SyntaxCoder {
    /// A part behind a flag, which itself is coded only where `isCoded`.
    @inlinable
    public mutating func part<Part: SyntaxStructure>(
        flag name: @autoclosure () -> SyntaxName, _ part: inout Part?, in context: @autoclosure () -> Part.Context,
        at i: Int = -1,
        startingAs initial: @autoclosure () -> Part = Part(), when isCoded: Bool = true
    ) throws(SyntaxError) {
        try presence(name(), &part, initial(), at: i, when: isCoded)
        if part.isPresent {
            try part?.code(with: &self, in: context())
        }
    }

    /// A part behind a flag.
    @inlinable
    public mutating func part<Part: SyntaxStructure>(
        flag name: @autoclosure () -> SyntaxName, _ part: inout Part?, at i: Int = -1,
        startingAs initial: @autoclosure () -> Part = Part(), when isCoded: Bool = true
    ) throws(SyntaxError) where Part.Context == Void {
        try self.part(flag: name(), &part, in: (), at: i, startingAs: initial(), when: isCoded)
    }

    /// A part that is there where `isCoded`.
    @inlinable
    public mutating func part<Part: SyntaxStructure>(
        _ name: @autoclosure () -> SyntaxName, _ part: inout Part?, in context: @autoclosure () -> Part.Context,
        when isCoded: Bool
    ) throws(SyntaxError) {
        try place(name(), &part, Part(), when: isCoded)
        if isCoded {
            try part?.code(with: &self, in: context())
        }
    }

    /// A part that is there where `isCoded`.
    @inlinable
    public mutating func part<Part: SyntaxStructure>(
        _ name: @autoclosure () -> SyntaxName, _ part: inout Part?, when isCoded: Bool
    ) throws(SyntaxError) where Part.Context == Void {
        try self.part(name(), &part, in: (), when: isCoded)
    }

    /// `u(bits)` behind a flag.
    @inlinable
    public mutating func u(
        flag: @autoclosure () -> SyntaxName, _ name: @autoclosure () -> SyntaxName, _ value: inout Int?, _ bits: Int,
        _ range: ClosedRange<Int>? = nil,
        at i: Int = -1, when isCoded: Bool = true
    ) throws(SyntaxError) {
        try presence(flag(), &value, 0, at: i, when: isCoded)
        guard var number = value else { return }
        try u(name(), &number, bits, range, at: i)
        value = number
    }

    /// `ue(v)` behind a flag.
    @inlinable
    public mutating func ue(
        flag: @autoclosure () -> SyntaxName, _ name: @autoclosure () -> SyntaxName, _ value: inout Int?,
        _ range: ClosedRange<Int> = ExpGolomb.unsignedRange, at i: Int = -1
    ) throws(SyntaxError) {
        try presence(flag(), &value, 0, at: i)
        guard var number = value else { return }
        try ue(name(), &number, range, at: i)
        value = number
    }

    /// `u(1)` as a Boolean behind a flag.
    @inlinable
    public mutating func flag(
        flag: @autoclosure () -> SyntaxName, _ name: @autoclosure () -> SyntaxName, _ value: inout Bool?
    ) throws(SyntaxError) {
        try presence(flag(), &value, false)
        guard value != nil else { return }
        try self.flag(name(), &value, when: true)
    }

    /// `u(bits)` where `isCoded`.
    @inlinable
    public mutating func u(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int?, _ bits: @autoclosure () -> Int,
        _ range: ClosedRange<Int>? = nil,
        at i: Int = -1, when isCoded: Bool
    ) throws(SyntaxError) {
        try place(SyntaxName(name(), i), &value, 0, when: isCoded)
        guard isCoded, var number = value else { return }
        try u(name(), &number, bits(), range, at: i)
        value = number
    }

    /// `i(bits)` where `isCoded`.
    @inlinable
    public mutating func i(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int?, _ bits: Int, when isCoded: Bool
    ) throws(SyntaxError) {
        try place(name(), &value, 0, when: isCoded)
        guard isCoded, var number = value else { return }
        try i(name(), &number, bits)
        value = number
    }

    /// `ue(v)` where `isCoded`.
    @inlinable
    public mutating func ue(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int?, _ range: ClosedRange<Int> = ExpGolomb.unsignedRange,
        when isCoded: Bool
    ) throws(SyntaxError) {
        try place(name(), &value, 0, when: isCoded)
        guard isCoded, var number = value else { return }
        try ue(name(), &number, range)
        value = number
    }

    /// `u(1)` as a Boolean where `isCoded`.
    @inlinable
    public mutating func flag(_ name: @autoclosure () -> SyntaxName, _ value: inout Bool?, when isCoded: Bool)
        throws(SyntaxError)
    {
        try place(name(), &value, false, when: isCoded)
        guard isCoded, var bit = value else { return }
        try flag(name(), &bit)
        value = bit
    }

    /// The flag of an optional part that is coded elsewhere; reading makes `value` nil or `initial`.
    ///
    /// Where the flag itself is not coded, the part has no place.
    @inlinable
    public mutating func presence<Part>(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Part?, _ initial: @autoclosure () -> Part, at i: Int = -1,
        when isCoded: Bool = true
    ) throws(SyntaxError) {
        guard isCoded else { return try place(SyntaxName(name(), i), &value, initial(), when: false) }
        var isPresent = value.isPresent
        try flag(name(), &isPresent, at: i)
        if Self.isReading {
            value = isPresent ? initial() : nil
        }
    }

    /// A flag that says an optional part is missing; reading makes `value` nil or `initial`.
    @inlinable
    public mutating func absence<Part>(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Part?, _ initial: @autoclosure () -> Part
    ) throws(SyntaxError) {
        var isAbsent = !value.isPresent
        try flag(name(), &isAbsent)
        if Self.isReading {
            value = isAbsent ? nil : initial()
        }
    }

    /// Whether there is a place for an optional part: reading makes it `initial` or nil, writing refuses the other.
    @inlinable
    public func place<Part>(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Part?, _ initial: @autoclosure () -> Part,
        when hasPlace: Bool
    ) throws(SyntaxError) {
        guard !Self.isReading else {
            value = hasPlace ? initial() : nil
            return
        }
        guard value.isPresent == hasPlace else {
            throw failure(
                .notRepresentable, name(),
                hasPlace ? "is missing, but other fields ask for it" : "is set, but other fields leave no place for it")
        }
    }
}

extension Optional {
    /// Whether there is a value, asked without a copy of it, as a comparison with nil makes one of large structures.
    @inlinable
    package var isPresent: Bool {
        switch self {
        case .some: true
        case .none: false
        }
    }
}
