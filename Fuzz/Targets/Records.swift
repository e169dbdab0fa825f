// SPDX-License-Identifier: MIT

/// Decoder configuration records are written back as they were read, and made anew of the units that they hold.
func checkRecords(_ bytes: [UInt8]) {
    if let record = try? AVCDecoderConfiguration(bytes: bytes) {
        check(record)
    }
    if let record = try? HEVCDecoderConfiguration(bytes: bytes) {
        check(record)
    }
}

private func check(_ record: AVCDecoderConfiguration) {
    var copy = record
    var writer = SyntaxWriter()
    require((try? copy.code(with: &writer)) != nil && writer.bytes == record.bytes, "avcC written otherwise")
    _ = record.codecString()
    let made = try? AVCDecoderConfiguration(
        sequenceParameterSets: record.sequenceParameterSets, pictureParameterSets: record.pictureParameterSets,
        nalUnitLengthSize: record.nalUnitLengthSize,
        sequenceParameterSetExtensions: record.high?.sequenceParameterSetExtensions ?? [])
    guard let made else { return }
    let read = try? AVCDecoderConfiguration(bytes: made.bytes)
    require(read?.sequenceParameterSets == record.sequenceParameterSets, "other SPS in avcC")
    require(read?.pictureParameterSets == record.pictureParameterSets, "other PPS in avcC")
}

private func check(_ record: HEVCDecoderConfiguration) {
    var copy = record
    var writer = SyntaxWriter()
    require((try? copy.code(with: &writer)) != nil && writer.bytes == record.bytes, "hvcC written otherwise")
    _ = record.codecString()
    let made = try? HEVCDecoderConfiguration(
        videoParameterSets: record.videoParameterSets, sequenceParameterSets: record.sequenceParameterSets,
        pictureParameterSets: record.pictureParameterSets, nalUnitLengthSize: record.nalUnitLengthSize)
    guard let made else { return }
    let read = try? HEVCDecoderConfiguration(bytes: made.bytes)
    require(read?.videoParameterSets == record.videoParameterSets, "other VPS in hvcC")
    require(read?.sequenceParameterSets == record.sequenceParameterSets, "other SPS in hvcC")
    require(read?.pictureParameterSets == record.pictureParameterSets, "other PPS in hvcC")
}
