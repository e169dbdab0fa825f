// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCDecoderConfigurationTests {
    private func configuration(_ vectors: HEVCVectors, lengthSize: Int = 4) throws -> HEVCDecoderConfiguration {
        try HEVCDecoderConfiguration(
            videoParameterSets: [vectors.vps], sequenceParameterSets: [vectors.sps],
            pictureParameterSets: [vectors.pps], nalUnitLengthSize: lengthSize)
    }

    @Test("a record of parameter sets has the bytes that ISO/IEC 14496-15 asks for")
    func bytes() throws {
        let vectors = HEVCVectors.rangeExtensions
        let record = try configuration(vectors, lengthSize: 2)
        // version, space 0 + high tier + profile 4, compatibility, constraints, level 4
        var expected = hex("01 24 08000000 9c0800000000 78")
        //               res  segmentation res parall res chr res   dp  res   dp  rate               const layers nest
        //               len
        expected += bits(
            "1111 000000000000 111111 00 111111 11 11111 010 11111 010 0000000000000000 00 010 0 01")
        expected += [3]
        for (type, unit) in [(0xA0, vectors.vps), (0xA1, vectors.sps), (0xA2, vectors.pps)] {
            expected += [UInt8(type), 0, 1, 0, UInt8(unit.count)] + unit
        }
        #expect(record.bytes == expected)
        #expect(record.codecString() == "hvc1.4.10.H120.9C.8")
    }

    @Test("reading a record gives back what it was made of", arguments: HEVCVectors.all, [1, 2, 4])
    func roundTrip(vectors: HEVCVectors, lengthSize: Int) throws {
        let record = try configuration(vectors, lengthSize: lengthSize)
        let read = try HEVCDecoderConfiguration(bytes: record.bytes)
        #expect(read == record && read.nalUnitLengthSize == lengthSize)
        #expect(read.videoParameterSets == [vectors.vps] && read.sequenceParameterSets == [vectors.sps])
        #expect(read.pictureParameterSets == [vectors.pps] && read.arrays.allSatisfy(\.isComplete))
        for count in record.bytes.indices {
            #expect(throws: ParameterSetError.self) {
                try HEVCDecoderConfiguration(bytes: Array(record.bytes[..<count]))
            }
        }
    }

    @Test("flags of arrays, several sets and SEI messages are told")
    func arrays() throws {
        let main = HEVCVectors.main
        let still = HEVCVectors.still
        let record = try HEVCDecoderConfiguration(
            videoParameterSets: [main.vps], sequenceParameterSets: [main.sps, still.sps],
            pictureParameterSets: [main.pps], isComplete: false, supplementalEnhancementInformation: [hex("4e01")])
        let read = try HEVCDecoderConfiguration(bytes: record.bytes)
        #expect(read.arrays.map(\.type) == [.vps, .sps, .pps, .prefixSEI])
        #expect(read.arrays.map(\.isComplete) == [false, false, false, false])
        #expect(read.nalUnits(of: .prefixSEI) == [hex("4e01")] && read.sequenceParameterSets.count == 2)
        // Only flags that both sets have: 1 and 2 of the first, 1, 2 and 3 of the second.
        #expect(read.profileTierLevel.profile.compatibilityFlags == 0x6000_0000)
    }

    @Test("parallelism is told where pictures are divided, and only what all of them have", arguments: 0..<4)
    func parallelism(type: Int) throws {
        var sps = try HEVCSPS(nalUnit: HEVCVectors.main.sps)
        sps.vui?.bitstreamRestriction = .init()
        sps.vui?.bitstreamRestriction?.minSpatialSegmentationIdc = 77
        var pps = HEVCPPS()
        pps.tiles = type == 2 || type == 0 ? HEVCTiles() : nil
        pps.entropyCodingSyncEnabledFlag = type == 3 || type == 0
        let record = try HEVCDecoderConfiguration(
            videoParameterSets: [], sequenceParameterSets: [sps.nalUnit()], pictureParameterSets: [pps.nalUnit()])
        #expect(record.parallelismType == type && record.minSpatialSegmentationIdc == 77)
        #expect(try HEVCDecoderConfiguration(bytes: record.bytes).parallelismType == type)
    }

    @Test("a constraint is told only if all sequence parameter sets have it")
    func constraintsOfAll() throws {
        var first = try HEVCSPS(nalUnit: HEVCVectors.main.sps)
        first.profileTierLevel.profile.progressiveSourceFlag = true
        first.profileTierLevel.profile.frameOnlyConstraintFlag = true
        first.profileTierLevel.profile.nonPackedConstraintFlag = true
        var second = first
        second.id = 1
        second.profileTierLevel.profile.progressiveSourceFlag = false
        second.profileTierLevel.profile.nonPackedConstraintFlag = false
        let record = try HEVCDecoderConfiguration(
            videoParameterSets: [], sequenceParameterSets: [first.nalUnit(), second.nalUnit()],
            pictureParameterSets: [])
        let profile = record.profileTierLevel.profile
        #expect(!profile.progressiveSourceFlag && !profile.nonPackedConstraintFlag && profile.frameOnlyConstraintFlag)
        #expect(profile.profileIdc == first.profile.profileIdc)
        #expect(profile.compatibilityFlags == first.profile.compatibilityFlags)
        // Main is Main 10 too, Main 10 is not Main.
        first.profileTierLevel.profile.profileIdc = 1
        first.profileTierLevel.profile.compatibilityFlags = 0x6000_0000
        second.profileTierLevel.profile.profileIdc = 2
        second.profileTierLevel.profile.compatibilityFlags = 0x2000_0000
        let mixed = try HEVCDecoderConfiguration(
            videoParameterSets: [], sequenceParameterSets: [first.nalUnit(), second.nalUnit()],
            pictureParameterSets: [])
        #expect(mixed.profileTierLevel.profile.profileIdc == 2)
        second.profileTierLevel.profile.profileIdc = 4
        second.profileTierLevel.profile.compatibilityFlags = 0x0800_0000
        #expect(throws: ParameterSetError.self) {
            try HEVCDecoderConfiguration(
                videoParameterSets: [], sequenceParameterSets: [first.nalUnit(), second.nalUnit()],
                pictureParameterSets: [])
        }
    }

    @Test("every flipped bit is refused or kept", arguments: HEVCVectors.all)
    func mutations(vectors: HEVCVectors) throws {
        let bytes = try configuration(vectors).bytes
        var refused = 0
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            guard let record = try? HEVCDecoderConfiguration(bytes: flipped) else {
                refused += 1
                continue
            }
            #expect(record.bytes == flipped)
        }
        #expect(refused > 0)
    }

    @Test("what has no place in a record is refused")
    func refusals() {
        let vectors = HEVCVectors.main
        let missing = thrown {
            _ = try HEVCDecoderConfiguration(
                videoParameterSets: [], sequenceParameterSets: [], pictureParameterSets: [])
        }
        #expect((missing as? ParameterSetError)?.code == .missingParameterSet)
        let length = thrown { _ = try configuration(vectors, lengthSize: 3) } as? ParameterSetError
        #expect(length?.field == "lengthSizeMinusOne" && length?.code == .outOfRange)
        let large = thrown {
            _ = try HEVCDecoderConfiguration(
                videoParameterSets: [[UInt8](repeating: 1, count: 65536)], sequenceParameterSets: [vectors.sps],
                pictureParameterSets: [])
        }
        #expect((large as? ParameterSetError)?.field == "nalUnitLength[0][0]")
    }
}
