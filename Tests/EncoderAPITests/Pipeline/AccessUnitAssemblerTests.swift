// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct AccessUnitAssemblerTests {
    /// Parameter sets, delimiter and IDR slice of a codec.
    struct Units: Sendable, CustomTestStringConvertible {
        let codec: VideoCodec
        let sets: [[UInt8]]
        let delimiter: [UInt8]
        let slice: [UInt8]
        var testDescription: String { "\(codec)" }
    }

    private static let codecs = [
        // Delimiter: nal_unit_type 9, primary_pic_type 0. Slice: nal_ref_idc 3, type 5.
        Units(
            codec: .h264, sets: [FakeStream.sps, FakeStream.pps], delimiter: [0x09, 0x10],
            slice: [0x65, 0xA5, 0xA5]),
        // x265 --preset ultrafast (128x96, 30 frames per second)
        // Delimiter: nal_unit_type 35, pic_type 0. Slice: type 19.
        Units(
            codec: .hevc,
            sets: [
                "40010C01 FFFF0160 00000300 90000003 00000300 1E959409",
                "42010101 60000003 00900000 03000003 001EA010 20616595 95293 0BC0404 00000300 04000003 00782 0",
                "4401C073 C189",
            ].map(Hex.bytes), delimiter: [0x46, 0x01, 0x10], slice: [0x26, 0x01, 0xA5]),
    ]

    private func assemble(_ units: [[UInt8]], with assembler: inout AccessUnitAssembler) throws -> [[UInt8]] {
        var result: AccessUnit?
        try withTransientUnits(units) { (buffers) throws(EncoderError) in
            result = try assembler.assemble(CodedPicture(id: 0, pictureType: .i, isReference: true, nalUnits: buffers))
        }
        let unit = try #require(result)
        return unit.nalUnits.map { Array(unit.data[$0]) }
    }

    @Test("parameter sets stay where the next encoder signals another frame rate or level, unless a call was told")
    func keptFormat() throws {
        var sps = try H264SPS(nalUnit: FakeStream.sps)
        sps.vui?.timing = ClockTicks(numUnitsInTick: 1, timeScale: 120)
        let paced = [try sps.nalUnit(), FakeStream.pps]
        sps.levelIdc = 40
        let level = [try sps.nalUnit(), FakeStream.pps]
        sps.maxNumRefFrames += 1
        let other = [try sps.nalUnit(), FakeStream.pps]
        let (sets, slice): ([[UInt8]], [UInt8]) = ([FakeStream.sps, FakeStream.pps], [0x65, 0xA5, 0xA5])
        var configuration = SessionConfiguration(codec: .h264, width: 176, height: 144)
        configuration.parameterSets = .everySyncFrame
        var assembler = AccessUnitAssembler(configuration: configuration)
        for written in [sets, paced, level] {
            #expect(try assemble(written + [slice], with: &assembler) == sets + [slice])
        }
        assembler.isChangeTold = true
        #expect(try assemble([[0x09, 0x10]] + paced + [slice], with: &assembler) == [[0x09, 0x10]] + sets + [slice])
        #expect(try assemble(level + [slice], with: &assembler) == level + [slice])
        #expect(try assemble(paced + [slice], with: &assembler) == level + [slice])
        #expect(try assemble(other + [slice], with: &assembler) == other + [slice])
    }

    @Test("parameter sets that the encoder does not repeat go behind its delimiter", arguments: codecs)
    func delimiter(units: Units) throws {
        var configuration = SessionConfiguration(codec: units.codec, width: 176, height: 144)
        configuration.parameterSets = .everySyncFrame
        var assembler = AccessUnitAssembler(configuration: configuration)
        let whole = [units.delimiter] + units.sets + [units.slice]
        #expect(try assemble(whole, with: &assembler) == whole)
        #expect(try assemble([units.delimiter, units.slice], with: &assembler) == whole)
        #expect(try assemble([units.slice], with: &assembler) == units.sets + [units.slice])
        let bare: [UInt8] = units.codec == .h264 ? [0x41, 0xA5] : [0x02, 0x01, 0xA5]
        #expect(try assemble([units.delimiter, bare], with: &assembler) == [units.delimiter, bare])
    }
}
