// SPDX-License-Identifier: MIT

#if os(Linux)
    import EncoderAPI
    import ParameterSets

    extension FormatDescription {
        /// What the first SPS signals of the samples; nil where it says neither color nor full range.
        var signalledColor: ColorDescription? {
            let type: VideoSignalType?
            switch codec {
            case .h264:
                let sps = parameterSets.first { (try? H264NALUnitHeader(nalUnit: $0))?.type == .sps }
                type = sps.flatMap { try? H264SPS(nalUnit: $0) }?.vui?.videoSignalType
            case .hevc:
                let sps = parameterSets.first { (try? HEVCNALUnitHeader(nalUnit: $0))?.type == .sps }
                type = sps.flatMap { try? HEVCSPS(nalUnit: $0) }?.vui?.videoSignalType
            }
            guard let type, type.codePoints != nil || type.videoFullRangeFlag else { return nil }
            return type.color ?? ColorDescription(isFullRange: true)
        }
    }
#endif
