// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

@testable import StreamInspection

@Suite struct AnnexBDetectionTests {
    @Test("content decides what a stream is")
    func guesses() {
        let none = { (bytes: [UInt8]) in AnnexBDetection.codec(of: bytes, isWhole: true) }
        #expect(none([0, 0, 0, 1] + Array("ftypisom".utf8)) == nil)
        #expect(none([0, 1, 0x67]) == nil && none([0x47, 0, 0, 1]) == nil && none([0, 0, 0]) == nil)
        #expect(none([0, 0, 1, 0xFF, 0xFF]) == nil && none([0, 0, 1, 0xBA, 0x44]) == nil)
        #expect(none([0, 0, 0, 0, 0, 1, 9, 0x10]) == .h264)
        #expect(none([0, 0, 1, 0x65, 0x88, 0x84, 0, 0, 1, 0x41, 0x9A, 0x20]) == .h264)
        #expect(none([0, 0, 1, 0x40, 1, 0xC, 0, 0, 1, 0x26, 1, 0xAF, 0, 0, 1, 2, 1, 0xD0]) == .hevc)
    }
}
