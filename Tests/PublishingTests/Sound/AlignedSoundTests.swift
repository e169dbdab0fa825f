// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import Publishing

@Suite struct AlignedSoundTests {
    private let rate = 48_000
    /// The sample frame whose number is full scale: each has its number on the left, with a minus on the right.
    private let scale: Float = 65_536

    private func sound(isStretched: Bool = true) throws -> AlignedSound {
        try AlignedSound(sampleRate: rate, outputRate: rate, channelCount: 2, base: .zero, isStretched: isStretched)
    }

    private func samples(_ frames: Range<Int64>) -> ArraySlice<Float> {
        frames.flatMap { [Float($0) / scale, -Float($0) / scale] }[...]
    }

    private func time(_ frame: Int64) -> MediaTime { MediaTime(value: frame, timescale: Int32(rate)) }

    /// What comes out by exact arithmetic: the number of the sample frame at each place, nil for silence.
    private struct Model {
        var aligner: AudioAligner
        var numbers: [Double?] = []

        mutating func add(_ frames: Range<Int64>, at time: MediaTime) throws {
            var next = frames.lowerBound
            for action in try aligner.align(frameCount: frames.count, at: time) {
                switch action {
                case .silence(let count): numbers += [Double?](repeating: nil, count: count)
                case .drop(let count): next += Int64(count)
                case .take(let count, let outputCount):
                    numbers += (0..<outputCount).map { Double(next) + Double($0 * count) / Double(outputCount) }
                    next += Int64(count)
                }
            }
        }
    }

    @Test(
        "behind silence, surpluses and stretching of any lengths each sample frame is within three of its place",
        .inTurn(),
        arguments: [(1, 20), (1, 255), (256, 3000), (1, 3000)])
    func places(shortest: Int64, longest: Int64) throws {
        var random = SeededGenerator()
        for round in 0..<4 {
            let sound = try sound()
            var model = Model(aligner: sound.aligner)
            var made: [Float] = []
            var (frame, clock): (Int64, Int64) = (0, Int64.random(in: -500...500, using: &random))
            while frame < 60_000 {
                let count = Int64.random(in: shortest...longest, using: &random)
                try sound.add(samples(frame..<frame + count), at: time(clock)) { made += $0 }
                try model.add(frame..<frame + count, at: time(clock))
                (frame, clock) = (frame + count, clock + count)
                switch Int.random(in: 0..<max(8, 8000 / Int(longest)), using: &random) {
                case 0: clock += Int64.random(in: 1...4000, using: &random)
                case 1: clock -= min(count - 1, Int64.random(in: 0...4000, using: &random))
                case 2: clock += Int64.random(in: 0...3, using: &random)
                default: break
                }
            }
            try sound.finish { made += $0 }
            #expect(sound.aligner.position == Int64(model.numbers.count))
            let surplus = made.count / 2 - model.numbers.count
            #expect(abs(surplus) <= 1, "round \(round): \(surplus) sample frames too many")
            var wrong: (place: Int, expected: Double?, left: Float, right: Float)?
            // The converter's filter rounds off what is beside a step.
            let reach = 40
            for place in model.numbers.indices.dropFirst(reach).dropLast(reach) where place * 2 + 1 < made.count {
                let (first, last) = (model.numbers[place - reach], model.numbers[place + reach])
                let (left, right) = (made[place * 2] * scale, made[place * 2 + 1] * scale)
                let expected = model.numbers[place]
                let isSmooth =
                    if let first, let last { abs(last - first - 2 * Double(reach)) < 2 && expected != nil } else {
                        model.numbers[(place - reach)...(place + reach)].allSatisfy { $0 == nil }
                    }
                let number = expected ?? 0
                guard isSmooth, abs(Double(left) - number) > 3 || abs(Double(right) + number) > 3 else { continue }
                wrong = (place, expected, left, right)
                break
            }
            #expect(wrong == nil, "round \(round)")
        }
    }

    @Test(
        "behind silence of any length, each sample frame of sound without drift is in its place, to a tenth of one",
        .inTurn())
    func exactPlaces() throws {
        var random = SeededGenerator()
        for round in 0..<4 {
            let sound = try sound()
            var model = Model(aligner: sound.aligner)
            var made: [Float] = []
            // Numbers begin high, so that silence is told from sound.
            var frame: Int64 = 10_000
            for number in 0..<40 {
                let count = Int64.random(in: 600...1200, using: &random)
                // Silence of any length before the first block, and of lengths that are odd and even behind each third.
                let gap = number == 0 ? 0...500 : number % 3 == 0 ? 1201...4000 : 0...0 as ClosedRange<Int64>
                let start = time(model.aligner.position + Int64.random(in: gap, using: &random))
                try sound.add(samples(frame..<frame + count), at: start) { made += $0 }
                try model.add(frame..<frame + count, at: start)
                frame += count
            }
            try sound.finish { made += $0 }
            try #require(model.aligner.stretchedFrames == 0 && model.aligner.silentFrames > 10_000)
            #expect(made.count == model.numbers.count * 2, "round \(round)")
            let wrong = model.numbers.indices.dropFirst(40).dropLast(40).first { place in
                let beside = model.numbers[place - 40...place + 40]
                let isWhole = beside.allSatisfy { $0 == nil } || beside.allSatisfy { $0 != nil }
                let isEdge = !isWhole && (model.numbers[place - 4] == nil) != (model.numbers[place + 4] == nil)
                let expected = model.numbers[place] ?? 0
                let (left, right) = (Double(made[place * 2] * scale), Double(made[place * 2 + 1] * scale))
                // Up to 40 sample frames from the edge of silence the converter's filter rings.
                let tolerance = isWhole ? 0.1 : 4000
                return !isEdge && (abs(left - expected) > tolerance || abs(right + expected) > tolerance)
            }
            #expect(wrong == nil, "round \(round): \(wrong.map { made[$0 * 2] * scale } ?? 0)")
        }
    }

    @Test("a gap of an hour comes in small pieces", .inTurn(), arguments: [true, false])
    func longGap(isStretched: Bool) throws {
        let sound = try sound(isStretched: isStretched)
        var (largest, count) = (0, 0)
        for start in [0, 3600 * 48_000 + 500] as [Int64] {
            try sound.add(samples(start..<start + 500), at: time(start)) { piece throws(PublishingError) in
                largest = max(largest, piece.count)
                count += piece.count
            }
        }
        #expect(largest < 10_000 && count > 3599 * 96_000)
    }

    @Test("without stretching, what comes out is what was given, to the sample")
    func unstretched() throws {
        let sound = try sound(isStretched: false)
        var made: [Float] = []
        for start in stride(from: 0, to: 5000, by: 500) as StrideTo<Int64> {
            try sound.add(samples(start..<start + 500), at: nil) { made += $0 }
        }
        try sound.finish { made += $0 }
        #expect(made[...] == samples(0..<5000))
    }
}
