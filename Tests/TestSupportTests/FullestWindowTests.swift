// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@Suite struct FullestWindowTests {
    // x264 --quiet -o q.264 q.y4m (176x144, 30 frames per second)
    private static let sets: [[UInt8]] = [
        [
            0x67, 0x64, 0x00, 0x0B, 0xAC, 0xD9, 0x42, 0xC4, 0xE8, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0F,
            0x23, 0xC5, 0x0A, 0x65, 0x80,
        ], [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0],
    ]

    /// A frame of so many bytes, or one that was dropped.
    private func frame(_ bytes: Int?, at time: MediaTime) throws -> EncodedFrame {
        let format = try FormatDescription(codec: .h264, parameterSets: Self.sets)
        let unit = bytes.map {
            AccessUnit(
                data: [UInt8](repeating: 0, count: $0), nalUnits: [], format: format, pictureType: .p, isSync: false)
        }
        return EncodedFrame(
            outcome: unit.map { .encoded($0) } ?? .dropped(.rateControl), presentationTime: time, decodeTime: time)
    }

    @Test(
        "a window is open at its end, to the nanosecond",
        arguments: [(1, 1100), (1.000_000_001, 1110), (0.999_999_999, 1100), (0.5, 1000), (2.5, 1111), (1e-9, 1000)])
    func most(seconds: Double, bytes: Int) throws {
        let frames = try [
            frame(1000, at: MediaTime(value: 0, timescale: 30)), frame(nil, at: MediaTime(value: 10, timescale: 30)),
            frame(100, at: MediaTime(value: 15, timescale: 30)),
            frame(10, at: MediaTime(value: 90_000, timescale: 90_000)),
            frame(1, at: MediaTime(value: 2, timescale: 1)),
        ]
        #expect(frames.mostBytes(inWindowsOf: seconds) == bytes)
    }

    @Test("without coded frames there are no bytes")
    func empty() throws {
        #expect([EncodedFrame]().mostBytes(inWindowsOf: 1) == 0)
        #expect(try [frame(nil, at: .zero)].mostBytes(inWindowsOf: 1) == 0)
    }
}
