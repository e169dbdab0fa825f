// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import Publishing

@Suite(.requiresProgram(.ffmpeg)) struct DelimiterTests {
    /// How often a sequence stands in bytes.
    private func count(_ sequence: [UInt8], in bytes: [UInt8]) -> Int {
        bytes.indices.count { bytes[$0...].starts(with: sequence) }
    }

    @Test(
        "each picture of a transport stream has one delimiter, whether it came with one or not",
        arguments: [true, false])
    func delimiters(hasOne: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let format = try TestPackets.videoFormat()
            let path = folder.path("a.ts")
            let broadcast = try Broadcast(tracks: [.video], outputs: [.file(path)])
            let delimiter: [UInt8] = [0, 0, 0, 1, 0x09, 0xF0]
            for number in 0..<20 {
                // An IDR picture, one that is none, and an IDR picture that its container does not mark.
                let slice: UInt8 = number % 5 == 0 ? 0x65 : 0x41
                let bytes = [0, 0, 0, 1, slice] + [UInt8](repeating: 0x55, count: 600)
                let start = hasOne ? delimiter.count : 0
                let units = [start + 4..<start + bytes.count]
                let time = MediaTime.milliseconds(Int64(number) * 40)
                try broadcast.sendBlocking(
                    MediaPacket(
                        format: format, presentationTime: time, decodeTime: time, isKey: number % 10 == 0,
                        data: (hasOne ? delimiter : []) + bytes, nalUnits: (hasOne ? [4..<6] : []) + units))
            }
            await broadcast.finish()
            let bytes = try folder.read("a.ts")
            #expect(count(delimiter, in: bytes) == 20)
            // Sequence parameter sets stand where decoding can start, as the packets say.
            #expect(count([0, 0, 0, 1, 0x67], in: bytes) == 2)
        }
    }
}
