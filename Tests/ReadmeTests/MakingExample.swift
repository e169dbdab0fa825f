// SPDX-License-Identifier: MIT

import ParameterSets

/// The contents of an avcC box for a new H.264 stream of 1920x1080 at 29.97 frames per second.
func makeAVCRecord() throws -> [UInt8] {
    var wanted = SequenceConfiguration(displaySize: PictureSize(width: 1920, height: 1080))
    wanted.frameRate = Ratio(30000, 1001)
    let sps = try H264SPS(wanted, profile: .high)
    let pps = H264PPS()
    let ppsUnit = try pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))
    return try AVCDecoderConfiguration(sequenceParameterSets: [sps.nalUnit()], pictureParameterSets: [ppsUnit]).bytes
}

/// The contents of an hvcC box for the same in HEVC.
func makeHEVCRecord() throws -> [UInt8] {
    var wanted = SequenceConfiguration(displaySize: PictureSize(width: 1920, height: 1080))
    wanted.frameRate = Ratio(30000, 1001)
    let sps = try HEVCSPS(wanted)
    return try HEVCDecoderConfiguration(
        videoParameterSets: [HEVCVPS(for: sps).nalUnit()], sequenceParameterSets: [sps.nalUnit()],
        pictureParameterSets: [HEVCPPS().nalUnit()]
    ).bytes
}

/// An H.264 SPS whose primaries, transfer and matrix are those of BT.709, and that is otherwise as it was.
func tellBT709(in unit: [UInt8]) throws -> [UInt8] {
    var sps = try H264SPS(nalUnit: unit)
    var vui = sps.vui ?? H264VUI()
    var signal = vui.videoSignalType ?? VideoSignalType()
    signal.codePoints = VideoSignalType(.bt709).codePoints
    vui.videoSignalType = signal
    sps.vui = vui
    return try sps.nalUnit(header: H264NALUnitHeader(nalUnit: unit))
}
