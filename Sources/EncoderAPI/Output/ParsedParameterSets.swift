// SPDX-License-Identifier: MIT

import ParameterSets

/// What a format description says beyond its parameter sets, read from them.
struct ParsedParameterSets {
    let coded: PictureSize
    let display: PictureSize
    let configurationRecord: [UInt8]
    let codecString: String
}

extension ParsedParameterSets {
    init(
        codec: VideoCodec, parameterSets: [[UInt8]], nalUnitLengthSize: Int, areInBand: Bool
    ) throws(EncoderError) {
        do throws(ParameterSetError) {
            self =
                switch codec {
                case .h264: try .h264(parameterSets, nalUnitLengthSize, areInBand)
                case .hevc: try .hevc(parameterSets, nalUnitLengthSize, areInBand)
                }
        } catch {
            throw EncoderError(.invalidValue, reason: "\(codec) parameter sets: \(error.reason)")
        }
    }

    private static func h264(
        _ units: [[UInt8]], _ nalUnitLengthSize: Int, _ areInBand: Bool
    ) throws(ParameterSetError) -> Self {
        func sets(_ type: H264NALUnitType) -> [[UInt8]] {
            units.filter { (try? H264NALUnitHeader(nalUnit: $0))?.type == type }
        }
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: sets(.sps), pictureParameterSets: try required(sets(.pps), "picture"),
            nalUnitLengthSize: nalUnitLengthSize)
        let sps = try H264SPS(nalUnit: record.sequenceParameterSets[0])
        return Self(
            coded: sps.codedSize, display: sps.displaySize, configurationRecord: record.bytes,
            codecString: record.codecString(sampleEntry: areInBand ? "avc3" : "avc1"))
    }

    private static func hevc(
        _ units: [[UInt8]], _ nalUnitLengthSize: Int, _ areInBand: Bool
    ) throws(ParameterSetError) -> Self {
        func sets(_ type: HEVCNALUnitType) -> [[UInt8]] {
            units.filter { (try? HEVCNALUnitHeader(nalUnit: $0))?.type == type }
        }
        let sequence = try required(sets(.sps), "sequence")
        let record = try HEVCDecoderConfiguration(
            videoParameterSets: try required(sets(.vps), "video"), sequenceParameterSets: sequence,
            pictureParameterSets: try required(sets(.pps), "picture"), nalUnitLengthSize: nalUnitLengthSize,
            isComplete: !areInBand)
        let sps = try HEVCSPS(nalUnit: sequence[0])
        return Self(
            coded: sps.codedSize, display: sps.displaySize, configurationRecord: record.bytes,
            codecString: record.codecString(sampleEntry: areInBand ? "hev1" : "hvc1"))
    }

    private static func required(_ sets: [[UInt8]], _ kind: String) throws(ParameterSetError) -> [[UInt8]] {
        guard sets.isEmpty else { return sets }
        throw ParameterSetError(.missingParameterSet, reason: "no \(kind) parameter set, expected one or more")
    }
}
