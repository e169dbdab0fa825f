// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import ParameterSets
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct QuestionJSONTests {
    @Test("every name in the JSON is described, and nothing is described that is not there")
    func description() throws {
        var study = Studies.study()
        study.points = [study.points[0]]
        study.points[0].work.settings = ["AverageBitRate": "8000", "DataRateLimits": "1000/1.0"]
        let failures = [Study.Failure(clip: "x", point: "y", reason: "z")]
        let point = study.points[0]
        let frame = FrameRecord(
            frame: 0, bytes: 1, type: "i", sync: true, pts: 0, dts: 0, timescale: 25, dtsTimescale: 25, ptsSeconds: 0,
            dtsSeconds: 0)
        var streams = Answers<StreamResult>(study: study, failures: failures)
        streams.results[point] = StreamResult(
            work: point.work, build: Studies.build, seconds: 1, adjustments: [], givenBitsPerSecond: 7000,
            frames: [frame])
        var paces = Answers<PacedResult>(study: study, failures: failures)
        let paced = PacedResult.Frame(due: 0, given: 0, isTaken: true, out: 0, decodeTime: 0)
        paces.results[point] = PacedResult(
            library: "l", adjustments: [], frames: [paced, paced, paced, paced], framesHeld: 1)
        var realTime = RealTimeReport(paces, frameRate: nil)
        realTime.machine.loadAverage = 1
        realTime.othersCores = 1
        realTime.entries[0].equalQuality = .init(goal: 1, psnr: 1, bytes: 1, bytesAtGoal: 1)

        var keyFrames = KeyFrameReport(failures: failures)
        keyFrames.entries = [
            KeyFrameReport.Entry(
                clip: "c", variant: "v", library: "l", rate: "r", frames: 1,
                keyFrames: [
                    KeyFrameReport.KeyFrame(
                        frame: 1, seconds: 1, isIDR: true, bytes: 1, plainBytes: 1, psnr: 1, plainPSNR: 1, dip: 1)
                ], otherKeyFrames: [0], bytes: 1, plainBytes: 1, psnr: 1, plainPSNR: 1,
                bytesAtEqualQuality: 1, equalQualityRates: ["r"],
                intervals: [KeyFrameInterval(frames: 1, seconds: 1, brokenAt: 1)], adjustments: [])
        ]
        let ratio = PairedRatio(test: [1, 1, 1, 1, 1, 1], anchor: [1, 1, 1, 1, 1, 1])
        var race = ProgramRace.Outcome()
        race.finishedRounds = 3
        race.programs = [
            ProgramRace.Outcome.Program(
                name: "n", command: "c", wallSeconds: 1, cpuSeconds: 1, peakResidentBytes: 1, wallRatio: ratio,
                cpuRatio: ratio,
                stream: StreamDifference(of: [], with: [], codec: .h264))
        ]
        (race.wallControl, race.cpuControl) = (ratio, ratio)
        var overhead = OverheadReport(rounds: 1, seed: 1)
        overhead.entries = [
            OverheadReport.Entry(clip: "c", variant: "v", library: "l", rate: "r", frames: 1, race: race)
        ]

        var found: Set<String> = []
        for bytes in [
            try JSONDocument.bytes(try RateReport(streams, window: 1)), try JSONDocument.bytes(keyFrames),
            try JSONDocument.bytes(realTime), try JSONDocument.bytes(overhead),
        ] {
            for match in String(decoding: bytes, as: UTF8.self).matches(of: #/"([a-z0-9_]+)" : /#) {
                found.insert(String(match.1))
            }
        }
        let page = try SourceFiles.page("QuestionJSON.md")
        let described = page.matches(of: #/`([a-z0-9_]+)`/#).map { String($0.1) }
        #expect(found.subtracting(described) == [])
        #expect(Set(described).subtracting(found).subtracting(["keyframes", "realtime", "overhead"]) == [])
    }
}
