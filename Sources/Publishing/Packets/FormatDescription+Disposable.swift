// SPDX-License-Identifier: MIT

package import BitSyntax
package import EncoderAPI

extension FormatDescription {
    /// Whether no other picture is predicted from an access unit of this format; false where its headers do not say.
    ///
    /// - Parameters:
    ///   - data: The access unit.
    ///   - nalUnits: Where in it each NAL unit lies, without its start code or length.
    /// - Returns: True where all slices say so.
    package func isDisposable(_ data: some ByteView, nalUnits: [Range<Int>]) -> Bool {
        data.withSpan { codec.isDisposable($0, nalUnits: nalUnits, highestTemporalID: highestTemporalID) }
    }

    /// The highest temporal sub-layer that the sequence parameter sets of HEVC allow; nil where there is none.
    private var highestTemporalID: Int? {
        guard codec == .hevc else { return nil }
        // nal_unit_type 33; sps_max_sub_layers_minus1 follows the NAL unit's header and four bits (7.3.2.2.1).
        return parameterSets.filter { $0.count > 2 && $0[0] >> 1 & 63 == 33 }.map { Int($0[2] >> 1 & 7) }.max()
    }
}

extension VideoCodec {
    /// Whether no other picture is predicted from an access unit, with the highest temporal sub-layer of HEVC.
    func isDisposable(_ data: Span<UInt8>, nalUnits: [Range<Int>], highestTemporalID: Int?) -> Bool {
        var hasSlice = false
        for unit in nalUnits where unit.count >= 2 {
            let (first, second) = (data[unit.lowerBound], data[unit.lowerBound + 1])
            switch self {
            case .h264:
                guard (1...5).contains(first & 31) else { continue }
                // nal_ref_idc
                guard first >> 5 & 3 == 0 else { return false }
            case .hevc:
                let type = first >> 1 & 63
                guard type < 32 else { continue }
                // Even types below 16 are of sub-layer non-reference pictures (7.4.2.2): pictures of higher sub-layers
                // may still be predicted from them, which the highest one rules out.
                guard type < 16, type % 2 == 0, Int(second & 7) - 1 == highestTemporalID else { return false }
            }
            hasSlice = true
        }
        return hasSlice
    }
}
