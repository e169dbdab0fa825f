// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCSEITests {
    /// Sets whose buffer model has decoding units when `hasUnits`, and two schedules of the whole stream.
    static func sets(hasUnits: Bool) -> HEVCParameterSets {
        var sps = HEVCSPS()
        sps.vui = HEVCVUI()
        sps.vui?.frameFieldInfoPresentFlag = true
        var hrd = HEVCHRD()
        hrd.common.nalHrdParametersPresentFlag = true
        hrd.common.initialCpbRemovalDelayLengthMinus1 = 7
        hrd.common.auCpbRemovalDelayLengthMinus1 = 3
        hrd.common.dpbOutputDelayLengthMinus1 = 4
        hrd.subLayers[0].cpbCntMinus1 = 1
        var schedule = HRDSchedule()
        if hasUnits {
            hrd.common.subPicture = .init()
            hrd.common.subPicture?.subPicCpbParamsInPicTimingSeiFlag = true
            hrd.common.subPicture?.duCpbRemovalDelayIncrementLengthMinus1 = 2
            schedule.decodingUnits = .init()
        }
        hrd.subLayers[0].nalSchedules = [schedule, schedule]
        sps.vui?.timing = .init()
        sps.vui?.timing?.hrd = hrd
        return HEVCParameterSets(sps: sps, pps: HEVCPPS())
    }

    private func roundTrip(_ payload: HEVCSEIPayload, _ sets: HEVCParameterSets) throws -> [UInt8] {
        let unit = HEVCNALUnit(header: .init(type: .prefixSEI), payload: .sei(SEIMessages([payload])))
        let bytes = try unit.nalUnit(in: sets)
        #expect(try HEVCNALUnit(nalUnit: bytes, in: sets) == unit)
        let cut = Array(bytes.prefix(bytes.count - 2))
        #expect(throws: ParameterSetError.self) { try HEVCNALUnit(nalUnit: cut, in: sets) }
        return bytes
    }

    @Test("a buffering period has delays for each schedule, alternatives where they are announced")
    func bufferingPeriod() throws {
        var period = HEVCBufferingPeriod()
        period.leadingPictures = .init()
        period.leadingPictures?.cpbDelayOffset = 9
        period.leadingPictures?.dpbDelayOffset = 17
        period.concatenationFlag = true
        period.auCpbRemovalDelayDeltaMinus1 = 5
        period.nal = [.init(), .init()]
        period.nal[0].removalDelay = 255
        period.nal[1].altRemovalOffset = 128
        let bytes = try roundTrip(.bufferingPeriod(period), Self.sets(hasUnits: false))
        //                            type size  sps irap cpb  dpb   cat delta  delays and offsets ...
        let expected = hex("4e01 00 0a") + bits("1   1    1001 10001 1   0101 ")
        #expect(bytes.starts(with: expected))
        period.useAltCpbParamsFlag = true
        _ = try roundTrip(.bufferingPeriod(period), Self.sets(hasUnits: false))
        period.leadingPictures = nil
        _ = try roundTrip(.bufferingPeriod(period), Self.sets(hasUnits: true))
    }

    @Test("a buffering period of an unknown sequence is an error, or bits while there is none at all")
    func missing() throws {
        var period = HEVCBufferingPeriod()
        period.spsID = 3
        let unit = HEVCNALUnit(
            header: .init(type: .prefixSEI), payload: .sei(SEIMessages([.bufferingPeriod(period)])))
        let error = thrown { _ = try unit.nalUnit(in: Self.sets(hasUnits: false)) } as? ParameterSetError
        #expect(error?.code == .missingParameterSet && error?.field == "bp_seq_parameter_set_id")
        let bytes = hex("4e01 00 01 ff 80")
        let opaque = try HEVCNALUnit(nalUnit: bytes, in: .init())
        #expect(try opaque.nalUnit(in: .init()) == bytes)
    }

    @Test("picture timing has what the sequence announces, down to decoding units")
    func picTiming() throws {
        var timing = HEVCPicTiming()
        timing.fieldInfo = .init()
        timing.fieldInfo?.picStruct = 9
        timing.delays = .init()
        timing.delays?.auCpbRemovalDelayMinus1 = 15
        timing.delays?.picDpbOutputDelay = 31
        let plain = try roundTrip(.picTiming(timing), Self.sets(hasUnits: false))
        //                                     struct scan dup removal output stop
        #expect(plain == hex("4e01 01 02") + bits("1001   00   0   1111    11111") + [0x80])
        var units = HEVCDecodingUnits()
        units.numNalusMinus1 = [0, 5, 2]
        units.delayIncrementsMinus1 = [7, 1]
        timing.delays?.picDpbOutputDuDelay = 1
        timing.delays?.decodingUnits = units
        _ = try roundTrip(.picTiming(timing), Self.sets(hasUnits: true))
        units.commonDelayIncrementMinus1 = 6
        units.delayIncrementsMinus1 = []
        timing.delays?.decodingUnits = units
        _ = try roundTrip(.picTiming(timing), Self.sets(hasUnits: true))
    }

    @Test("a hostile number of decoding units is refused before anything is allocated")
    func decodingUnits() {
        //                          num 2^31 - 2
        var reader = SyntaxReader(bits("0000000 00000000 00000000 00000000 1 1111111 11111111 11111111 1111111"))
        var units = HEVCDecodingUnits()
        let error = thrown { try units.code(with: &reader, in: 3) } as? ParameterSetError
        #expect(error?.field == "num_decoding_units_minus1" && error?.code == .endOfData)
    }

    @Test("recovery points, orientation, time codes and payloads of both codecs survive")
    func others() throws {
        var point = HEVCRecoveryPoint()
        point.recoveryPocCnt = -32768
        point.exactMatchFlag = true
        _ = try roundTrip(.recoveryPoint(point), .init())
        var orientation = HEVCDisplayOrientation()
        orientation.orientation = .init()
        orientation.orientation?.anticlockwiseRotation = 16384
        //                                    cancel flips rotation          persist stop
        let turned = try roundTrip(.displayOrientation(orientation), .init())
        #expect(turned == hex("4e01 2f 03") + bits("0 00 0100000000000000 1 1") + [0x80])
        _ = try roundTrip(.displayOrientation(.init()), .init())
        var code = HEVCTimeCode()
        var stamp = HEVCTimeCode.Stamp()
        stamp.nFrames = 511
        stamp.timeOffsetLength = 31
        stamp.timeOffsetValue = -1 << 30
        code.stamps = [nil, stamp]
        _ = try roundTrip(.timeCode(code), .init())
        _ = try roundTrip(.common(.contentLightLevel(.init())), .init())
        _ = try roundTrip(.common(.other(payloadType: 300, OpaqueBits([1, 2, 3]))), .init())
    }
}
