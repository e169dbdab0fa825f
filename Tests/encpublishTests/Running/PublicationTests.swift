// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import Logging
import ParameterSets
import Synchronization
import TestSupport
import Testing

@testable import Publishing
@testable import encpublish

@Suite struct PublicationTests {
    private static let error = PublishingError(.refused, reason: "Connection refused")

    private func statistics(
        _ state: PublishState, bytes: Int = 0, age: Double = 0, openings: Int = 1, given: Int = 10, written: Int = 0,
        error: PublishingError? = nil
    ) -> OutputStatistics {
        var statistics = OutputStatistics(name: "rtmp://h/a/…")
        (statistics.state, statistics.byteCount, statistics.openings) = (state, bytes, openings)
        statistics.queueAge = MediaTime(value: Int64(age * 1000), timescale: 1000)
        (statistics.givenPackets, statistics.writtenPackets, statistics.lastError) = (given, written, error)
        return statistics
    }

    @Test("of several live outputs the one in which most waits is followed, where it published all the while")
    func sample() throws {
        let (first, second) = (OutputID(number: 1), OutputID(number: 2))
        let before = [
            first: statistics(.publishing, bytes: 100), second: statistics(.publishing, bytes: 1000),
        ]
        let now = [
            first: statistics(.publishing, bytes: 600, age: 0.2),
            second: statistics(.publishing, bytes: 1100, age: 0.7),
        ]
        let sample = try #require(BitRateFollower.sample(from: before, to: now))
        #expect(sample == RateAdapter.Sample(queueAge: .milliseconds(700), bytesSent: 100))
        // Another connection, or none, says nothing.
        let again = [second: statistics(.publishing, bytes: 1100, age: 0.7, openings: 2)]
        #expect(BitRateFollower.sample(from: before, to: again) == nil)
        #expect(BitRateFollower.sample(from: before, to: [first: statistics(.connecting)]) == nil)
        #expect(BitRateFollower.sample(from: [:], to: now) == nil)
    }

    @Test("the log tells why an output tries again, and when all outputs of a broadcast are over")
    func log() {
        let told = Mutex<[String]>([])
        let log = EventLog(outputCounts: [1, 2]) { text in told.withLock { $0.append(text) } }
        let (first, second) = (OutputID(number: 1), OutputID(number: 2))
        log.take(.state(first, name: "rtmp://h/a/…", .backingOff(until: .now, Self.error)), of: 0)
        #expect(told.withLock { $0 } == ["rtmp://h/a/…: tries again in 0.0 s: Connection refused"])
        log.take(.state(first, name: "a.ts", .ended), of: 0)
        #expect(log.over[0].hasHappened && !log.over[1].hasHappened && !log.allOver.hasHappened)
        // Outputs of two broadcasts may have one number.
        log.take(.state(first, name: "b.ts", .failed(Self.error)), of: 1)
        #expect(!log.over[1].hasHappened)
        log.take(.state(second, name: "c.ts", .ended), of: 1)
        #expect(log.over[1].hasHappened && log.allOver.hasHappened)
        log.take(.newFile(second, path: "c-2.ts"), of: 1)
        #expect(log.files(of: .init(broadcast: 1, output: second)) == ["c-2.ts"])
        #expect(log.files(of: .init(broadcast: 0, output: second)).isEmpty)
        #expect(
            told.withLock { $0.last }
                == "goes on in c-2.ts: the format changed, or the container's times came to their end")
    }

    /// A publication of the test source to a file, without encoder.
    private func publication(to path: String) throws -> Publication {
        let command = try Encpublish.parse(["test", "--to", path])
        let plan = try PublishPlan(
            PublishPlan.Wishes(input: .test, outputs: [PlannedOutput(path, encodings: [])]))
        let run = PublishRun(
            plan: plan, rate: .automatic, encoding: command.encoding, source: command.source,
            connections: command.connections, segments: command.segments, interruption: OneShotEvent(),
            logger: Logger(label: "test"))
        return try Publication(
            run, tracks: [.video], sound: nil, longestLag: MediaTime(value: 1, timescale: 1), onKeyFrameWanted: { _ in }
        )
    }

    @Test("pictures before one that is refused are counted, whether they were given with it or not")
    func refusedPicture() async throws {
        try await withTemporaryDirectory { folder in
            let publication = try publication(to: folder.path("a.ts"))
            let sps = try H264SPS(
                SequenceConfiguration(displaySize: PictureSize(width: 320, height: 240)), profile: .high)
            let pps = H264PPS()
            let units = try [sps.nalUnit(), pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
            let format = try FormatDescription(codec: .h264, parameterSets: units)
            let packets = (0..<5 as Range<Int64>).map { number in
                let time = MediaTime(value: number, timescale: 25)
                return MediaPacket(
                    format: format, presentationTime: time, decodeTime: number == 3 ? time + time : time,
                    duration: MediaTime(value: 1, timescale: 25), isKey: number == 0, isDisposable: false,
                    data: [UInt8](repeating: 1, count: 100), nalUnits: [4..<100])
            }
            let error = #expect(throws: PublishingError.self) { try publication.give(packets, moreFollows: false) }
            #expect(error?.code == .invalidValue)
            let report = await publication.finish(error: error, encodings: [PublishReport.Encoding(codec: "h264")])
            #expect(report.pictures == 3 && report.outputs.map(\.givenPackets) == [3])
            #expect(report.mediaSeconds == 0.08)
        }
    }

    @Test("an output that cannot take what there is was a wrong wish, and nothing is made of it")
    func unusableOutput() async throws {
        try await withTemporaryDirectory { folder in
            let error = #expect(throws: OptionError.self) { _ = try publication(to: folder.path("a.adts")) }
            #expect(error?.code == .unusable && error?.description.contains("takes none of the tracks") == true)
            #expect(error.map(Program.isRefusedValue) == true)
        }
    }

    @Test("the report has that an input gave no picture for a minute, and that it went on")
    func silence() async throws {
        let command = try Encpublish.parse(["test", "--to", "udp://127.0.0.1:9"])
        let plan = try PublishPlan(
            PublishPlan.Wishes(input: .test, outputs: [PlannedOutput("udp://127.0.0.1:9", encodings: [])]))
        let run = PublishRun(
            plan: plan, rate: .automatic, encoding: command.encoding, source: command.source,
            connections: command.connections, segments: command.segments, interruption: OneShotEvent(),
            logger: Logger(label: "test"))
        let seconds = Mutex(100.0)
        let publication = try Publication(
            run, tracks: [.video], sound: nil, longestLag: MediaTime(value: 1, timescale: 1),
            clock: { seconds.withLock { $0 } }, onKeyFrameWanted: { _ in })
        for time in [159.0, 161, 170] {
            seconds.withLock { $0 = time }
            _ = publication.look()
        }
        publication.note(.zero)
        seconds.withLock { $0 = 171 }
        _ = publication.look()
        let report = await publication.finish(error: nil, encodings: [])
        #expect(
            report.notes == [
                "no picture for 61 s by the clock: the input gives none", "pictures come again after 71 s",
            ])
    }
}
