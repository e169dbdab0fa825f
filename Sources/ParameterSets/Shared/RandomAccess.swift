// SPDX-License-Identifier: MIT

// Where a decoder can begin.
extension H264NALUnit {
    /// Whether the unit tells that a decoder can begin at its access unit: slices of IDR pictures, and SEI with a
    /// recovery point, behind which pictures are right after `recovery_frame_cnt` frames (D.2.8).
    public var isRandomAccessPoint: Bool {
        guard case .sei(let messages) = payload else { return header.type == .idrSlice }
        return messages.payloads.contains { if case .recoveryPoint = $0 { true } else { false } }
    }
}

extension HEVCNALUnit {
    /// Whether the unit tells that a decoder can begin at its access unit: slice segments of the base layer's IRAP
    /// pictures, and SEI with a recovery point, behind which pictures are right after `recovery_poc_cnt` (D.3.8).
    public var isRandomAccessPoint: Bool {
        guard header.layerID == 0 else { return false }
        guard case .sei(let messages) = payload else { return header.type.isIRAP }
        return messages.payloads.contains { if case .recoveryPoint = $0 { true } else { false } }
    }
}
