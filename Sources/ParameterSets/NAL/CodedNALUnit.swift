// SPDX-License-Identifier: MIT

/// A whole NAL unit of a stream: its header, and the structure that its type says is inside.
public protocol CodedNALUnit: SyntaxStructure where Context: StreamParameterSets, Context.Unit == Self {
    /// The codec's NAL unit header.
    associatedtype Header: NALUnitHeader

    /// The unit's header.
    var header: Header { get }

    /// `cabac_zero_words`: zero bytes after the RBSP's trailing bits, two a word, an even number in 0...2^28 (7.3.2.10
    /// in H.264 and in HEVC).
    var zeroBytes: Int { get set }

    /// Whether the unit tells that a decoder can begin at the access unit that it is of.
    var isRandomAccessPoint: Bool { get }
}

/// The parameter sets of a stream so far.
public protocol StreamParameterSets: Sendable {
    /// The codec's NAL units.
    associatedtype Unit: CodedNALUnit
    /// The codec's sequence parameter set.
    associatedtype SPS: SequenceParameterSet

    /// No parameter sets.
    init()

    /// The base layer's sequence parameter set in use, or the only one that came; nil when that cannot be told.
    var activeSPS: SPS? { get }

    /// Takes up what a unit of the stream sets: parameter sets, and which of them are in use.
    mutating func update(with unit: Unit)
}

/// The elements of one NAL unit in decode order.
public struct SyntaxTrace: Hashable, Sendable {
    /// What was read; after an error, all before it, and the failing element itself where it could be read but is not
    /// what the standard fixes.
    public var elements: [SyntaxElement]
    /// What made reading end early; nil for a whole unit.
    public var error: ParameterSetError?
}

extension CodedNALUnit {
    /// Reads a NAL unit.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit as it stands in a stream, without start code or length; zero bytes at its end are ignored.
    ///   - parameterSets: Those of the stream up to the unit.
    /// - Throws: ``ParameterSetError`` naming field, bit offset from the unit's first bit, value and legal range where
    ///   they are known.
    public init(nalUnit: some ByteView & ~Escapable, in parameterSets: Context) throws(ParameterSetError) {
        self.init()
        let bytes = PlainBytes(nalUnit: nalUnit)
        var reader = SyntaxReader(bytes)
        try read(with: &reader, in: parameterSets)
        // An odd zero, which no legal unit has, has no form with emulation prevention and is left out.
        zeroBytes = bytes.trailingZeros & ~1
    }

    /// The NAL unit as it stands in a stream, without start code or length.
    ///
    /// - Parameter parameterSets: Those of the stream up to the unit.
    /// - Returns: The unit with emulation prevention.
    /// - Throws: ``ParameterSetError`` when a value has no place in the syntax or lies outside the legal range.
    public func nalUnit(in parameterSets: Context) throws(ParameterSetError) -> [UInt8] {
        var copy = self
        var writer = SyntaxWriter()
        try copy.write(with: &writer, in: parameterSets)
        guard writer.isByteAligned else {
            throw writer.failure(.notRepresentable, "nal_unit", "does not end at a whole byte")
        }
        guard writer.bytes.last != 0 else {
            throw writer.failure(.notRepresentable, "nal_unit", "ends in a zero byte, which belongs to no unit")
        }
        guard (0...1 << 28).contains(zeroBytes), zeroBytes % 2 == 0 else {
            throw writer.failure(.notRepresentable, "cabac_zero_words", "are \(zeroBytes) bytes")
        }
        return EmulationPrevention.escape(writer.bytes + [UInt8](repeating: 0, count: zeroBytes))
    }

    /// Reads a NAL unit and records its elements.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit as it stands in a stream, without start code or length.
    ///   - parameterSets: Those of the stream up to the unit; updated when the unit can be read.
    /// - Returns: The elements read, and the error that ended reading if there is one.
    public static func trace(
        _ nalUnit: some ByteView & ~Escapable, updating parameterSets: inout Context
    ) -> SyntaxTrace {
        var unit = Self()
        var tracer = SyntaxTracer(PlainBytes(nalUnit: nalUnit))
        do {
            try unit.code(with: &tracer, in: parameterSets)
            parameterSets.update(with: unit)
            return SyntaxTrace(elements: tracer.elements, error: nil)
        } catch {
            return SyntaxTrace(elements: tracer.elements, error: error)
        }
    }
}
