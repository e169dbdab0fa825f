// SPDX-License-Identifier: MIT

/// The bytes a NAL unit begins with: one in H.264 (three or four for types 14, 20, 21), two in HEVC.
public protocol NALUnitHeader: SyntaxStructure where Context == Void {
    /// The codec's NAL unit types.
    associatedtype UnitType: NALUnitType

    /// What the unit holds.
    var type: UnitType { get set }

    /// How many bytes the header takes.
    var byteCount: Int { get }

    /// Reads the header of a NAL unit that starts without start code or length; no more than four bytes are looked at.
    ///
    /// - Throws: ``ParameterSetError`` with `.endOfData` when the unit is shorter than its header, `.fixedBits` when
    ///   the forbidden bit is set, `.outOfRange` when HEVC's `nuh_temporal_id_plus1` is 0.
    init(nalUnit: Span<UInt8>) throws(ParameterSetError)
}

extension NALUnitHeader {
    /// Reads the header of a NAL unit that starts without start code or length; nothing is copied.
    ///
    /// - Throws: ``ParameterSetError`` with `.endOfData` when the unit is shorter than its header, `.fixedBits` when
    ///   the forbidden bit is set, `.outOfRange` when HEVC's `nuh_temporal_id_plus1` is 0.
    @inlinable
    public init(nalUnit: some ByteView & ~Escapable) throws(ParameterSetError) {
        self = try nalUnit.withSpan { (bytes) throws(ParameterSetError) in try Self(nalUnit: bytes) }
    }
}

/// The type of a NAL unit: any code point, with names for those the standard assigns.
public protocol NALUnitType: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == Int {
    /// Any code point.
    init(rawValue: Int)

    /// The code points that the standard names, with their names.
    static var names: [Int: String] { get }

    /// Whether the unit carries a slice or slice partition, but not one of an auxiliary picture.
    var isVCL: Bool { get }

    /// Whether the unit is a video, sequence or picture parameter set.
    var isParameterSet: Bool { get }
}

extension NALUnitType {
    /// The standard's short name, or the number of a code point that has none.
    public var description: String {
        Self.names[rawValue] ?? "type \(rawValue)"
    }
}
