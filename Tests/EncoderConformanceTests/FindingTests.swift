// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Testing

@Suite struct FindingTests {
    @Test("of findings that differ in numbers only a few are kept, and one says how many there are more")
    func cap() throws {
        let given = GivenFrame.series(1000)
        // Times that are not those given, a thousand times.
        let frames = given.indices.map { index in
            EncodedFrame(
                outcome: .dropped(.rateControl), presentationTime: MediaTime(value: Int64(index), timescale: 25),
                decodeTime: MediaTime(value: Int64(index), timescale: 25), duration: given[index].duration,
                token: index)
        }
        let configuration = SessionConfiguration(codec: .h264, width: 128, height: 96)
        let findings = StreamChecker(configuration: configuration, given: given).check(frames)
        let times = findings.filter { $0.expected.hasPrefix("presentation time") }
        #expect(times.count == 5)
        #expect(times.last?.expected == "presentation time #/# s of frame #")
        #expect(times.last?.seen == "996 more like it")
    }
}
