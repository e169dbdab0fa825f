// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct AccessUnitDetectorTests {
    private func starts<Detector: AccessUnitDetector>(_: Detector.Type, _ units: [[UInt8]]) throws -> [Int] {
        var detector = Detector()
        return try units.indices.filter { try detector.startsAccessUnit(units[$0]) }
    }

    private func slice(_ frameNum: Int, lsb: Int, firstMb: String = "1") -> [UInt8] {
        let number = String(frameNum + 16, radix: 2).dropFirst()
        let count = String(lsb + 64, radix: 2).dropFirst()
        //           nal       mb         kind  pps num        lsb     ovr list denom  w marking cabac qp dbf
        return bits("01000001 \(firstMb) 00110 1   \(number) \(count) 0   0    1 1 0000 0       1     1  010 1")
    }

    @Test("H.264 pictures begin where a slice belongs to another picture or something goes before it")
    func h264() throws {
        let idr = bits("01100101 1 0001000 1   0000 1   000000 0     0    0001101 1   1 1 1")
        let units = [
            hex("09 F0"), H264Vectors.high, H264Vectors.highPPS, hex("06 01 03 00 00 48 80"), idr, idr,
            slice(1, lsb: 4), slice(1, lsb: 4, firstMb: "010"), slice(1, lsb: 6), slice(2, lsb: 6),
            hex("0C FF 80"), hex("06 01 03 00 00 48 80"), slice(3, lsb: 6), hex("0A"), idr,
        ]
        #expect(try starts(H264AccessUnitDetector.self, units) == [0, 6, 8, 9, 11, 14])
    }

    @Test("H.264 fields are access units of their own, also two of one frame")
    func fields() throws {
        var sps = H264SPS()
        sps.profileIdc = 77
        sps.frameMbsOnlyFlag = false
        let pps = H264PPS()
        //          nal      mb  kind    pps num  field idr lsb  marking qp data
        let units = try [
            sps.nalUnit(), pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps)),
            bits("01100101 1   0001000 1   0000 1 0   1   0000 00      1  1"),
            bits("01100001 1   0001000 1   0000 1 1       0001 0       1  1"),
            bits("01100001 010 0001000 1   0000 1 1       0001 0       1  1"),
            bits("01100001 1   0001000 1   0001 1 0       0010 0       1  1"),
            bits("01100001 1   0001000 1   0001 1 1       0011 0       1  1"),
            bits("01100001 1   0001000 1   0010 0         0100 0       1  1"),
            bits("01100001 010 0001000 1   0010 0         0100 0       1  1"),
        ]
        #expect(try starts(H264AccessUnitDetector.self, units) == [0, 3, 5, 6, 7])
    }

    @Test("HEVC pictures begin at their first segment or what goes before it, in the base layer")
    func hevc() throws {
        let first = hex("02 01 D0")
        let further = hex("02 01 50")
        let otherLayer = hex("02 09 D0")
        let units = [
            hex("46 01 50"), hex("40 01 0C"), hex("42 01 01"), hex("44 01 C1"), hex("26 01 AF"), hex("26 01 2F"),
            first, further, otherLayer, hex("50 01 80"), first, hex("4E 01 80"), first, hex("42 09 01"), first,
        ]
        #expect(try starts(HEVCAccessUnitDetector.self, units) == [0, 6, 10, 11, 14])
    }

    @Test("a prefix unit before a further slice of a picture begins nothing")
    func prefixUnits() throws {
        let prefix = hex("6E 80 80 27 80")
        let units = [
            H264Vectors.high, H264Vectors.highPPS, prefix, slice(1, lsb: 4), prefix, slice(1, lsb: 4, firstMb: "010"),
            prefix, slice(2, lsb: 6),
        ]
        #expect(try starts(H264AccessUnitDetector.self, units) == [0, 7])
    }

    @Test("a unit that cannot be read is an error and changes nothing")
    func unreadable() throws {
        var h264 = H264AccessUnitDetector()
        #expect(throws: ParameterSetError.self) { try h264.startsAccessUnit(hex("41 9A")) }
        #expect(throws: ParameterSetError.self) { try h264.startsAccessUnit([]) }
        #expect(try h264.startsAccessUnit(hex("09 F0")))
        var hevc = HEVCAccessUnitDetector()
        #expect(throws: ParameterSetError.self) { try hevc.startsAccessUnit(hex("02 01")) }
        #expect(try hevc.startsAccessUnit(hex("46 01 50")))
    }
}
