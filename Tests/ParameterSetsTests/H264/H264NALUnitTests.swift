// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct H264NALUnitTests {
    private let parameterSets: H264ParameterSets

    init() throws {
        let sps = try H264SPS(nalUnit: H264Vectors.high)
        parameterSets = H264ParameterSets(sps: sps, pps: try H264PPS(nalUnit: H264Vectors.highPPS, sps: sps))
    }

    @Test(
        "units of every kind are written as they were read",
        arguments: [
            "09 F0", "09 10", "0A", "0B", "0C FF FF FF 80", "0C 80", "6D D0", "6D A9 FE 00 40",
            // SEI: buffering period, picture timing, user data, a type and a size of two bytes each.
            "06 00 06 93 C6 78 23 28 C0 80", "06 01 03 00 00 48 80",
            "06 05 11 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 21 80",
            "06 FF 05 01 42 04 03 B5 00 31 80",
            // Recovery point with extension bits, display orientation, mastering display, light level, transfer.
            "06 06 02 84 E0 80", "06 06 01 C4 80", "06 2F 01 C0 80", "06 90 04 03 E8 01 90 93 01 12 80",
            "06 89 18 33 C2 86 C4 1D 4C 0B B8 84 D0 3E 80 3D 13 40 42 00 98 96 80 00 00 03 00 32 80",
            // An unknown payload of no bytes; a slice with zero words; types without syntax.
            "06 64 00 80", "65 88 84 00 6F 8A A1 80 00 00 03 00 00 03", "74 40 00 01 FF", "1F 00 00 03 01 02",
        ])
    func roundTrip(unit: String) throws {
        let read = try H264NALUnit(nalUnit: hex(unit), in: parameterSets)
        #expect(try read.nalUnit(in: parameterSets) == hex(unit))
        // Zero bytes behind a unit belong to the byte stream.
        let padded = try H264NALUnit(nalUnit: hex(unit) + [0, 0, 0], in: parameterSets)
        #expect(padded == read)
    }

    @Test("a trace lists fields by name and position and stops at an error")
    func trace() throws {
        var sets = H264ParameterSets()
        let delimiter = H264NALUnit.trace(hex("09 F0"), updating: &sets)
        #expect(delimiter.error == nil)
        #expect(
            delimiter.elements.map { "\($0.bitPosition) \($0.name) = \($0.number ?? -1)" } == [
                "0 forbidden_zero_bit = 0", "1 nal_ref_idc = 0", "3 nal_unit_type = 9", "8 primary_pic_type = 7",
                "11 rbsp_stop_one_bit = 1", "12 rbsp_alignment_zero_bit = 0", "13 rbsp_alignment_zero_bit = 0",
                "14 rbsp_alignment_zero_bit = 0", "15 rbsp_alignment_zero_bit = 0",
            ])
        #expect(H264NALUnit.trace(H264Vectors.high, updating: &sets).error == nil)
        #expect(sets.sps(0)?.levelIdc == 20)
        let cut = H264NALUnit.trace(Array(H264Vectors.high.prefix(10)), updating: &sets)
        #expect(cut.error?.code == .endOfData && cut.elements.last?.name.field == "video_signal_type_present_flag")
    }

    @Test("a payload that does not fit its header cannot be written")
    func misfit() {
        let unit = H264NALUnit(header: .init(type: .sps, refIdc: 3), payload: .accessUnitDelimiter(.init()))
        let error = thrown { _ = try unit.nalUnit(in: parameterSets) } as? ParameterSetError
        #expect(error?.code == .notRepresentable && error?.field == "nal_unit_type")
    }

    @Test("SEI payloads are read field by field")
    func sei() throws {
        func payloads(_ unit: String) throws -> [H264SEIPayload] {
            guard case .sei(let messages) = try H264NALUnit(nalUnit: hex(unit), in: parameterSets).payload else {
                return []
            }
            return messages.payloads
        }
        var period = H264BufferingPeriod()
        var delay = H264BufferingPeriod.InitialDelay()
        delay.removalDelay = 161_999
        delay.removalDelayOffset = 18001
        period.nal = [delay]
        #expect(try payloads("06 00 06 93 C6 78 23 28 C0 80") == [.bufferingPeriod(period)])
        var timing = H264PicTiming()
        timing.delays = .init()
        timing.delays?.cpbRemovalDelay = 2
        timing.delays?.dpbOutputDelay = 4
        #expect(try payloads("06 01 03 00 10 48 80") == [.picTiming(timing)])
        var light = ContentLightLevel()
        light.maxContentLightLevel = 1000
        light.maxPicAverageLightLevel = 400
        var transfer = AlternativeTransfer()
        transfer.preferredTransferCharacteristics = 18
        let both: [H264SEIPayload] = [.common(.contentLightLevel(light)), .common(.alternativeTransfer(transfer))]
        #expect(try payloads("06 90 04 03 E8 01 90 93 01 12 80") == both)
    }

    @Test("SEI cut anywhere or with a size too large is an error")
    func cutSEI() {
        let unit = hex("06 00 06 93 C6 78 23 28 C0 01 03 00 10 48 80")
        for count in 1..<unit.count where count != 9 {
            let cut = Array(unit.prefix(count))
            #expect(throws: ParameterSetError.self) { try H264NALUnit(nalUnit: cut, in: parameterSets) }
        }
        let error = thrown { _ = try H264NALUnit(nalUnit: hex("06 05 FF FF 10 00 80"), in: parameterSets) }
        #expect((error as? ParameterSetError)?.field == "payload_size")
    }

    @Test("captions travel in registered user data")
    func captions() throws {
        let captions = A53Captions(triplets: [
            .init(type: 0, data: [0x94, 0x2C]), .init(isValid: false, type: 3, data: [0, 1]),
        ])
        let data = try captions.userData()
        #expect(data.payload == hex("00 31 47 41 39 34 03 C2 FF FC 94 2C FB 00 01 FF"))
        #expect(try A53Captions(data) == captions)
        #expect(try A53Captions(UserDataRegistered(payload: [0x00, 0x3C])) == nil)
        #expect(throws: ParameterSetError.self) {
            try A53Captions(UserDataRegistered(payload: hex("00 31 47 41 39 34 03 C2 FF FC 94")))
        }
        let unit = H264NALUnit(
            header: .init(type: .sei, refIdc: 0), payload: .sei(.init([.common(.userDataRegistered(data))])))
        #expect(try H264NALUnit(nalUnit: unit.nalUnit(in: parameterSets), in: parameterSets) == unit)
    }

    @Test("time stamps keep what they tell and leave out what they do not", arguments: 0..<4)
    func clockTimestamps(told: Int) throws {
        var sps = H264SPS()
        sps.vui = H264VUI()
        sps.vui?.picStructPresentFlag = true
        var stamp = H264ClockTimestamp()
        stamp.nFrames = 29
        stamp.timeOffset = -5
        stamp.time.seconds = told > 0 ? 59 : nil
        stamp.time.minutes = told > 1 ? 58 : nil
        stamp.time.hours = told > 2 ? 23 : nil
        stamp.fullTimestampFlag = told == 3
        var timing = H264PicTiming()
        timing.picStruct = 3
        timing.clockTimestamps = [nil, stamp]
        let sets = H264ParameterSets(sps: sps, pps: H264PPS())
        let unit = H264NALUnit(header: .init(type: .sei, refIdc: 0), payload: .sei(.init([.picTiming(timing)])))
        #expect(try H264NALUnit(nalUnit: unit.nalUnit(in: sets), in: sets) == unit)
    }
}
