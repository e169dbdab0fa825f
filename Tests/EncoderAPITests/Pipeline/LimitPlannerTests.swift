// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct LimitPlannerTests {
    private struct Frame {
        var time: MediaTime
        var bytes: Int
    }

    private static let step = MediaTime(value: 1, timescale: 30)

    /// The most bytes in any window, each counted anew.
    private func worst(_ frames: [Frame], _ limit: DataRateLimit) -> Int {
        frames.indices.map { start in
            frames[start...].prefix { ($0.time - frames[start].time).seconds < limit.seconds - 1e-9 }
                .reduce(0) { $0 + $1.bytes }
        }.max() ?? 0
    }

    @Test("what leaves keeps every limit, and room is what counting every window anew finds")
    func random() {
        var generator = SeededGenerator()
        for _ in 0..<200 {
            let limits = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                DataRateLimit(
                    bytes: Int.random(in: 500...20_000, using: &generator),
                    seconds: Double(Int.random(in: 1...60, using: &generator)) / 20)
            }
            var planner = LimitPlanner(limits: limits, coarsest: 51)
            var frames: [Frame] = []
            for index in 0..<120 {
                let time = MediaTime(value: Int64(index), timescale: 30)
                let bytes = Int.random(in: 1...3000, using: &generator)
                let room = limits.map { limit in
                    limit.bytes - (worstEnding(frames + [Frame(time: time, bytes: 0)], limit))
                }.min()
                #expect(planner.room(in: 0, at: time) == room)
                let isSync = index % 30 == 0
                planner.note(.init(bytes: bytes, quantizer: 30, isSync: isSync))
                let coded = LimitPlanner.Coded(
                    era: 0, bytes: bytes, isSync: isSync, quantizer: 30,
                    attempts: LimitPlanner.mostAttempts)
                guard planner.verdict(on: coded, at: time, step: Self.step) == .leaves else { continue }
                planner.hold(LimitPlanner.Counted(bytes: bytes, era: 0, time: time))
                planner.release()
                frames.append(Frame(time: time, bytes: bytes))
            }
            for limit in limits { #expect(worst(frames, limit) <= limit.bytes) }
            #expect(planner.peaks.map(\.bytes) == limits.map { worst(frames, $0) })
        }
    }

    /// Bytes in the window that ends with the last frame.
    private func worstEnding(_ frames: [Frame], _ limit: DataRateLimit) -> Int {
        guard let last = frames.last else { return 0 }
        return frames.filter { (last.time - $0.time).seconds < limit.seconds - 1e-9 }.reduce(0) { $0 + $1.bytes }
    }

    @Test(
        "after a picture within its allowance, a sync frame and any number of others fit with the coarsest quantizer",
        .inTurn())
    func allowance() {
        var generator = SeededGenerator()
        var isTight = false
        for _ in 0..<200 {
            let limits = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                DataRateLimit(
                    bytes: Int.random(in: 3000...30_000, using: &generator),
                    seconds: Double(Int.random(in: 1...80, using: &generator)) / 20)
            }
            var planner = LimitPlanner(limits: limits, coarsest: 51)
            planner.note(.init(bytes: Int.random(in: 100...4000, using: &generator), quantizer: 40, isSync: true))
            planner.note(.init(bytes: Int.random(in: 10...400, using: &generator), quantizer: 40))
            var index = 0
            func time() -> MediaTime { MediaTime(value: Int64(index), timescale: 30) }
            while index < 60 {
                let allowance = planner.allowance(in: 0, at: time(), step: Self.step)
                for bytes in [allowance, allowance + 1, Int.random(in: -100...30_000, using: &generator)] {
                    let isAllowed = planner.allows(bytes, in: 0, at: time(), step: Self.step)
                    #expect(isAllowed == (bytes <= allowance))
                }
                if allowance > 0 {
                    let bytes = Int.random(in: 1...allowance, using: &generator)
                    planner.hold(LimitPlanner.Counted(bytes: bytes, era: 0, time: time()))
                    planner.release()
                    if bytes > allowance / 2 { isTight = true }
                    var rest = planner
                    for later in 1...150 {
                        let bytes = later == 1 ? planner.sizes.coarseSync : planner.sizes.coarseOther
                        let time = MediaTime(value: Int64(index + later), timescale: 30)
                        // What a window of others alone holds is not the picture's doing.
                        guard Double(later) / 30 < limits.map(\.seconds).min() ?? 0 else { break }
                        #expect(rest.room(in: 0, at: time) >= bytes)
                        rest.hold(LimitPlanner.Counted(bytes: bytes, era: 0, time: time))
                        rest.release()
                    }
                }
                index += 1
            }
        }
        #expect(isTight)
    }

    @Test("what is inside the encoder adds a few steps to the quantizer of a key frame, what has come out all it takes")
    func guessedQuantizer() throws {
        var planner = LimitPlanner(limits: [DataRateLimit(bytes: 2000, seconds: 0.2)], coarsest: 51)
        planner.note(.init(bytes: 900, quantizer: 30, isSync: true))
        planner.note(.init(bytes: 50, quantizer: 34))
        // Two key frames inside are thought to take 900 bytes each, which leaves next to nothing for a third.
        let inside = (0..<2).map {
            LimitPlanner.Counted(bytes: 900, era: 0, time: MediaTime(value: Int64($0), timescale: 30))
        }
        let time = MediaTime(value: 2, timescale: 30)
        func quantizer(inside: [LimitPlanner.Counted]) -> Int? {
            planner.quantizer(in: 0, at: time, step: Self.step, isSync: true, inside: inside)
        }
        #expect(quantizer(inside: inside) == 40)
        for picture in inside { planner.hold(picture) }
        #expect(quantizer(inside: []) == 51)
    }

    @Test("where the library's bucket is believed, key frames forced together get no quantizer until a limit breaks")
    func believedBucket() {
        let limit = DataRateLimit(bytes: 2000, seconds: 0.2)
        // As before, a third key frame behind two that have not come out.
        let inside = (0..<2).map {
            LimitPlanner.Counted(bytes: 900, era: 0, time: MediaTime(value: Int64($0), timescale: 30))
        }
        func quantizer(_ planner: LimitPlanner, frame: Int64 = 2) -> Int? {
            planner.quantizer(
                in: 0, at: MediaTime(value: frame, timescale: 30), step: Self.step, isSync: true,
                inside: inside.map {
                    var picture = $0
                    picture.time = picture.time + MediaTime(value: frame - 2, timescale: 30)
                    return picture
                })
        }
        var planner = LimitPlanner(limits: [limit], coarsest: 51, trustsBucket: true)
        planner.note(.init(bytes: 900, quantizer: 30, isSync: true))
        planner.note(.init(bytes: 50, quantizer: 34))
        #expect(quantizer(planner) == nil)
        // What came out is coded again all the same where a window has no room for it.
        let coded = LimitPlanner.Coded(era: 0, bytes: 2001, isSync: true, quantizer: 30)
        #expect(planner.verdict(on: coded, at: .zero, step: Self.step) != .leaves)
        planner.noteBreach(at: .zero)
        #expect(quantizer(planner) == 40 && quantizer(planner, frame: 29) == 40)
        #expect(quantizer(planner, frame: 30) == nil)
        planner.distrustBucket()
        #expect(quantizer(planner, frame: 30) == 40 && quantizer(planner, frame: 3000) == 40)
    }

    @Test("pictures keep the limits that were in force when they were given, whenever they come out")
    func heldPictures() {
        let (stays, comes) = (DataRateLimit(bytes: 1000, seconds: 1), DataRateLimit(bytes: 50, seconds: 1))
        var planner = LimitPlanner(limits: [stays], coarsest: 51)
        planner.change(to: [stays, comes], coarsest: 51)
        // In decode order: the third overtakes the last, which was given before the limit came.
        for (index, (era, bytes)) in [(0, 400), (0, 400), (1, 20), (0, 150)].enumerated() {
            planner.hold(
                LimitPlanner.Counted(bytes: bytes, era: era, time: MediaTime(value: Int64(index), timescale: 10)))
            planner.release()
        }
        let time = MediaTime(value: 4, timescale: 10)
        #expect(planner.room(in: 0, at: time) == 30 && planner.room(in: 1, at: time) == 30)
        #expect(!planner.hasLifted)
        planner.change(to: [comes], coarsest: 51)
        #expect(planner.peaks.map(\.bytes) == [20] && planner.hasNewPeaks && planner.hasLifted)
        planner.hold(LimitPlanner.Counted(bytes: 25, era: 2, time: time))
        planner.release()
        let next = MediaTime(value: 5, timescale: 10)
        // What was given after a limit was lifted is not in its windows.
        #expect([0, 1, 2].map { planner.room(in: $0, at: next) } == [30, 5, 5])
        planner.forgetLifted(before: 1)
        #expect(planner.room(in: 0, at: next) == 30)
        planner.forgetLifted(before: 2)
        #expect(planner.room(in: 0, at: next) == .max && planner.room(in: 2, at: next) == 5)
        planner.change(to: [], coarsest: 51)
        #expect(planner.hasLimits && planner.room(in: 2, at: next) == 5 && planner.room(in: 3, at: next) == .max)
        planner.forgetLifted(before: 3)
        #expect(!planner.hasLimits)
    }

    @Test("a picture that does not fit is encoded coarser each time, and dropped where the coarsest does not fit")
    func attempts() {
        let planner = LimitPlanner(limits: [DataRateLimit(bytes: 1000, seconds: 1)], coarsest: 51)
        var coded = LimitPlanner.Coded(era: 0, bytes: 4000, isSync: true, quantizer: 20)
        var told: [Int] = []
        for _ in 0..<10 {
            guard case .again(let quantizer) = planner.verdict(on: coded, at: .zero, step: Self.step) else { break }
            told.append(quantizer)
            (coded.told, coded.quantizer, coded.attempts) = (quantizer, Double(quantizer), coded.attempts + 1)
        }
        #expect(told.count == LimitPlanner.mostAttempts && told.last == 51 && told == told.sorted())
        #expect(planner.verdict(on: coded, at: .zero, step: Self.step) == .drops)
        coded.bytes = 1000
        #expect(planner.verdict(on: coded, at: .zero, step: Self.step) == .leaves)
    }

    @Test("a picture that leaves no room for a sync frame is encoded again, unless it cannot be")
    func unrepeatable() {
        var planner = LimitPlanner(limits: [DataRateLimit(bytes: 1000, seconds: 1)], coarsest: 51)
        planner.note(.init(bytes: 900, quantizer: 45, isSync: true))
        var coded = LimitPlanner.Coded(era: 0, bytes: 990, isSync: false, quantizer: 30)
        #expect(planner.verdict(on: coded, at: .zero, step: Self.step) != .leaves)
        coded.isRepeatable = false
        #expect(planner.verdict(on: coded, at: .zero, step: Self.step) == .leaves)
        coded.bytes = 1001
        #expect(planner.verdict(on: coded, at: .zero, step: Self.step) == .drops)
    }

    @Test("a quantizer is asked for only where the room is little, and the larger the less there is")
    func prevention() {
        var planner = LimitPlanner(limits: [DataRateLimit(bytes: 10_000, seconds: 1)], coarsest: 51)
        #expect(planner.quantizer(in: 0, at: .zero, step: Self.step, isSync: false, inside: []) == nil)
        planner.note(.init(bytes: 2000, quantizer: 30, isSync: true))
        planner.note(.init(bytes: 300, quantizer: 30))
        planner.hold(LimitPlanner.Counted(bytes: 2000, era: 0, time: .zero))
        planner.release()
        var asked: [Int?] = []
        for index in 1...17 {
            let time = MediaTime(value: Int64(index), timescale: 30)
            asked.append(planner.quantizer(in: 0, at: time, step: Self.step, isSync: false, inside: []))
            planner.hold(LimitPlanner.Counted(bytes: 500, era: 0, time: time))
            planner.release()
        }
        #expect(asked.first == .some(nil) && asked.last == 51)
        // What is inside counts for the windows that the picture ends, and for no other.
        let inside = [LimitPlanner.Counted(bytes: 9500, era: 0, time: MediaTime(value: 60, timescale: 30))]
        for (frame, isAsked) in [(61, true), (89, true), (90, false)] {
            let time = MediaTime(value: Int64(frame), timescale: 30)
            let quantizer = planner.quantizer(in: 0, at: time, step: Self.step, isSync: false, inside: inside)
            #expect((quantizer != nil) == isAsked)
        }
        let values = asked.compactMap(\.self)
        #expect(values == values.sorted() && values.allSatisfy { $0 > 30 })
    }

    @Test("the room for the pictures that follow is what usual ones take in a short window")
    func smallPictures() {
        // As x264 codes 176x144: a picture of 500 bytes and three of 20, in turn.
        func asked(seconds: Double) -> Bool {
            var planner = LimitPlanner(limits: [DataRateLimit(bytes: 1500, seconds: seconds)], coarsest: 51)
            planner.note(.init(bytes: 900, quantizer: 38, isSync: true))
            for index in 0..<40 {
                let isReference = index % 4 == 0
                planner.note(
                    .init(
                        bytes: isReference ? 500 : 20, quantizer: isReference ? 36 : 42, isReference: isReference))
            }
            return planner.quantizer(in: 0, at: .zero, step: Self.step, isSync: false, inside: []) != nil
        }
        #expect(!asked(seconds: 0.1) && asked(seconds: 0.5))
    }

    @Test("pictures that come denser than their pace are seen within eight, a burst counts with the pause after it")
    func density() {
        let pace = MediaTime(value: 1, timescale: 4)
        var planner = LimitPlanner(limits: [], coarsest: 51)
        #expect(planner.step(pace: pace, awake: pace) == pace)
        planner.noteInput(at: .zero)
        for index in 0..<9 { planner.noteInput(at: MediaTime(value: Int64(720 + index), timescale: 60)) }
        #expect(planner.step(pace: pace, awake: pace) == MediaTime(value: 1, timescale: 60))
        #expect(
            planner.step(pace: MediaTime(value: 1, timescale: 120), awake: pace) == MediaTime(value: 1, timescale: 120))
        var bursts = LimitPlanner(limits: [], coarsest: 51)
        for index in 0..<40 {
            bursts.noteInput(at: MediaTime(value: Int64(index / 8 * 1000 + index % 8), timescale: 1000))
        }
        #expect(bursts.step(pace: pace, awake: pace) == MediaTime(value: 125, timescale: 1000))
    }

    @Test("an encoder that was told quantizers for long chooses one again, where half of a window is free")
    func outdated() {
        var planner = LimitPlanner(limits: [DataRateLimit(bytes: 10_000, seconds: 1)], coarsest: 51)
        planner.note(.init(bytes: 3000, quantizer: 22, isSync: true))
        planner.note(.init(bytes: 5000, quantizer: 22))
        func chosen() -> Int? {
            planner.quantizer(in: 0, at: .zero, step: Self.step, isSync: false, inside: [], bytesInside: 0)
        }
        for _ in 0..<16 {
            #expect((chosen() ?? 0) > 22)
            planner.note(.init(bytes: 100, quantizer: 40, isTold: true))
        }
        #expect(chosen() == nil)
        // What it chooses now counts alone.
        planner.note(.init(bytes: 200, quantizer: 30))
        #expect(planner.sizes.usual?.bytes == 200 && planner.sizes.largestQuantizer == 30)
        for _ in 0..<16 { planner.note(.init(bytes: 100, quantizer: 40, isTold: true)) }
        planner.note(.init(bytes: 5000, quantizer: 22))
        for _ in 0..<16 { planner.note(.init(bytes: 100, quantizer: 40, isTold: true)) }
        planner.count(.init(bytes: 6000, era: 0, time: .zero))
        #expect((chosen() ?? 0) > 22)
    }

    @Test("a source that rests is reckoned with as if it were awake, a slow one as it is")
    func resting() {
        let (resting, slow, awake) = (
            MediaTime(value: 5, timescale: 1), MediaTime(value: 1, timescale: 4), MediaTime(value: 1, timescale: 30)
        )
        let planner = LimitPlanner(limits: [], coarsest: 51)
        #expect(planner.step(pace: resting, awake: awake) == awake)
        #expect(planner.step(pace: resting, awake: resting) == resting)
        #expect(planner.step(pace: slow, awake: awake) == slow)
    }
}

extension LimitPlanner {
    fileprivate func quantizer(
        in era: Int, at time: MediaTime, step: MediaTime, isSync: Bool, inside: [Counted]
    ) -> Int? {
        quantizer(
            in: era, at: time, step: step, isSync: isSync, inside: inside,
            bytesInside: inside.reduce(0) { $0 + $1.bytes })
    }
}
