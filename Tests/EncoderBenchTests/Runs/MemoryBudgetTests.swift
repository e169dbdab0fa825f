// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import Synchronization
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct MemoryBudgetTests {
    private func work(_ size: (Int, Int), preset: String = "medium", options: [String] = []) -> PointWork {
        var work = Studies.study().points[0].work
        (work.width, work.height) = size
        work.settings["Preset"] = preset
        work.nativeOptions = options
        return work
    }

    @Test("what an encode takes grows with its pictures, its depth, its preset, its lookahead and its threads")
    func expectation() {
        let usual = work((1920, 1080))
        // 1080p took some 400 MB for each encode at a time.
        #expect((414 << 20...600 << 20).contains(usual.expectedBytes))
        #expect(work((960, 540)).expectedBytes * 4 == usual.expectedBytes)
        var deep = usual
        deep.pixelFormat = "i010"
        #expect(deep.expectedBytes == 2 * usual.expectedBytes)
        #expect(work((1920, 1080), preset: "veryslow").expectedBytes > usual.expectedBytes)
        #expect(work((1920, 1080), preset: "ultrafast").expectedBytes < usual.expectedBytes)
        #expect(work((1920, 1080), options: ["rc-lookahead=250"]).expectedBytes > 3 * usual.expectedBytes)
        var threads = usual
        threads.settings["ThreadCount"] = "8"
        #expect(threads.expectedBytes > usual.expectedBytes)
    }

    @Test(
        "no values make a budget that stops everything, or numbers that overflow",
        arguments: [
            ((1, 1), ""), ((65535, 65535), "placebo"), ((0, -1), "x"), ((.max, .max), "slow"),
        ] as [((Int, Int), String)])
    func hostile(size: (Int, Int), preset: String) {
        for option in ["rc-lookahead=-5", "rc-lookahead=9223372036854775807", "rc-lookahead", "=", "no-rc-lookahead=x"]
        {
            var work = work(size, preset: preset, options: [option])
            for threads in ["-1", "9223372036854775807", "many"] {
                work.settings["ThreadCount"] = threads
                #expect(work.expectedBytes > 0)
                var study = Studies.study()
                study.points[0].work = work
                #expect(MemoryBudget(bytes: 1, holdsClips: true).jobs(of: study) == 1)
                #expect(MemoryBudget(bytes: .max, holdsClips: false).jobs(of: study) >= 1)
            }
        }
        #expect(MemoryBudget(bytes: 1 << 30).jobs(of: Study(variants: [], pairs: [])) >= 1)
    }

    @Test("clips in memory have half of the budget, two of them, and on a disk none of it")
    func clips() {
        let inMemory = MemoryBudget(bytes: 1 << 30, holdsClips: true)
        #expect(inMemory.clipBytes == 1 << 28 && inMemory.encodeBytes == 1 << 29)
        let onDisk = MemoryBudget(bytes: 1 << 30, holdsClips: false)
        #expect(onDisk.clipBytes == DecodedClips.byteLimit && onDisk.encodeBytes == 1 << 30)
        #expect(MemoryBudget(bytes: 1 << 40, holdsClips: true).clipBytes == DecodedClips.byteLimit)
        #expect(MemoryBudget().bytes >= MemoryBudget.legalBytes.lowerBound)
    }

    @Test("the budget has so many encodes of the largest kind at a time")
    func jobs() {
        var study = Studies.study()
        study.points[3].work = work((1920, 1080))
        let each = study.points[3].work.expectedBytes
        func jobs(_ bytes: Int) -> Int { MemoryBudget(bytes: bytes, holdsClips: false).jobs(of: study) }
        #expect(jobs(each - 1) == 1 && jobs(each) == 1 && jobs(2 * each - 1) == 1 && jobs(2 * each) == 2)
    }

    /// Encodes inside at a time, and the most that there were.
    private final class Inside: Sendable {
        private let state = Mutex((now: 0, most: 0, done: 0))

        var most: Int { state.withLock { $0.most } }
        var done: Int { state.withLock { $0.done } }

        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func leave() {
            state.withLock { state in
                state.now -= 1
                state.done += 1
            }
        }
    }

    @Test("with any number of jobs no more run at a time than there is memory for, and all are done", arguments: 1...4)
    func runner(count: Int) async throws {
        let study = Studies.study(clips: 3)
        let each = study.points[0].work.expectedBytes
        let inside = Inside()
        let runner = Runner<PointResult>(
            jobs: 16, memory: MemoryBudget(bytes: count * each + each / 2, holdsClips: false), logger: .silent,
            build: { _ in Studies.build },
            work: { point, _ in
                inside.enter()
                // Others have their turn to come in.
                for _ in 0..<50 { await Task.yield() }
                inside.leave()
                if point == study.points[4] { throw EncoderBenchError(.picturesMissing, reason: "no") }
                return Studies.result(of: point)
            })
        let events = EventLog()
        await runner.run(study, observe: events.take)
        #expect(inside.most <= count && inside.done == study.points.count)
        #expect(events.finished.count == study.points.count - 1 && events.failed == [study.points[4]])
    }

    /// In which order what asked for room got it.
    private final class Order: Sendable {
        private let stored = Mutex<[Int]>([])

        var bytes: [Int] { stored.withLock { $0 } }

        func add(_ bytes: Int) { stored.withLock { $0.append(bytes) } }
    }

    @Test("one that takes more than there is runs alone, and nobody overtakes it")
    func gate() async {
        let gate = MemoryGate(limit: 10)
        let order = Order()
        await gate.enter(4)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await gate.enter(1000)
                order.add(1000)
                await gate.leave(1000)
            }
            while await gate.waitingCount < 1 { await Task.yield() }
            group.addTask {
                // There would be room for it.
                await gate.enter(1)
                order.add(1)
                await gate.leave(1)
            }
            while await gate.waitingCount < 2 { await Task.yield() }
            #expect(order.bytes.isEmpty)
            await gate.leave(4)
        }
        #expect(order.bytes == [1000, 1])
    }

    @Test(
        "free memory is what the kernel says, and nothing where it says nothing",
        arguments: [
            ("MemTotal:  5 kB\nMemAvailable:   23991208 kB\n", 23_991_208 * 1024), ("MemFree: 5 kB", nil), ("", nil),
            ("MemAvailable:", nil), ("MemAvailable: x kB", nil),
        ] as [(String, Int?)])
    func free(text: String, bytes: Int?) { #expect(MachineMemory.available(meminfo: text) == bytes) }
}
