// SPDX-License-Identifier: MIT

import ParameterSets

func printHeaders(of avcC: [UInt8]) throws {
    let description = try SequenceDescription(avcC: avcC)
    print(description, description.color?.transferName ?? "unspecified")
    let record = try AVCDecoderConfiguration(bytes: avcC)
    let sps = try H264SPS(nalUnit: record.sequenceParameterSets[0])
    print(sps.profile, sps.level, sps.displaySize.width, sps.displaySize.height)
}
