// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct EvenTimesTests {
    /// Rates as fractions.
    private static let rates = [
        (24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (60_000, 1001), (60, 1), (15, 1), (120, 1),
    ]

    /// Times of a rate in ticks, rounded as some writer of files does.
    private func times(
        _ rate: (Int, Int), count: Int = 200, timescale: Int32 = 1000, start: Double = 0,
        _ rule: FloatingPointRoundingRule
    ) -> [MediaTime] {
        (0..<count).map { number in
            let seconds = start + Double(number * rate.1) / Double(rate.0)
            // What is exact in decimals must not fall below itself.
            let ticks = (seconds * Double(timescale) * 1e6).rounded() / 1e6
            return MediaTime(value: Int64(ticks.rounded(rule)), timescale: timescale)
        }
    }

    @Test(
        "whole milliseconds are those of the rate that they were rounded from, however that was done", arguments: rates)
    func milliseconds(rate: (Int, Int)) {
        var random = SeededGenerator()
        let exact = FrameRate(numerator: rate.0, denominator: rate.1)
        for rule in [FloatingPointRoundingRule.toNearestOrAwayFromZero, .down, .up] {
            for start in [0, 0.08, Double.random(in: 0...1000, using: &random)] {
                let times = times(rate, start: start, rule).shuffled(using: &random)
                #expect(EvenTimes.rate(of: times, stated: exact) == exact, "\(rule) from \(start)")
                // Where the file states a mean that is not quite it, a usual rate is found.
                let other = EvenTimes.rate(
                    of: times, stated: FrameRate(numerator: rate.0 * 103, denominator: rate.1 * 100))
                #expect(other == exact, "\(rule) from \(start)")
            }
        }
    }

    @Test("rates that differ by a thousandth are told apart by clips of some seconds")
    func neighbors() {
        let broadcast = times((30_000, 1001), .toNearestOrAwayFromZero)
        #expect(EvenTimes.rate(of: broadcast, stated: 30) == FrameRate(numerator: 30_000, denominator: 1001))
        #expect(EvenTimes.rate(of: times((30, 1), .toNearestOrAwayFromZero), stated: 29.97) == 30)
        // Of a few pictures both are true, and the file decides.
        let few = times((30_000, 1001), count: 5, .toNearestOrAwayFromZero)
        #expect(EvenTimes.rate(of: few, stated: 30) == 30)
    }

    @Test("times that are exact in finer ticks are even too")
    func fineTicks() {
        // The last has ticks as long as pictures, as FFmpeg reads Y4M.
        for (timescale, rate) in [
            (90_000, (25, 1)), (12_800, (25, 1)), (30_000, (30_000, 1001)), (25, (25, 1)),
        ] {
            let times = times(rate, timescale: Int32(timescale), .toNearestOrAwayFromZero)
            let exact = FrameRate(numerator: rate.0, denominator: rate.1)
            #expect(EvenTimes.rate(of: times, stated: exact) == exact)
        }
    }

    @Test("a rate that varies, a picture that is missing, doubled or late by more than rounding is none")
    func uneven() {
        let even = times((25, 1), .toNearestOrAwayFromZero)
        func with(_ change: (inout [MediaTime]) -> Void) -> FrameRate? {
            var times = even
            change(&times)
            return EvenTimes.rate(of: times, stated: 25)
        }
        #expect(with { _ in } == 25)
        #expect(with { $0.remove(at: 90) } == nil)
        #expect(with { $0[90] = $0[89] } == nil)
        for late in [-2, 2, 7] as [Int64] {
            #expect(with { $0[90] = $0[90] + MediaTime(value: late, timescale: 1000) } == nil)
        }
        #expect(with { for index in 100..<200 { $0[index] = $0[index] + MediaTime(value: 4, timescale: 1000) } } == nil)
        let quadratic = (0..<50).map { MediaTime(value: Int64($0 * $0 * 10), timescale: 1000) }
        #expect(EvenTimes.rate(of: quadratic, stated: 25) == nil)
    }

    @Test(
        "too few pictures, ticks as long as pictures, and rates that no session takes or no clip has, are none",
        arguments: [
            ([], 25, 1000), ([40], 25, 1000), ([0, 1, 2, 4], 25, 25), ([0, 0, 0], 25, 1000),
            ([0, 4, 8, 13], 250, 1000),
            ([0, 40, 81, .max / 2000], 25, 1000), ([0, 7, 15], -25, 1000),
        ] as [([Int64], Int, Int32)])
    func hostile(ticks: [Int64], rate: Int, timescale: Int32) {
        let times = ticks.map { MediaTime(value: $0, timescale: timescale) }
        #expect(EvenTimes.rate(of: times, stated: FrameRate(numerator: rate)) == nil)
    }

    /// Gives one picture at each of some times.
    private final class Pictures: VideoSource {
        let info = VideoSourceInfo(formatName: "", pixelFormat: .i420, width: 2, height: 2, timescale: 1000)
        var byteOffset: Int64 { 0 }
        private var rest: ArraySlice<MediaTime>
        private let picture: PixelBuffer

        init(_ times: [MediaTime]) throws {
            rest = times[...]
            picture = PixelBuffer(try MutablePixelBuffer(format: .i420, width: 2, height: 2))
        }

        func next() -> SourceFrame? {
            rest.popFirst().map { SourceFrame(picture: picture, presentationTime: $0, duration: nil) }
        }
    }

    @Test("a source is given the exact times, from 0 on, and a picture that is missing leaves its gap")
    func source() throws {
        var times = times((30_000, 1001), count: 60, start: 0.5, .toNearestOrAwayFromZero)
        times.remove(at: 40)
        let rate = FrameRate(numerator: 30_000, denominator: 1001)
        let source = EvenlyTimedSource(try Pictures(times), rate: rate)
        #expect(source.info.frameRate == rate && source.info.isConstantRate)
        var given: [MediaTime] = []
        while let frame = try source.next() {
            given.append(frame.presentationTime)
            #expect(frame.duration == MediaTime(value: 1001, timescale: 30_000))
        }
        let numbers = (0..<60).filter { $0 != 40 }
        #expect(given == numbers.map { MediaTime(value: Int64($0 * 1001), timescale: 30_000) })
    }

    @Test("a file's times are read from its packets, and a file without any has no rate")
    func file() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(Array("no video".utf8), to: "x.mkv")
            let found = try EvenTimes.rate(ofFile: path, stated: 25, frameLimit: nil, interruption: OneShotEvent())
            #expect(found == nil)
        }
    }
}
