// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

@testable import BenchReports
@testable import EncoderBench
@testable import encbench

@Suite struct StreamDifferenceTests {
    // H.264: nal_unit_type in the low five bits. 67 SPS, 68 PPS, 65 IDR slice, 41 slice, 06 SEI.
    private let sps: [UInt8] = [0x67, 1, 2]
    private let pps: [UInt8] = [0x68, 3]
    private let idr: [UInt8] = [0x65, 4, 5]
    private let slice: [UInt8] = [0x41, 6]
    /// payloadType 5, size 2.
    private let sei: [UInt8] = [0x06, 5, 2, 9, 9, 0x80]

    private func difference(_ units: [[UInt8]], _ others: [[UInt8]]) -> StreamDifference {
        StreamDifference(of: AnnexB.join(units), with: AnnexB.join(others), codec: .h264)
    }

    @Test("start codes of other lengths make no difference")
    func startCodes() {
        let short: [UInt8] = [sps, pps, idr].flatMap { [0, 0, 1] + $0 }
        let found = StreamDifference(of: AnnexB.join([sps, pps, idr]), with: short, codec: .h264)
        #expect(found.isNone && found.hasSameSlices && found.text == "the same units")
    }

    @Test("a unit more is named by type, and an SEI by what it carries")
    func more() {
        let found = difference([sps, pps, idr, slice], [sps, pps, sei, idr, slice])
        #expect(found.hasSameSlices && found.differences == ["1 SEI (user_data_unregistered) more"])
        let fewer = difference([sps, pps, idr, slice, slice], [sps, pps, idr, slice])
        #expect(!fewer.hasSameSlices && fewer.differences == ["1 slice fewer"])
    }

    @Test("units of other bytes and units in another order are told apart")
    func changed() {
        let other = difference([sps, pps, idr, slice], [[0x67, 1, 3], pps, idr, slice])
        #expect(other.hasSameSlices && other.differences == ["1 of 1 SPS differ"])
        let slices = difference([sps, idr, slice], [sps, idr, [0x41, 7]])
        #expect(!slices.hasSameSlices && slices.differences == ["1 of 1 slice differ"])
        let order = difference([sps, pps, idr], [pps, sps, idr])
        #expect(order.hasSameSlices && order.differences == ["the same units in another order"])
        let moved = difference([idr, slice], [slice, idr])
        #expect(!moved.hasSameSlices && !moved.isNone)
    }

    @Test("HEVC's units have their own types")
    func hevc() {
        // nal_unit_type in bits 1 to 6 of the first byte: 42 01 SPS, 26 01 IDR_W_RADL, 4E 01 prefix SEI.
        let units: [[UInt8]] = [[0x42, 1, 7], [0x26, 1, 8]]
        let found = StreamDifference(
            of: AnnexB.join(units), with: AnnexB.join([units[0], [0x4E, 1, 0x89, 1, 1, 0x80], units[1]]), codec: .hevc)
        #expect(
            found.hasSameSlices
                && found.differences == ["1 PREFIX_SEI_NUT (mastering_display_colour_volume) more"],
            "\(found)")
    }
}
