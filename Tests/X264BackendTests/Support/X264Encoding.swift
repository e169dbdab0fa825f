// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import ParameterSets
import TestSupport
import X264Backend

extension CodedFrame {
    /// nal_unit_type of each NAL unit (7.4.1).
    var unitTypes: [H264NALUnitType?] { nalUnits.map { $0.unitHeader?.type } }
    /// The coded slices.
    var slices: [[UInt8]] { nalUnits.filter(\.isSlice) }
    /// Whether all slices are of an IDR picture.
    var isIDR: Bool { !slices.isEmpty && slices.allSatisfy { $0.unitHeader?.isIDR == true } }
    /// Bytes of the slices.
    var sliceBytes: Int { slices.reduce(0) { $0 + $1.count } }
}

extension [UInt8] {
    /// The header of an H.264 NAL unit; nil where it is illegal.
    var unitHeader: H264NALUnitHeader? { try? H264NALUnitHeader(nalUnit: self) }
    /// Whether an H.264 NAL unit is a coded slice.
    var isSlice: Bool { unitHeader?.type.isVCL == true }
}

extension EncoderDriver {
    /// Opens x264's encoder for a clip.
    convenience init(_ clip: TestClip, _ settings: ResolvedSettings, logger: Logger = .silent) throws(EncoderError) {
        try self.init(X264Backend(), settings, clip, logger: logger)
    }
}

extension TestClip {
    /// Settings for the clip as the program would take it.
    var settings: ResolvedSettings { ResolvedSettings(.h264, self) }

    /// Encodes the whole clip.
    func encode(_ settings: ResolvedSettings, forcing: Set<Int> = []) throws(EncoderError) -> [CodedFrame] {
        try EncoderDriver.encode(X264Backend(), self, settings, forcing: forcing).output
    }
}
