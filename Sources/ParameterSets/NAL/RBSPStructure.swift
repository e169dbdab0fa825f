// SPDX-License-Identifier: MIT

/// A structure that fills a NAL unit's payload up to and including its trailing bits.
public protocol RBSPStructure: SyntaxStructure {
    /// The NAL unit header of the structure's codec.
    associatedtype Header: NALUnitHeader

    /// The header that a new unit gets when none is given; its type is that of all units that hold this structure.
    static var defaultHeader: Header { get }
}

extension RBSPStructure {
    /// Reads a NAL unit's payload.
    ///
    /// - Parameters:
    ///   - rbsp: The bytes after the NAL unit header, without emulation prevention; they are copied. Trailing zero
    ///     bytes are ignored.
    ///   - context: What else decides the syntax.
    /// - Throws: ``ParameterSetError`` naming field, bit offset from the first bit of `rbsp`, value and legal range
    ///   where they are known.
    public init(rbsp: some ByteView & ~Escapable, in context: Context) throws(ParameterSetError) {
        self.init()
        var reader = SyntaxReader(rbsp.array()[...].droppingTrailingZeros())
        try read(with: &reader, in: context)
    }

    /// Reads a NAL unit.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit as it stands in a stream, without start code or length.
    ///   - context: What else decides the syntax.
    /// - Throws: ``ParameterSetError``; `.wrongUnitType` when the unit holds another structure. Bit offsets count from
    ///   the first bit of the unit, emulation prevention bytes left out.
    public init(nalUnit: some ByteView & ~Escapable, in context: Context) throws(ParameterSetError) {
        self.init()
        var reader = SyntaxReader(PlainBytes(nalUnit: nalUnit))
        let expected = Self.defaultHeader.type
        _ = try Header.read(with: &reader, of: nalUnit, expecting: expected.description) { $0 == expected }
        try read(with: &reader, in: context)
    }

    /// The payload's bytes, without NAL unit header and emulation prevention.
    ///
    /// - Throws: ``ParameterSetError`` when a value has no place in the syntax or lies outside the legal range.
    public func rbsp(in context: Context) throws(ParameterSetError) -> [UInt8] {
        var copy = self
        var writer = SyntaxWriter()
        try copy.write(with: &writer, in: context)
        return writer.bytes
    }

    /// The NAL unit as it stands in a stream, without start code or length.
    ///
    /// - Parameters:
    ///   - header: The unit's header; nil for the usual one. Whether its type is that of the structure is not checked.
    ///   - context: What else decides the syntax.
    /// - Returns: The unit with emulation prevention.
    /// - Throws: ``ParameterSetError`` when a value has no place in the syntax or lies outside the legal range.
    public func nalUnit(header: Header? = nil, in context: Context) throws(ParameterSetError) -> [UInt8] {
        var copy = self
        var header = header ?? Self.defaultHeader
        var writer = SyntaxWriter()
        try header.write(with: &writer, in: ())
        try copy.write(with: &writer, in: context)
        return EmulationPrevention.escape(writer.bytes)
    }
}

extension RBSPStructure where Context == Void {
    /// Reads a NAL unit's payload: the bytes after the header, without emulation prevention.
    public init(rbsp: some ByteView & ~Escapable) throws(ParameterSetError) {
        try self.init(rbsp: rbsp, in: ())
    }

    /// Reads a NAL unit as it stands in a stream, without start code or length.
    public init(nalUnit: some ByteView & ~Escapable) throws(ParameterSetError) {
        try self.init(nalUnit: nalUnit, in: ())
    }

    /// The payload's bytes, without NAL unit header and emulation prevention.
    public func rbsp() throws(ParameterSetError) -> [UInt8] {
        try rbsp(in: ())
    }

    /// The NAL unit as it stands in a stream, without start code or length.
    public func nalUnit(header: Header? = nil) throws(ParameterSetError) -> [UInt8] {
        try nalUnit(header: header, in: ())
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without zero bytes at the end, which belong to the byte stream and not to the unit (B.1).
    func droppingTrailingZeros() -> Self {
        prefix(through: lastIndex { $0 != 0 } ?? startIndex - 1)
    }
}

extension SyntaxCoder {
    /// `rbsp_trailing_bits()` (7.3.2.11): the stop bit and zeros to the next byte; nothing may follow when reading.
    public mutating func rbspTrailingBits() throws(ParameterSetError) {
        try fixed("rbsp_stop_one_bit", 1, 1)
        try zerosToByte("rbsp_alignment_zero_bit")
        try noMoreData()
    }
}
