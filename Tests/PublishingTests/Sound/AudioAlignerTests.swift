// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

@Suite struct AudioAlignerTests {
    private let rate = 48_000
    private let base = MediaTime(value: 1000, timescale: 1)

    private func aligner(stretch: Double = 0.001) throws -> AudioAligner {
        var limits = AudioAligner.Limits()
        limits.largestStretch = stretch
        limits.longestGap = .seconds(48 * 3600)
        return try AudioAligner(sampleRate: rate, base: base, limits: limits)
    }

    /// When sample frame number `frame`, counted from the base, was recorded.
    private func time(_ frame: Int64) -> MediaTime { base + MediaTime(value: frame, timescale: Int32(rate)) }

    @Test("sound before the first picture is cut to the sample")
    func cut() throws {
        var aligner = try aligner()
        #expect(try aligner.align(frameCount: 480, at: time(-1000)) == [.drop(frameCount: 480)])
        #expect(try aligner.align(frameCount: 480, at: time(-520)) == [.drop(frameCount: 480)])
        #expect(
            try aligner.align(frameCount: 480, at: time(-41)) == [
                .drop(frameCount: 41), .take(frameCount: 439, outputCount: 439),
            ])
        #expect(aligner.position == 439 && aligner.earlyFrames == 1001 && aligner.surplusFrames == 0)
        #expect(aligner.time == time(439))
    }

    @Test("sound that begins late begins in its place")
    func late() throws {
        var aligner = try aligner()
        #expect(
            try aligner.align(frameCount: 480, at: time(123)) == [
                .silence(frameCount: 123), .take(frameCount: 480, outputCount: 480),
            ])
    }

    @Test(
        "a gap above 25 ms becomes silence until 10 ms remain, in whole sample frames",
        arguments: [(1200, 0), (1201, 721), (4801, 4321), (48_000 * 3600 * 30, 48_000 * 3600 * 30 - 480)]
            as [(Int64, Int)])
    func gap(frames: Int64, silence: Int) throws {
        var aligner = try aligner(stretch: 0)
        _ = try aligner.align(frameCount: 4800, at: time(0))
        let actions = try aligner.align(frameCount: 480, at: time(4800 + frames))
        let taken = AudioAligner.Action.take(frameCount: 480, outputCount: 480)
        #expect(actions == (silence == 0 ? [taken] : [.silence(frameCount: silence), taken]))
        #expect(aligner.silentFrames == Int64(silence) && aligner.position == Int64(5280 + silence))
    }

    @Test(
        "a surplus above 25 ms is left out until 10 ms remain, over several blocks if it must",
        arguments: [(1200, []), (1201, [480, 241]), (1440, [480, 480])] as [(Int64, [Int])])
    func surplus(frames: Int64, drops: [Int]) throws {
        var aligner = try aligner(stretch: 0)
        _ = try aligner.align(frameCount: 4800, at: time(0))
        var dropped: [Int] = []
        for block in 0..<4 as Range<Int64> {
            for case .drop(let count) in try aligner.align(frameCount: 480, at: time(4800 - frames + block * 480)) {
                dropped.append(count)
            }
        }
        #expect(dropped == drops && aligner.surplusFrames == Int64(drops.reduce(0, +)))
    }

    @Test(
        "a sound card 200 ppm fast or slow stays within 2 ms for an hour, without silence or a drop",
        arguments: [-200.0, 200])
    func drift(partsPerMillion: Double) throws {
        var aligner = try aligner()
        var worst = 0.0
        var given: Int64 = 0
        for block in 0..<168_750 {
            // The card takes a little more or less than 1024 / 48,000 s for a block; its times tremble by 2 ms.
            let recorded = Double(block) * 1024 / (Double(rate) * (1 + partsPerMillion / 1e6))
            let jitter = Double(block % 7 - 3) / 3 * 0.002
            let time =
                base + MediaTime(seconds: recorded + (block == 0 ? 0 : jitter), preferredTimescale: 1_000_000_000)
            let before = aligner.position
            let actions = try aligner.align(frameCount: 1024, at: time)
            guard case .take(1024, let count) = actions.first, actions.count == 1 else {
                Issue.record("block \(block): \(actions)")
                return
            }
            #expect(abs(count - 1024) <= 2)
            given += 1024
            worst = max(worst, abs(Double(before) / Double(rate) - recorded))
        }
        #expect(worst < 0.002)
        #expect(abs(Double(aligner.stretchedFrames) + partsPerMillion / 1e6 * Double(given)) < 96)
    }

    @Test(
        "sound cards as fast or slow as stretching reaches stay within 5 ms for six hours, without silence or a drop",
        arguments: Sample.of(
            [-200.0, 200, -900, 900].flatMap { drift in [44_100, 48_000, 11_025].map { (drift, $0) } }
        ) { ["\($0)", "\($1)"] })
    func sampledLongDrift(partsPerMillion: Double, rate: Int) throws {
        var card = try Card(partsPerMillion: partsPerMillion, rate: rate)
        while card.recorded < 6 * 3600 {
            guard case .take(1024, _)? = try card.record().first, card.distance < 0.005 else {
                Issue.record("\(card.distance) s at \(card.recorded) s")
                return
            }
        }
        let aligner = card.aligner
        #expect(aligner.silentFrames == 0 && aligner.surplusFrames == 0 && aligner.earlyFrames == 0)
        // All that the card is wrong by was evened out, but for what the distance still is.
        let wrong = Double(card.frameCount) - 6 * 3600 * Double(rate)
        #expect(abs(Double(aligner.stretchedFrames) + wrong) < 0.005 * Double(rate) + 1024)
    }

    @Test(
        "of a card too fast or slow for stretching, silence and surplus are what stretching leaves",
        arguments: [-3000.0, 3000])
    func beyondStretching(partsPerMillion: Double) throws {
        var card = try Card(partsPerMillion: partsPerMillion, rate: 48_000)
        while card.recorded < 3600 {
            _ = try card.record()
            guard card.distance < 0.0253 else {
                Issue.record("\(card.distance) s at \(card.recorded) s")
                return
            }
        }
        let aligner = card.aligner
        let (added, removed) = (aligner.silentFrames, aligner.surplusFrames)
        #expect(partsPerMillion > 0 ? added == 0 && removed > 0 : added > 0 && removed == 0)
        #expect(card.frameCount + added - removed + aligner.stretchedFrames == aligner.position)
        #expect(abs(Double(aligner.position) - card.recorded * 48_000) < 0.0253 * 48_000)
    }

    /// A sound card that gives blocks of 1024 sample frames, more or fewer of them in a second than it says.
    private struct Card {
        private(set) var aligner: AudioAligner
        private let rate: Double
        private let trueRate: Double
        private(set) var frameCount: Int64 = 0
        /// How far what comes out is from when it was recorded, in seconds.
        private(set) var distance = 0.0

        init(partsPerMillion: Double, rate: Int) throws {
            aligner = try AudioAligner(sampleRate: rate, base: .zero)
            (self.rate, trueRate) = (Double(rate), Double(rate) * (1 + partsPerMillion / 1e6))
        }

        /// How long it has recorded, in seconds.
        var recorded: Double { Double(frameCount) / trueRate }

        mutating func record() throws -> [AudioAligner.Action] {
            let before = recorded
            let time = MediaTime(seconds: before, preferredTimescale: 1_000_000_000)
            defer {
                frameCount += 1024
                distance = abs(Double(aligner.position) / rate - recorded)
            }
            return try aligner.align(frameCount: 1024, at: time)
        }
    }

    @Test("stretching never exceeds a thousandth")
    func largestStretch() throws {
        var aligner = try aligner()
        var output = 0
        for block in 0..<100 as Range<Int64> {
            // All blocks after the first are 24 ms late.
            for case .take(_, let count) in try aligner.align(
                frameCount: 4800, at: time(block * 4800 + (block > 0 ? 1152 : 0)))
            where block > 0 { output += count }
        }
        #expect(output > 99 * 4800 && output <= 99 * 4805)
    }

    @Test("whatever blocks come, all sample frames are used up and what comes out is near its time")
    func random() throws {
        var random = SeededGenerator()
        for _ in 0..<100 {
            var aligner = try aligner()
            var (clock, position, silent): (Int64, Int64, Int64) = (
                Int64.random(in: -5000...5000, using: &random), 0, 0
            )
            for _ in 0..<200 {
                let count = Int.random(in: 1...3000, using: &random)
                let start = clock
                var rest = count
                for action in try aligner.align(frameCount: count, at: time(start)) {
                    switch action {
                    case .silence(let frames):
                        #expect(frames > 0)
                        silent += Int64(frames)
                        position += Int64(frames)
                    case .drop(let frames):
                        #expect(frames > 0)
                        rest -= frames
                    case .take(let frames, let output):
                        #expect(frames > 0 && output > 0)
                        let heard = start + Int64(count - rest)
                        #expect(abs(heard - position) <= 1200)
                        rest -= frames
                        position += Int64(output)
                    }
                }
                #expect(rest == 0 && aligner.position == position && aligner.silentFrames == silent)
                clock += Int64(count)
                if Int.random(in: 0...9, using: &random) == 0 { clock += Int64.random(in: 0...20_000, using: &random) }
                if Int.random(in: 0...9, using: &random) == 0 { clock = max(start + 1, clock - 2400) }
            }
        }
    }

    @Test("blocks that go back, and numbers out of their ranges, are refused by value")
    func refused() throws {
        var aligner = try aligner()
        _ = try aligner.align(frameCount: 480, at: time(0))
        #expect(throws: PublishingError.self) { try aligner.align(frameCount: 480, at: time(0)) }
        #expect(throws: PublishingError.self) { try aligner.align(frameCount: -1, at: time(480)) }
        #expect(throws: PublishingError.self) {
            try aligner.align(frameCount: 1, at: MediaTime(value: 1000 + 48 * 3600 + 1, timescale: 1))
        }
        #expect(throws: PublishingError.self) {
            try aligner.align(frameCount: 1, at: MediaTime(value: -4_000_000_000, timescale: 1))
        }
        #expect(try aligner.align(frameCount: 480, at: time(480)) == [.take(frameCount: 480, outputCount: 480)])
        #expect(throws: PublishingError.self) { try AudioAligner(sampleRate: 0, base: .zero) }
        var limits = AudioAligner.Limits()
        limits.remainder = .milliseconds(26)
        #expect(throws: PublishingError.self) { try AudioAligner(sampleRate: 48_000, base: .zero, limits: limits) }
        for gap in [Duration.seconds(-1), .seconds(3_155_760_001)] {
            limits = AudioAligner.Limits()
            limits.longestGap = gap
            #expect(throws: PublishingError.self) { try AudioAligner(sampleRate: 48_000, base: .zero, limits: limits) }
        }
    }
}
