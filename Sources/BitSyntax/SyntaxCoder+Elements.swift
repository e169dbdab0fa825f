// SPDX-License-Identifier: MIT

// The spellings that structures use. `at:` gives the indices of an element that is an array in the standard.
extension SyntaxCoder {
    /// `u(bits)`: an unsigned number of 0...62 bits.
    @inlinable
    public mutating func u(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ bits: Int, _ range: ClosedRange<Int>? = nil,
        at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(SyntaxError) {
        let all = 0...((1 &<< bits) - 1)
        try element(SyntaxName(name(), i, j, k), &value, .unsigned(bits: bits), range ?? all)
    }

    /// `i(bits)`: a two's complement number of 1...62 bits.
    @inlinable
    public mutating func i(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ bits: Int, at i: Int = -1, _ j: Int = -1
    ) throws(SyntaxError) {
        let half = 1 << (bits - 1)
        try element(SyntaxName(name(), i, j), &value, .signed(bits: bits), -half...half - 1)
    }

    /// `u(1)` as a Boolean.
    @inlinable
    public mutating func flag(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Bool, at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(SyntaxError) {
        var bit = value ? 1 : 0
        try element(SyntaxName(name(), i, j, k), &bit, .unsigned(bits: 1), 0...1)
        value = bit == 1
    }

    /// `ue(v)`: an unsigned Exp-Golomb code.
    @inlinable
    public mutating func ue(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ range: ClosedRange<Int> = ExpGolomb.unsignedRange,
        at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(SyntaxError) {
        try element(SyntaxName(name(), i, j, k), &value, .expGolomb, range)
    }

    /// `se(v)`: a signed Exp-Golomb code.
    @inlinable
    public mutating func se(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ range: ClosedRange<Int> = ExpGolomb.signedRange,
        at i: Int = -1, _ j: Int = -1, _ k: Int = -1
    ) throws(SyntaxError) {
        try element(SyntaxName(name(), i, j, k), &value, .signedExpGolomb, range)
    }

    /// `f(bits)`: bits whose value the standard fixes.
    @inlinable
    public mutating func fixed(
        _ name: @autoclosure () -> SyntaxName, _ pattern: Int, _ bits: Int, at i: Int = -1
    ) throws(SyntaxError) {
        let start = bitPosition
        var value = pattern
        try element(SyntaxName(name(), i), &value, .unsigned(bits: bits), 0...((1 &<< bits) - 1))
        guard value == pattern else {
            throw .init(fixing: name, i, at: start, pattern, found: value)
        }
    }

    /// `count` bytes as they are; a writer writes all of `value`.
    @inlinable
    public mutating func bytes(
        _ name: @autoclosure () -> SyntaxName, _ value: inout [UInt8], count: Int, at i: Int = -1, _ j: Int = -1
    ) throws(SyntaxError) {
        var copy = OpaqueBits(value)
        try opaque(SyntaxName(name(), i, j), &copy, count: count * 8)
        value = copy.bytes
    }

    /// `count` bytes of one value that the standard fixes, as one element: there may be millions.
    @inlinable
    public mutating func repeated(_ name: @autoclosure () -> SyntaxName, _ byte: UInt8, count: Int) throws(SyntaxError)
    {
        guard count > 0 else { return }
        let start = bitPosition
        var all = [UInt8](repeating: byte, count: count)
        try bytes(name(), &all, count: count)
        if let other = all.firstIndex(where: { $0 != byte }) {
            throw .init(fixing: name, -1, at: start + other * 8, Int(byte), found: Int(all[other]))
        }
    }

    /// An ue(v) count of an array's elements, less `minus`; reading makes the array that long.
    ///
    /// The range is checked before anything is allocated.
    @inlinable
    public mutating func count<Element>(
        _ name: @autoclosure () -> SyntaxName, _ array: inout [Element], _ range: ClosedRange<Int>, minus: Int = 0,
        repeating initial: @autoclosure () -> Element, at i: Int = -1, _ j: Int = -1
    ) throws(SyntaxError) {
        var count = array.count - minus
        try ue(name(), &count, range, at: i, j)
        if Self.isReading {
            array = Array(repeating: initial(), count: count + minus)
        }
    }

    /// A writer's array must have as many elements as other fields say; reading makes the array that long.
    @inlinable
    public func expect<Element>(
        _ name: @autoclosure () -> SyntaxName, _ array: inout [Element], count: Int,
        repeating initial: @autoclosure () -> Element
    ) throws(SyntaxError) {
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
            throw failure(.notRepresentable, name(), "has \(array.count) elements, expected \(count)")
        }
    }

    /// Nothing may follow when reading.
    @inlinable
    public func noMoreData() throws(SyntaxError) {
        guard remainingBits == 0 else {
            throw SyntaxError(
                .trailingData, bitOffset: bitPosition, reason: "\(remainingBits) bits follow the structure's end")
        }
    }

    /// Zero bits up to the next byte.
    @inlinable
    public mutating func zerosToByte(_ name: @autoclosure () -> SyntaxName) throws(SyntaxError) {
        while !isByteAligned {
            try fixed(name(), 0, 1)
        }
    }

    /// Refuses a count of elements that the data left cannot hold, before anything is allocated for them.
    ///
    /// - Parameters:
    ///   - name: The count's name.
    ///   - count: How many elements follow.
    ///   - bits: How many bits each takes at least.
    /// - Throws: ``SyntaxError`` with `.endOfData`; never when writing.
    @inlinable
    public func checkRoom(_ name: @autoclosure () -> SyntaxName, count: Int, bits: Int) throws(SyntaxError) {
        guard !Self.isReading || count * bits <= remainingBits else {
            throw failure(.endOfData, name(), "\(count) elements of \(bits) bits or more, but \(remainingBits) remain")
        }
    }
}
