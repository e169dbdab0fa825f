// SPDX-License-Identifier: MIT

// The spellings that structures use. `at:` gives the indices of an element that is an array in the standard.
extension SyntaxCoder {
    /// `u(bits)`: an unsigned number of 0...62 bits.
    public mutating func u(
        _ name: StaticString, _ value: inout Int, _ bits: Int, _ range: ClosedRange<Int>? = nil,
        at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(ParameterSetError) {
        let all = 0...((1 << bits) - 1)
        try element(SyntaxName(name, i, j, k), &value, .unsigned(bits: bits), range ?? all)
    }

    /// `i(bits)`: a two's complement number of 1...62 bits.
    public mutating func i(
        _ name: StaticString, _ value: inout Int, _ bits: Int, at i: Int = -1, _ j: Int = -1
    ) throws(ParameterSetError) {
        let half = 1 << (bits - 1)
        try element(SyntaxName(name, i, j), &value, .signed(bits: bits), -half...half - 1)
    }

    /// `u(1)` as a Boolean.
    public mutating func flag(
        _ name: StaticString, _ value: inout Bool, at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(ParameterSetError) {
        var bit = value ? 1 : 0
        try element(SyntaxName(name, i, j, k), &bit, .unsigned(bits: 1), 0...1)
        value = bit == 1
    }

    /// `ue(v)`: an unsigned Exp-Golomb code.
    public mutating func ue(
        _ name: StaticString, _ value: inout Int, _ range: ClosedRange<Int> = ExpGolomb.unsignedRange,
        at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(ParameterSetError) {
        try element(SyntaxName(name, i, j, k), &value, .expGolomb, range)
    }

    /// `se(v)`: a signed Exp-Golomb code.
    public mutating func se(
        _ name: StaticString, _ value: inout Int, _ range: ClosedRange<Int> = ExpGolomb.signedRange,
        at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(ParameterSetError) {
        try element(SyntaxName(name, i, j, k), &value, .signedExpGolomb, range)
    }

    /// `f(bits)`: bits whose value the standard fixes.
    public mutating func fixed(
        _ name: StaticString, _ pattern: Int, _ bits: Int, at i: Int = -1
    ) throws(ParameterSetError) {
        let start = bitPosition
        var value = pattern
        try element(SyntaxName(name, i), &value, .unsigned(bits: bits), 0...((1 << bits) - 1))
        guard value == pattern else {
            throw ParameterSetError(
                .fixedBits, field: SyntaxName(name, i).description, bitOffset: start,
                reason: "is \(value), the standard fixes it at \(pattern)")
        }
    }

    /// A flag that says whether an optional part follows; reading makes `value` nil or `initial`.
    public mutating func presence<Part>(
        _ name: StaticString, _ value: inout Part?, _ initial: @autoclosure () -> Part, at i: Int = -1, _ j: Int = -1
    ) throws(ParameterSetError) {
        var isPresent = value != nil
        try flag(name, &isPresent, at: i, j)
        if Self.isReading {
            value = isPresent ? initial() : nil
        }
    }

    /// A flag that says whether another follows; nil when it does not.
    public mutating func optionalFlag(
        _ presence: StaticString, _ name: StaticString, _ value: inout Bool?
    ) throws(ParameterSetError) {
        try self.presence(presence, &value, false)
        if var flagValue = value {
            try flag(name, &flagValue)
            value = flagValue
        }
    }

    /// `count` bytes as they are; a writer writes all of `value`.
    public mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int, at i: Int = -1, _ j: Int = -1
    ) throws(ParameterSetError) {
        var copy = OpaqueBits(value)
        try opaque(SyntaxName(name, i, j), &copy, count: count * 8)
        value = copy.bytes
    }

    /// An ue(v) count of an array's elements, less `minus`; reading makes the array that long.
    ///
    /// The range is checked before anything is allocated.
    public mutating func count<Element>(
        _ name: StaticString, _ array: inout [Element], _ range: ClosedRange<Int>, minus: Int = 0,
        repeating initial: @autoclosure () -> Element, at i: Int = -1, _ j: Int = -1
    ) throws(ParameterSetError) {
        var count = array.count - minus
        try ue(name, &count, range, at: i, j)
        if Self.isReading {
            array = Array(repeating: initial(), count: count + minus)
        }
    }

    /// An element that is not coded here and that the standard infers: reading sets it, writing checks it.
    public func infer<Value: Equatable>(
        _ name: StaticString, _ value: inout Value, _ inferred: Value, at i: Int = -1
    ) throws(ParameterSetError) {
        guard !Self.isReading else {
            value = inferred
            return
        }
        guard value == inferred else {
            throw failure(
                .notRepresentable, SyntaxName(name, i),
                "is \(value), but is not coded here and would be inferred as \(inferred)")
        }
    }

    /// An optional part that has no place here: reading sets nil, writing anything is an error.
    public func absent<Part>(_ name: StaticString, _ value: inout Part?) throws(ParameterSetError) {
        guard !Self.isReading else {
            value = nil
            return
        }
        guard value == nil else {
            throw failure(.notRepresentable, SyntaxName(name), "is set, but other fields leave no place for it")
        }
    }

    /// An optional part that has its place here: reading starts from `initial`, writing nil is an error.
    public func required<Part>(
        _ name: StaticString, _ value: Part?, _ initial: @autoclosure () -> Part
    ) throws(ParameterSetError) -> Part {
        guard let part = value ?? (Self.isReading ? initial() : nil) else {
            throw failure(.notRepresentable, SyntaxName(name), "is missing, but other fields ask for it")
        }
        return part
    }

    /// A writer's array must have as many elements as other fields say; reading makes the array that long.
    public func expect<Element>(
        _ name: StaticString, _ array: inout [Element], count: Int, repeating initial: @autoclosure () -> Element
    ) throws(ParameterSetError) {
        guard !Self.isReading else {
            // An array that has the right length is used again: reading then allocates nothing.
            if array.count == count {
                for index in array.indices {
                    array[index] = initial()
                }
            } else {
                array = Array(repeating: initial(), count: count)
            }
            return
        }
        guard array.count == count else {
            throw failure(.notRepresentable, SyntaxName(name), "has \(array.count) elements, expected \(count)")
        }
    }

    /// `rbsp_trailing_bits()` (7.3.2.11): the stop bit and zeros to the next byte; nothing may follow when reading.
    public mutating func rbspTrailingBits() throws(ParameterSetError) {
        try fixed("rbsp_stop_one_bit", 1, 1)
        try zerosToByte("rbsp_alignment_zero_bit")
        try noMoreData()
    }

    /// Nothing may follow when reading.
    public func noMoreData() throws(ParameterSetError) {
        guard remainingBits == 0 else {
            throw ParameterSetError(
                .trailingData, bitOffset: bitPosition, reason: "\(remainingBits) bits follow the structure's end")
        }
    }

    /// Zero bits up to the next byte.
    public mutating func zerosToByte(_ name: StaticString) throws(ParameterSetError) {
        while !isByteAligned {
            try fixed(name, 0, 1)
        }
    }
}
