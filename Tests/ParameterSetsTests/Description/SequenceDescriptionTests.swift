// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct SequenceDescriptionTests {
    /// A sequence of each codec that tells all a description has.
    private static let configuration: SequenceConfiguration = {
        var configuration = SequenceConfiguration(displaySize: .init(width: 1920, height: 1080))
        configuration.frameRate = Ratio(30000, 1001)
        configuration.pixelAspectRatio = .init(horizontalSpacing: 4, verticalSpacing: 3)
        configuration.color = .bt2100PQ
        configuration.bufferModel = .init(bitsPerSecond: 4_000_000, bufferBits: 2_000_000, isConstant: true)
        return configuration
    }()

    private static func h264() throws -> [[UInt8]] {
        let sps = try H264SPS(configuration, profile: .high)
        let messages = SEIMessages<H264SEIPayload>([
            .common(.contentLightLevel(light)), .common(.masteringDisplay(.init())),
        ])
        let sei = H264NALUnit(header: .init(type: .sei, refIdc: 0), payload: .sei(messages))
        return try [sps.nalUnit(), H264PPS().nalUnit(in: .init(sps: sps, pps: .init())), sei.nalUnit(in: .init())]
    }

    private static func hevc() throws -> [[UInt8]] {
        let sps = try HEVCSPS(configuration)
        let messages = SEIMessages<HEVCSEIPayload>([
            .common(.contentLightLevel(light)), .common(.masteringDisplay(.init())),
        ])
        let sei = HEVCNALUnit(header: .init(type: .prefixSEI), payload: .sei(messages))
        return try [HEVCVPS(for: sps).nalUnit(), sps.nalUnit(), HEVCPPS().nalUnit(), sei.nalUnit(in: .init())]
    }

    private static let light: ContentLightLevel = {
        var light = ContentLightLevel()
        light.maxContentLightLevel = 1000
        return light
    }()

    private func check(_ description: SequenceDescription, hasSEI: Bool = true) {
        #expect(description.displaySize == .init(width: 1920, height: 1080))
        #expect(description.frameRate == Ratio(30000, 1001) && description.pixelAspectRatio?.description == "4:3")
        #expect(description.color?.primariesName == "BT.2020" && description.color?.transferName == "PQ")
        #expect(description.bufferModels == [Self.configuration.bufferModel])
        #expect(description.contentLightLevel?.maxContentLightLevel == (hasSEI ? 1000 : nil))
        #expect((description.masteringDisplay != nil) == hasSEI)
    }

    @Test("every way to an H.264 stream's description gives the same")
    func ways264() throws {
        let units = try Self.h264()
        let description = try SequenceDescription(parameterSets: units)
        check(description)
        #expect(description.codec == .h264 && description.profile == "High" && description.tier == nil)
        #expect(description.codedSize.height == 1088 && description.codecString.hasPrefix("avc1.64"))
        #expect(try SequenceDescription(annexB: AnnexB.join(units)) == description)
        for size in [2, 4] {
            let sample = try LengthPrefixed.join(units, lengthSize: size)
            #expect(try SequenceDescription(lengthPrefixed: sample, lengthSize: size) == description)
        }
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: [units[0]], pictureParameterSets: [units[1]])
        check(try SequenceDescription(avcC: record.bytes), hasSEI: false)
    }

    @Test("every way to an HEVC stream's description gives the same")
    func waysHEVC() throws {
        let units = try Self.hevc()
        let description = try SequenceDescription(parameterSets: units)
        check(description)
        #expect(description.codec == .hevc && description.profile == "Main" && description.tier == "Main")
        #expect(description.codecString.hasPrefix("hvc1.1."))
        #expect(try SequenceDescription(annexB: AnnexB.join(units)) == description)
        let sample = try LengthPrefixed.join(units, lengthSize: 4)
        #expect(try SequenceDescription(lengthPrefixed: sample, lengthSize: 4) == description)
        let record = try HEVCDecoderConfiguration(
            videoParameterSets: [units[0]], sequenceParameterSets: [units[1]], pictureParameterSets: [units[2]],
            supplementalEnhancementInformation: [units[3]])
        #expect(try SequenceDescription(hvcC: record.bytes) == description)
    }

    @Test("what has no sequence parameter set, or a broken one, is refused with the reason")
    func refused() throws {
        let units = try Self.h264()
        let none = thrown { _ = try SequenceDescription(parameterSets: [units[1]]) } as? ParameterSetError
        #expect(none?.code == .missingParameterSet)
        let cut = Array(units[0].prefix(6))
        let broken = thrown { _ = try SequenceDescription(parameterSets: [cut], codec: .h264) } as? ParameterSetError
        #expect(broken?.code == .endOfData && broken?.field != nil)
        let lengths = thrown { _ = try SequenceDescription(lengthPrefixed: [0, 0, 0, 9], lengthSize: 4) }
        #expect((lengths as? ParameterSetError)?.code == .badLength)
    }

    @Test("the set that the first slice is coded with is described, not one replaced or unused")
    func slices() throws {
        func set(_ width: Int, id: Int) throws -> H264SPS {
            var sps = try H264SPS(.init(displaySize: .init(width: width, height: 48)), profile: .main)
            sps.id = id
            return sps
        }
        func width(_ sets: [H264SPS]) throws -> Int {
            let last = try #require(sets.last)
            var pps = H264PPS()
            pps.spsID = last.id
            //               type  mb type    pps frame idr marking qp data
            let slice = bits("01100101 1 0001000 1 0000 1 00 1 1010101 1")
            let ppsUnit = try pps.nalUnit(in: .init(sps: last, pps: pps))
            // An SPS behind the first slice tells nothing.
            let units = try sets.map { try $0.nalUnit() } + [ppsUnit, slice, set(16, id: last.id).nalUnit()]
            return try SequenceDescription(annexB: AnnexB.join(units)).displaySize.width
        }
        #expect(try width([set(64, id: 0), set(128, id: 0)]) == 128)
        #expect(try width([set(64, id: 0), set(128, id: 1)]) == 128)
        #expect(try width([set(64, id: 0)]) == 64)
        // Without a slice, the first set.
        let units = try [set(64, id: 0).nalUnit(), set(128, id: 0).nalUnit()]
        #expect(try SequenceDescription(parameterSets: units).displaySize.width == 64)
    }

    @Test("interlace is told from fields, and nothing is said where nothing is told")
    func interlace() throws {
        var h264 = try H264SPS(Self.configuration, profile: .high)
        #expect(!h264.mayBeInterlaced && !SequenceDescription(h264).description.contains("interlaced"))
        h264.frameMbsOnlyFlag = false
        #expect(SequenceDescription(h264).description.contains("may be interlaced"))
        var hevc = try HEVCSPS(Self.configuration)
        #expect(!hevc.mayBeInterlaced)
        hevc.profileTierLevel.profile.interlacedSourceFlag = true
        #expect(!hevc.mayBeInterlaced)
        hevc.profileTierLevel.profile.progressiveSourceFlag = false
        #expect(hevc.mayBeInterlaced)
        hevc.profileTierLevel.profile.interlacedSourceFlag = false
        hevc.vui?.fieldSeqFlag = true
        #expect(SequenceDescription(hevc).mayBeInterlaced)
    }

    @Test("a set that did not come is not put in use")
    func activation() throws {
        var (h264, hevc) = try (H264SPS(Self.configuration, profile: .high), HEVCSPS(Self.configuration))
        var h264Sets = H264ParameterSets(sps: h264, pps: H264PPS())
        var hevcSets = HEVCParameterSets(sps: hevc, pps: HEVCPPS())
        (h264.id, hevc.id) = (1, 1)
        h264Sets.insert(h264)
        hevcSets.insert(hevc)
        for (spsID, ppsID, inUse) in [(7, 9, 0), (1, 9, 1), (7, 9, 1), (7, 0, 0)] {
            h264Sets.activate(spsID: spsID)
            h264Sets.activate(ppsID: ppsID)
            hevcSets.activate(spsID: spsID)
            hevcSets.activate(ppsID: ppsID)
            #expect(h264Sets.activeSPS?.id == inUse && hevcSets.activeSPS?.id == inUse)
        }
        // Before a set is in use the only one is; of two, none.
        var unused = HEVCParameterSets()
        unused.insert(hevc)
        #expect(unused.activeSPS?.id == 1)
        hevc.id = 2
        unused.insert(hevc)
        #expect(unused.activeSPS == nil)
        var unusedH264 = H264ParameterSets()
        unusedH264.insert(h264)
        unusedH264.activate(spsID: 7)
        #expect(unusedH264.activeSPS?.id == 1)
        h264.id = 2
        unusedH264.insert(h264)
        #expect(unusedH264.activeSPS == nil)
    }

    @Test("units of higher layers tell nothing of the base layer")
    func layers() throws {
        let layer = HEVCNALUnitHeader(type: .sps, layerID: 1)
        var configuration = SequenceConfiguration(displaySize: .init(width: 64, height: 64))
        configuration.bitDepth = 10
        let higher = try HEVCSPS(configuration).nalUnit(header: layer)
        let messages = SEIMessages<HEVCSEIPayload>([.common(.contentLightLevel(.init()))])
        let sei = try HEVCNALUnit(header: .init(type: .prefixSEI, layerID: 1), payload: .sei(messages))
            .nalUnit(in: .init())
        let units = try Self.hevc()
        let description = try SequenceDescription(parameterSets: units)
        #expect(try SequenceDescription(parameterSets: [higher, sei] + units + [higher, sei]) == description)
        let alone = thrown { _ = try SequenceDescription(parameterSets: [higher]) } as? ParameterSetError
        #expect(alone?.code == .missingParameterSet)
    }
}
