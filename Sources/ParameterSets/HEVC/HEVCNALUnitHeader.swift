// SPDX-License-Identifier: MIT

/// The two bytes of an HEVC NAL unit's header (7.3.1.2).
public struct HEVCNALUnitHeader: NALUnitHeader {
    /// `nal_unit_type`.
    public var type = HEVCNALUnitType(rawValue: 0)
    /// `nuh_layer_id`, 0...63; 0 for the base layer.
    public var layerID = 0
    /// `nuh_temporal_id_plus1` - 1, 0...6.
    public var temporalID = 0

    /// Base layer, lowest temporal sub-layer.
    public init() {}

    /// Any header.
    public init(type: HEVCNALUnitType, layerID: Int = 0, temporalID: Int = 0) {
        self.type = type
        self.layerID = layerID
        self.temporalID = temporalID
    }

    /// Reads the header of a NAL unit that starts without start code or length; no more than four bytes are looked at.
    public init(nalUnit: Span<UInt8>) throws(ParameterSetError) {
        var reader = HeaderReader(nalUnit)
        try code(with: &reader, in: ())
    }

    /// Two.
    public var byteCount: Int { 2 }

    /// Codes 16 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.fixed("forbidden_zero_bit", 0, 1)
        try coder.u("nal_unit_type", &type.rawValue, 6)
        try coder.u("nuh_layer_id", &layerID, 6)
        var temporalIDPlus1 = temporalID &+ 1
        try coder.u("nuh_temporal_id_plus1", &temporalIDPlus1, 3, 1...7)
        temporalID = temporalIDPlus1 &- 1
    }
}
