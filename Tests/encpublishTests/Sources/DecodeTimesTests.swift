// SPDX-License-Identifier: MIT

import DequeModule
import EncoderAPI
import ParameterSets
import Publishing
import Testing

@testable import encpublish

@Suite struct DecodeTimesTests {
    private let format: FormatDescription

    init() throws {
        let sps = try H264SPS(SequenceConfiguration(displaySize: PictureSize(width: 64, height: 64)), profile: .high)
        let units = try [sps.nalUnit(), H264PPS().nalUnit(in: H264ParameterSets(sps: sps, pps: H264PPS()))]
        format = try FormatDescription(codec: .h264, parameterSets: units)
    }

    private func time(_ milliseconds: Int) -> MediaTime { MediaTime(value: Int64(milliseconds), timescale: 1000) }

    private func picture(_ milliseconds: Int, isKey: Bool = false) -> MediaPacket {
        MediaPacket(
            format: format, presentationTime: time(milliseconds), decodeTime: .zero, duration: time(40), isKey: isKey,
            data: [1], nalUnits: [0..<1])
    }

    /// Presentation and decode times in milliseconds that come of pictures, of which those of `keys` are key pictures.
    private func derived(_ shown: [Int], depth: Int, keys: Set<Int> = [0]) throws -> (shown: [Int], decoded: [Int]) {
        var times = DecodeTimes(depth: depth, isStated: false)
        var pictures: Deque<MediaPacket> = []
        for (index, shown) in shown.enumerated() {
            try times.place(picture(shown, isKey: keys.contains(index)), stated: nil, into: &pictures)
        }
        pictures += times.finish()
        #expect(times.finish().isEmpty)
        return (
            pictures.map { Int($0.presentationTime.ticks(timescale: 1000)) },
            pictures.map { Int($0.decodeTime.ticks(timescale: 1000)) }
        )
    }

    @Test(
        "decode times are the presentation times in rising order, later by the depth, and even before the first",
        arguments: [
            (0, [0, 40, 80], [0, 40, 80]),
            (1, [0, 80, 40, 160, 120], [-40, 0, 40, 80, 120]),
            (2, [0, 160, 80, 40, 120, 320, 240], [-80, -40, 0, 40, 80, 120, 160]),
            // Pictures before the first key picture that are shown earlier.
            (2, [100, 60, 20, 180, 140], [-60, -20, 20, 60, 100]),
            // Uneven distances, and a stream shorter than its depth.
            (1, [0, 70, 33, 140, 100], [-40, 0, 33, 70, 100]), (4, [0, 80, 40], [-80, -40, 0]), (2, [7], [7]),
            (1, [], []),
        ] as [(Int, [Int], [Int])])
    func rows(depth: Int, shown: [Int], decoded: [Int]) throws {
        let found = try derived(shown, depth: depth)
        #expect(found.shown == shown && found.decoded == decoded, "\(found)")
    }

    @Test("times that the container states stay, those later than their pictures or missing are refused")
    func stated() throws {
        var times = DecodeTimes(depth: 2, isStated: true)
        var ready: Deque<MediaPacket> = []
        try times.place(picture(80, isKey: true), stated: time(40), into: &ready)
        #expect(ready.map(\.decodeTime) == [time(40)] && ready.map(\.presentationTime) == [time(80)])
        for wrong in [time(101), nil] {
            let error = #expect(throws: DecodeTimes.Refusal.self) {
                try times.place(picture(100), stated: wrong, into: &ready)
            }
            #expect(error?.reason.contains("100/1000 s") == true)
        }
        #expect(times.finish().isEmpty)
    }

    @Test("a picture that more come before than the stream states is refused, unless a source counts anew with it")
    func tooDeep() throws {
        let error = #expect(throws: DecodeTimes.Refusal.self) { try derived([0, 160, 80, 40], depth: 1) }
        #expect(error?.reason.contains("more than the 1") == true)
        let found = try derived([500, 580, 540, 0, 80, 40], depth: 1, keys: [0, 3])
        #expect(found.shown == [500, 580, 540, 0, 80, 40] && found.decoded == [460, 500, 540, -40, 0, 40], "\(found)")
    }
}
