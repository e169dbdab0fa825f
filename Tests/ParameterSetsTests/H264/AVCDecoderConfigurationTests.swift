// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct AVCDecoderConfigurationTests {
    @Test("a record is written as ISO/IEC 14496-15 draws it", arguments: [(1, "FC"), (2, "FD"), (4, "FF")])
    func written(lengthSize: Int, byte: String) throws {
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: [H264Vectors.baseline], pictureParameterSets: [H264Vectors.baselinePPS],
            nalUnitLengthSize: lengthSize)
        //                    version profile compatibility level
        let expected =
            hex("01 42 C0 0B \(byte) E1 0019") + H264Vectors.baseline + hex("01 0005") + H264Vectors.baselinePPS
        #expect(record.bytes == expected)
        #expect(record.high == nil && record.codecString() == "avc1.42C00B")
        let read = try AVCDecoderConfiguration(bytes: expected)
        #expect(read == record && read.nalUnitLengthSize == lengthSize)
        #expect(read.sequenceParameterSets == [H264Vectors.baseline])
        #expect(read.pictureParameterSets == [H264Vectors.baselinePPS])
    }

    @Test("profiles from High on add the sample format and SPS extensions")
    func highFields() throws {
        let spsExtension = hex("6D B0")
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: [H264Vectors.high444], pictureParameterSets: [H264Vectors.high444PPS],
            sequenceParameterSetExtensions: [spsExtension])
        //                                              format luma chroma count length
        #expect(Array(record.bytes.suffix(8)) == hex("FF FA FA 01 0002 6DB0"))
        let high = try #require(try AVCDecoderConfiguration(bytes: record.bytes).high)
        #expect(high.chromaFormatIdc == 3 && high.bitDepthLumaMinus8 == 2 && high.bitDepthChromaMinus8 == 2)
        #expect(high.sequenceParameterSetExtensions == [spsExtension])
    }

    @Test("what is read is written again, with reserved bits, without High fields, with more behind")
    func roundTrip() throws {
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: [H264Vectors.high], pictureParameterSets: [H264Vectors.highPPS])
        var zeroReserved = record.bytes
        zeroReserved[4] &= 0x03
        zeroReserved[5] &= 0x1F
        let short = Array(record.bytes.dropLast(4))
        for bytes in [record.bytes, zeroReserved, short, record.bytes + [1, 2, 3]] {
            var read = try AVCDecoderConfiguration(bytes: bytes)
            var writer = SyntaxWriter()
            try read.code(with: &writer)
            #expect(writer.bytes == bytes)
        }
    }

    @Test("cutting a record is an error with field and offset, but where its High fields are left out")
    func truncation() throws {
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: [H264Vectors.high], pictureParameterSets: [H264Vectors.highPPS])
        for count in 0..<record.bytes.count - 4 {
            let error = thrown { _ = try AVCDecoderConfiguration(bytes: Array(record.bytes.prefix(count))) }
            #expect((error as? ParameterSetError)?.code == .endOfData)
            #expect((error as? ParameterSetError)?.bitOffset.map { $0 <= count * 8 } == true)
        }
    }

    @Test("lengths of three bytes are refused, read or written")
    func lengthSize() {
        let read = thrown { _ = try AVCDecoderConfiguration(bytes: hex("01 42 C0 0B FE E0 00")) } as? ParameterSetError
        #expect(read?.code == .outOfRange && read?.field == "lengthSizeMinusOne" && read?.bitOffset == 38)
        #expect(throws: ParameterSetError.self) {
            try AVCDecoderConfiguration(
                sequenceParameterSets: [H264Vectors.high], pictureParameterSets: [], nalUnitLengthSize: 3)
        }
    }

    @Test("a record needs a readable SPS, and extensions a profile that has them")
    func unusable() {
        #expect(throws: ParameterSetError.self) {
            try AVCDecoderConfiguration(sequenceParameterSets: [], pictureParameterSets: [])
        }
        #expect(throws: ParameterSetError.self) {
            try AVCDecoderConfiguration(sequenceParameterSets: [[0x67, 0x64]], pictureParameterSets: [])
        }
        #expect(throws: ParameterSetError.self) {
            try AVCDecoderConfiguration(
                sequenceParameterSets: [H264Vectors.baseline], pictureParameterSets: [],
                sequenceParameterSetExtensions: [[0x6D, 0xB0]])
        }
        let tooLarge = H264Vectors.highPPS + [UInt8](repeating: 1, count: 65536)
        #expect(throws: ParameterSetError.self) {
            try AVCDecoderConfiguration(
                sequenceParameterSets: [H264Vectors.high], pictureParameterSets: [tooLarge])
        }
    }
}
