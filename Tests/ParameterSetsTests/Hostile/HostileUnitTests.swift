// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HostileUnitTests {
    @Test("H.264 units with flipped bits, cut or spliced are refused or written back as read")
    func h264() throws {
        let sps = try H264SPS(nalUnit: H264Vectors.high)
        let pps = try H264PPS(nalUnit: H264Vectors.highPPS, sps: sps)
        var subset = H264SubsetSPS()
        subset.sps = sps
        subset.extensionBits = OpaqueBits([0xA5])
        // The last PPS needs an SPS of 4:4:4.
        let units =
            H264Vectors.all.map(\.0) + H264Vectors.all.map(\.1).dropLast() + [try subset.nalUnit()] + Self.h264Units
        HostileUnits<H264NALUnit>(parameterSets: .init(sps: sps, pps: pps), units: units).expectRefusedOrKept()
    }

    /// Delimiter, SPS extension, filler, SEI messages, slices, and types that are kept as bits.
    private static let h264Units: [[UInt8]] =
        [
            "09 F0", "6D A9 FE 00 40", "0C FF FF 80", "06 00 06 93 C6 78 23 28 C0 80", "06 01 03 00 00 48 80",
            "06 05 11 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 21 80", "06 FF 05 01 42 04 03 B5 00 31 80",
            "06 06 02 84 E0 2F 01 C0 90 04 03 E8 01 90 93 01 12 80", "65 88 84 00 6F 8A A1 80 00 00 03 00 00 03",
            "74 40 00 01 FF", "1F 00 00 03 01 02",
            // A P and a B slice of the clip with weights.
            "41 9A 22 6E 91 09 FF D0", "01 9E 41 79 09 FF D0",
        ].map(hex)

    @Test("HEVC units with flipped bits, cut or spliced are refused or written back as read")
    func hevc() throws {
        let sets = HEVCSliceHeaderTests.sets
        let header = HEVCNALUnitHeader(type: .trailR)
        let slice = HEVCNALUnit(
            header: header, payload: .sliceSegment(HEVCSliceHeaderTests.everything, data: OpaqueBits([0xAB, 0x80])))
        var units = HEVCVectors.all.flatMap { [$0.vps, $0.sps, $0.pps] }
        units += [try slice.nalUnit(in: sets), try HEVCSPSTests.everything.nalUnit()]
        units += [
            "46 01 50", "4C 01 FF FF 80", "48 01", "7C 01 12 34 56", "4E 01 06 02 84 D0 2F 03 08 00 18 80",
            "4E 01 88 07 51 00 00 03 00 00 03 00 80 80", "4E 01 90 04 03 E8 01 90 80", "50 01 84 01 00 80",
            "4E 01 05 11 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 21 80",
        ].map(hex)
        HostileUnits<HEVCNALUnit>(parameterSets: sets, units: units).expectRefusedOrKept()
    }

    @Test("picture timing and buffering periods of HEVC with flipped bits or cut are refused or written back as read")
    func hevcTiming() throws {
        let sets = HEVCSEITests.sets(hasUnits: true)
        var timing = HEVCPicTiming()
        timing.fieldInfo = .init()
        timing.delays = .init()
        timing.delays?.picDpbOutputDuDelay = 1
        timing.delays?.decodingUnits = .init()
        timing.delays?.decodingUnits?.numNalusMinus1 = [0, 5, 2]
        timing.delays?.decodingUnits?.delayIncrementsMinus1 = [7, 1]
        var period = HEVCBufferingPeriod()
        period.nal = [.init(), .init()]
        period.useAltCpbParamsFlag = true
        let units = try [HEVCSEIPayload.picTiming(timing), .bufferingPeriod(period)].map { payload in
            try HEVCNALUnit(header: .init(type: .prefixSEI), payload: .sei(.init([payload]))).nalUnit(in: sets)
        }
        var (refused, kept) = (0, 0)
        for unit in units + [units[1] + units[0].dropFirst(2)] {
            for changed in Array(Mutations.flips(of: unit)) + Array(Mutations.cuts(of: unit)) {
                guard let read = try? HEVCNALUnit(nalUnit: changed, in: sets) else {
                    refused += 1
                    continue
                }
                kept += 1
                #expect(try HEVCNALUnit(nalUnit: read.nalUnit(in: sets), in: sets) == read)
            }
        }
        #expect(refused > 50 && kept > 50, "\(refused) refused, \(kept) kept")
    }
}
