// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import TestSupport
import X265Backend

extension CodedFrame {
    /// The NAL units that carry samples.
    var slices: [[UInt8]] { nalUnits.filter(\.isSlice) }
    /// Whether all slices are of an IDR picture.
    var isIDR: Bool { slices.allSatisfy { $0.unitType?.isIDR == true } }
}

extension [UInt8] {
    /// The type of an HEVC NAL unit; nil where its header is illegal.
    var unitType: HEVCNALUnitType? { (try? HEVCNALUnitHeader(nalUnit: self))?.type }
    /// Whether an HEVC NAL unit carries samples.
    var isSlice: Bool { unitType?.isVCL == true }
}

extension TestClip {
    /// Encodes the whole clip.
    func encode(_ settings: ResolvedSettings, forcing: Set<Int> = []) throws(EncoderError) -> EncoderDriver {
        try EncoderDriver.encode(X265Backend(), self, settings, forcing: forcing)
    }

    /// Settings for the clip as the program would take it.
    func settings(_ change: (inout ResolvedSettings) -> Void = { _ in }) -> ResolvedSettings {
        ResolvedSettings(.hevc, self, change)
    }
}

extension EncoderDriver {
    /// The NAL units that carry samples, of all pictures in decode order.
    var slices: [[UInt8]] { output.flatMap(\.slices) }

    /// All NAL units as an elementary stream.
    var stream: [UInt8] { AnnexB.join(output.flatMap(\.nalUnits)) }

    /// Most pictures N - (oldest picture not out yet) + 1 over all calls.
    var longestDelay: Int {
        var (oldest, longest) = (0, 0)
        for (given, count) in outCounts.enumerated() {
            let out = Set(output[..<count].map(\.id))
            while out.contains(oldest) { oldest += 1 }
            longest = max(longest, given + 1 - oldest)
        }
        return longest
    }
}
