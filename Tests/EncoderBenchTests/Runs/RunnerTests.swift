// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import EncoderAPI
import Logging
import MediaFiles
import Synchronization
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct RunnerTests {
    private func runner(
        jobs: Int = 2, store: PointStore? = nil, interruption: OneShotEvent = OneShotEvent(), log: WorkLog,
        _ fail: @escaping @Sendable (PointSpec) throws -> Void = { _ in }
    ) -> Runner<PointResult> {
        Runner(
            jobs: jobs, store: store, interruption: interruption, logger: .silent,
            build: { _ in Studies.build },
            work: { point, progress in
                log.add(point)
                try fail(point)
                for _ in 0..<4 { progress() }
                return Studies.result(of: point)
            })
    }

    @Test("every point is done once and told once, whatever the number of jobs", arguments: [1, 2, 7])
    func all(jobs: Int) async {
        let study = Studies.study(clips: 2)
        let (log, events) = (WorkLog(), EventLog())
        await runner(jobs: jobs, log: log).run(study, observe: events.take)
        #expect(log.points.count == study.points.count && Set(log.points) == Set(study.points))
        #expect(events.finished.count == study.points.count && Set(events.finished) == Set(study.points))
        #expect(events.failed.isEmpty && events.frames == 4 * study.points.count)
    }

    @Test("clip by clip, the encodes that take longest are begun first")
    func order() async {
        let study = Studies.study(clips: 2, quantizers: [22, 37])
        let log = WorkLog()
        await runner(jobs: 1, log: log).run(study) { _ in }
        let each = [
            "x265 qp 22", "x265 default", "x264 qp 22", "x264 default", "x265 qp 37", "x264 qp 37",
        ]
        let expected = ["0 ", "1 "].flatMap { clip in each.map { clip + $0 } }
        #expect(log.points.map { "\($0.clip) \($0.work.encoder) \($0.rate)" } == expected)
    }

    @Test("a store that keeps nothing ends the command, after all points are done", .timeLimit(.minutes(1)))
    func storeThatKeepsNothing() async throws {
        let store = try PointStore(reading: "/proc", logger: .silent)
        let runner = self.runner(store: store, log: WorkLog())
        try runner.failIfNotKept()
        let (study, events) = (Studies.study(clips: 2), EventLog())
        await runner.run(study, observe: events.take)
        #expect(events.finished.count == study.points.count)
        #expect(throws: EncoderBenchError(.systemFailure, reason: "/proc: not all results could be kept there")) {
            try runner.failIfNotKept()
        }
    }

    @Test("what is wrong with a file without a name is told by the clip's name")
    func unnamedFiles() async {
        let study = Studies.study()
        let told = Mutex<Set<String>>([])
        let runner = self.runner(log: WorkLog()) { _ in
            throw MediaFileError(.truncated, reason: "cut", path: UnnamedFile.folder + "7", byteOffset: 3)
        }
        await runner.run(study) { event in
            if case .failed(_, let error) = event { told.withLock { _ = $0.insert("\(error)") } }
        }
        #expect(told.withLock { $0 } == ["clip0.y4m: cut (byte offset 3)"])
        let other = MediaFileError(.truncated, reason: "cut", path: "/clips/0")
        #expect(other.naming("clip0.y4m") == other)
    }

    @Test("two points that ask for the same work share its result")
    func sameWork() async {
        var study = Studies.study(clips: 2)
        for index in study.points.indices { study.points[index].work.clipDigest = "the same" }
        let (log, events) = (WorkLog(), EventLog())
        await runner(log: log).run(study, observe: events.take)
        #expect(log.points.count == study.points.count / 2)
        #expect(Set(events.finished) == Set(study.points))
    }

    @Test("what is in the store is not done again, and what was done is there")
    func store() async throws {
        try await withTemporaryDirectory { folder in
            let store = try PointStore(path: folder.path("s"), logger: .silent)
            let study = Studies.study()
            for point in study.points.prefix(3) { try store.keep(Studies.result(of: point)) }
            let (log, events) = (WorkLog(), EventLog())
            await runner(store: store, log: log).run(study, observe: events.take)
            #expect(Set(log.points) == Set(study.points.dropFirst(3)))
            #expect(events.finished.count == study.points.count)
            #expect(try store.all(PointResult.self).count == study.points.count)
        }
    }

    @Test("a clip that cannot be read is given up as a whole, and the others go on")
    func brokenClip() async {
        let study = Studies.study(clips: 3)
        let (log, events) = (WorkLog(), EventLog())
        await runner(jobs: 1, log: log) { point in
            if point.clip == 1 { throw MediaFileError(.truncated, reason: "cut", path: point.path) }
        }.run(study, observe: events.take)
        #expect(log.points.count { $0.clip == 1 } == 1)
        #expect(Set(events.failed) == Set(study.points(ofClip: 1)))
        #expect(Set(events.finished) == Set(study.points).subtracting(study.points(ofClip: 1)))
    }

    @Test("an encode that fails takes no other with it")
    func failedPoint() async {
        let study = Studies.study()
        let (log, events) = (WorkLog(), EventLog())
        await runner(log: log) { point in
            if point == study.points[2] { throw EncoderError(.backendFailure, reason: "no") }
        }.run(study, observe: events.take)
        #expect(events.failed == [study.points[2]])
        #expect(events.finished.count == study.points.count - 1)
    }

    @Test("an interruption starts nothing new, and what fails because of it is no failure")
    func interruption() async {
        let study = Studies.study()
        let points = study.longestFirst.map { $0[0] }
        let (log, events, interruption) = (WorkLog(), EventLog(), OneShotEvent())
        await runner(jobs: 1, interruption: interruption, log: log) { point in
            guard point == points[2] else { return }
            interruption.signal()
            throw EncoderError(.invalidState, reason: "invalidated")
        }.run(study, observe: events.take)
        #expect(events.finished == Array(points.prefix(2)) && events.failed.isEmpty)
        #expect(log.points.count == 3)
    }
}
