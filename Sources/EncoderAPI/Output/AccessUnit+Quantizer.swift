// SPDX-License-Identifier: MIT

import ParameterSets

extension AccessUnit {
    /// The quantizer of the picture, in the codec's scale: 0 to 51, and down to -6 for each bit more than eight.
    ///
    /// The mean over the picture where the encoder reports one, as libx265 does. libx264 reports none: there it is what
    /// the headers of the picture's slices say that they start from, which adaptive quantization departs from block by
    /// block. Each time it is asked for, parameter sets and slice headers are read again. nil for slices that cannot be
    /// read.
    public var averageQP: Double? { reportedQP ?? QuantizerReader(format)?.mean(of: self) }
}

/// Reads the quantizers that the slices of pictures start from: 26 + `init_qp_minus26` + `slice_qp_delta` (H.264 7-30,
/// HEVC 7-54).
struct QuantizerReader {
    private enum Sets {
        case h264(H264ParameterSets)
        case hevc(HEVCParameterSets)
    }

    /// Of the pictures.
    let format: FormatDescription
    private let sets: Sets

    /// Reads the parameter sets of a format; nil where they cannot be read.
    init?(_ format: FormatDescription) {
        self.format = format
        do throws(ParameterSetError) {
            switch format.codec {
            case .h264:
                var sets = H264ParameterSets()
                for set in format.parameterSets { sets.update(with: try H264NALUnit(nalUnit: set, in: sets)) }
                self.sets = .h264(sets)
            case .hevc:
                var sets = HEVCParameterSets()
                for set in format.parameterSets { sets.update(with: try HEVCNALUnit(nalUnit: set, in: sets)) }
                self.sets = .hevc(sets)
            }
        } catch {
            return nil
        }
    }

    /// The mean over the slices of a picture of the format; nil where they cannot be read.
    func mean(of unit: AccessUnit) -> Double? {
        let quantizers: [Int]
        do throws(ParameterSetError) {
            switch sets {
            case .h264(let sets): quantizers = try Self.quantizers(of: unit, in: sets)
            case .hevc(let sets): quantizers = try Self.quantizers(of: unit, in: sets)
            }
        } catch {
            return nil
        }
        guard !quantizers.isEmpty else { return nil }
        return Double(quantizers.reduce(0, +)) / Double(quantizers.count)
    }

    private static func quantizers(
        of unit: AccessUnit, in sets: H264ParameterSets
    ) throws(ParameterSetError) -> [Int] {
        var quantizers: [Int] = []
        for range in unit.nalUnits {
            guard try H264NALUnitHeader(nalUnit: unit.data[range]).type.isVCL else { continue }
            let header = try H264SliceHeader(nalUnit: unit.data[range], in: sets)
            quantizers.append(26 + (sets.pps(header.ppsID)?.picInitQpMinus26 ?? 0) + header.qpDelta)
        }
        return quantizers
    }

    private static func quantizers(
        of unit: AccessUnit, in sets: HEVCParameterSets
    ) throws(ParameterSetError) -> [Int] {
        var quantizers: [Int] = []
        for range in unit.nalUnits {
            guard try HEVCNALUnitHeader(nalUnit: unit.data[range]).type.isVCL else { continue }
            let segment = try HEVCSliceSegmentHeader(nalUnit: unit.data[range], in: sets)
            // A dependent segment goes on with its slice's header.
            guard let header = segment.slice else { continue }
            quantizers.append(26 + (sets.pps(segment.ppsID)?.quantisation.initQpMinus26 ?? 0) + header.qpDelta)
        }
        return quantizers
    }
}
