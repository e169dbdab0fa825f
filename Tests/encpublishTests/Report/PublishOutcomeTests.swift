// SPDX-License-Identifier: MIT

import Testing

@testable import encpublish

@Suite struct PublishOutcomeTests {
    @Test(
        "the status tells complete, interrupted, some and all failed apart",
        arguments: [
            (0, 2, false, nil, 0), (0, 2, false, 130, 130), (0, 2, false, 143, 143), (1, 2, false, nil, 3),
            (1, 2, false, 130, 3), (2, 2, false, nil, 1), (0, 2, true, nil, 1), (0, 2, true, 130, 1),
        ] as [(Int, Int, Bool, Int32?, Int32)])
    func status(failed: Int, count: Int, inputFailed: Bool, signal: Int32?, status: Int32) {
        let outcome = PublishOutcome(failed: failed, of: count, hasInputFailed: inputFailed, signalStatus: signal)
        #expect(outcome.status == status)
    }

    @Test("a line has the time, and of each output its state, rate and what waits")
    func progress() {
        var text = ProgressText()
        func places(_ bytes: Int, _ age: Double) -> [ProgressText.Place] {
            [
                .init(name: "a.mkv", state: "on", byteCount: bytes, queueAge: 0),
                .init(name: "rtmp://h/a/…", state: "tries again", byteCount: 0, queueAge: age),
            ]
        }
        #expect(
            text.line(media: 1, pictures: 30, places: places(100_000, 0), now: 5)
                == "1 s, 30 pictures | a.mkv: on | rtmp://h/a/…: tries again")
        #expect(
            text.line(media: 3, pictures: 90, places: places(350_000, 1.25), now: 7)
                == "3 s, 90 pictures | a.mkv: on 1.00 Mbit/s | rtmp://h/a/…: tries again 0 bit/s, 1.3 s wait")
    }

    @Test("the summary names an output that failed once, with its reason")
    func summary() {
        let output = PublishReport.Output(
            name: "a/b.ts", encoding: nil, state: "failed", error: "a/b.ts: cannot write: No space left on device",
            givenPackets: 10, writtenPackets: 4, leftOutPackets: 6, droppedPackets: 0, bytes: 512, openings: 1,
            drops: [], files: [])
        let report = PublishReport(
            input: "test", encodings: [], sound: "none", pictures: 10, mediaSeconds: 0.4, wallSeconds: 1,
            cpuSeconds: 1, status: 1, notes: [], outputs: [output])
        let line =
            "a/b.ts: 4 of 10 packets, 512 bytes, 6 without a place, failed: cannot write: No space left on device"
        #expect(report.summary == "10 pictures, 0.4 s\n\(line)\n")
    }
}
