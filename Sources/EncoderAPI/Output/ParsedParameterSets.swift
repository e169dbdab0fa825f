// SPDX-License-Identifier: MIT

import ParameterSets

/// What a format description says beyond its parameter sets, read from them.
struct ParsedParameterSets {
    let coded: PictureSize
    let display: PictureSize
    let configurationRecord: [UInt8]
    let codecString: String

    init(codec: VideoCodec, parameterSets: [[UInt8]], nalUnitLengthSize: Int) throws(EncoderError) {
        do throws(ParameterSetError) {
            switch codec {
            case .h264: try self.init(h264: parameterSets, nalUnitLengthSize: nalUnitLengthSize)
            case .hevc: try self.init(hevc: parameterSets, nalUnitLengthSize: nalUnitLengthSize)
            }
        } catch {
            throw EncoderError(.invalidValue, reason: "\(codec) parameter sets: \(error.reason)")
        }
    }

    private init(h264 units: [[UInt8]], nalUnitLengthSize: Int) throws(ParameterSetError) {
        func sets(_ type: H264NALUnitType) -> [[UInt8]] {
            units.filter { $0.first.map { H264NALUnitType(rawValue: Int($0 & 0x1F)) } == type }
        }
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: sets(.sps), pictureParameterSets: try Self.required(sets(.pps), "picture"),
            nalUnitLengthSize: nalUnitLengthSize)
        let sps = try H264SPS(nalUnit: record.sequenceParameterSets[0])
        (coded, display) = (sps.codedSize, sps.displaySize)
        (configurationRecord, codecString) = (record.bytes, record.codecString())
    }

    private init(hevc units: [[UInt8]], nalUnitLengthSize: Int) throws(ParameterSetError) {
        (coded, display) = (PictureSize(width: 0, height: 0), PictureSize(width: 0, height: 0))
        (configurationRecord, codecString) = ([], "")
    }

    private static func required(_ sets: [[UInt8]], _ kind: String) throws(ParameterSetError) -> [[UInt8]] {
        guard sets.isEmpty else { return sets }
        throw ParameterSetError(.missingParameterSet, reason: "no \(kind) parameter set, expected one or more")
    }
}
