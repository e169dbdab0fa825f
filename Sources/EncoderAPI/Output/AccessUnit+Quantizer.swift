// SPDX-License-Identifier: MIT

import ParameterSets

extension AccessUnit {
    /// The quantizer of the picture, in the codec's scale: 0 to 51, and down to -6 for each bit more than eight.
    ///
    /// The mean over the picture where the encoder reports one, as libx265 does. libx264 reports none: there it is what
    /// the headers of the picture's slices say that they start from, which adaptive quantization departs from block by
    /// block. Each time it is asked for, parameter sets and slice headers are read again. nil for slices that cannot be
    /// read.
    public var averageQP: Double? { reportedQP ?? sliceQP }

    /// The mean of the quantizers that slices start from: 26 + `init_qp_minus26` + `slice_qp_delta` (H.264 7-30, HEVC
    /// 7-54).
    private var sliceQP: Double? {
        let quantizers: [Int]
        do throws(ParameterSetError) {
            quantizers = try format.codec == .h264 ? h264Quantizers() : hevcQuantizers()
        } catch {
            return nil
        }
        guard !quantizers.isEmpty else { return nil }
        return Double(quantizers.reduce(0, +)) / Double(quantizers.count)
    }

    private func h264Quantizers() throws(ParameterSetError) -> [Int] {
        var sets = H264ParameterSets()
        for set in format.parameterSets { sets.update(with: try H264NALUnit(nalUnit: set, in: sets)) }
        var quantizers: [Int] = []
        for range in nalUnits {
            guard try H264NALUnitHeader(nalUnit: data[range]).type.isVCL else { continue }
            let header = try H264SliceHeader(nalUnit: data[range], in: sets)
            quantizers.append(26 + (sets.pps(header.ppsID)?.picInitQpMinus26 ?? 0) + header.qpDelta)
        }
        return quantizers
    }

    private func hevcQuantizers() throws(ParameterSetError) -> [Int] {
        var sets = HEVCParameterSets()
        for set in format.parameterSets { sets.update(with: try HEVCNALUnit(nalUnit: set, in: sets)) }
        var quantizers: [Int] = []
        for range in nalUnits {
            guard try HEVCNALUnitHeader(nalUnit: data[range]).type.isVCL else { continue }
            let segment = try HEVCSliceSegmentHeader(nalUnit: data[range], in: sets)
            // A dependent segment goes on with its slice's header.
            guard let header = segment.slice else { continue }
            quantizers.append(26 + (sets.pps(segment.ppsID)?.quantisation.initQpMinus26 ?? 0) + header.qpDelta)
        }
        return quantizers
    }
}
