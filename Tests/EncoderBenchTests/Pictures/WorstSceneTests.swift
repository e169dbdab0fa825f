// SPDX-License-Identifier: MIT

import Glibc
@testable import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct WorstSceneTests {
    private let score = Score.named("psnr_y_db")

    /// An encode whose frames have so many dB each.
    private func encode(_ decibels: [Double?], rate: String = "crf 25", bitsPerSecond: Double = 1000)
        -> WorstScene.Encode
    {
        let errors = decibels.map { $0.map { $0 == .infinity ? 0 : 255 * 255 / pow(10, $0 / 10) } }
        let count = decibels.count
        return WorstScene.Encode(
            rate: rate, bitsPerSecond: bitsPerSecond,
            frames: FrameTable(
                bitDepth: 8, bytes: [Int](repeating: 1, count: count), types: [String](repeating: "p", count: count),
                isSync: [Bool](repeating: false, count: count), values: ["mse_y": errors]))
    }

    private func scenes(
        _ anchors: [WorstScene.Encode], _ tests: [WorstScene.Encode], framesPerSecond: Double
    ) throws -> [WorstScene] {
        WorstScene.all(
            anchors: anchors, tests: tests, score: try #require(score), framesPerSecond: framesPerSecond)
    }

    @Test("scenes are those in which the other curve loses most, worst first, with their times and worst frames")
    func order() throws {
        var decibels = [Double?](repeating: 41, count: 40)
        for (frame, value) in [(12, 39), (13, 37), (30, 33), (31, 38)] { decibels[frame] = Double(value) }
        let found = try scenes(
            [encode([Double?](repeating: 40, count: 40))], [encode(decibels, rate: "crf 26")], framesPerSecond: 2)
        #expect(found.map(\.firstFrame) == [30, 12] && found.map(\.worstFrame) == [30, 13])
        #expect(found.map(\.seconds) == [15, 6] && found.map(\.duration) == [1, 1])
        #expect(found.map { $0.change.rounded(toTenths: ()) } == [-4.5, -2])
        #expect(found[0].anchorRate == "crf 25" && found[0].testRates == ["crf 26"])
    }

    @Test("a scene is a second long, or a quarter of a shorter clip, and no two have a frame in common")
    func lengths() throws {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let count = Int.random(in: 1...60, using: &random)
            let rate = Double(Int.random(in: 1...12, using: &random))
            func curve() -> [Double?] { (0..<count).map { _ in Double.random(in: 30...50, using: &random) } }
            let (own, other) = (curve(), curve())
            let found = try scenes([encode(own)], [encode(other)], framesPerSecond: rate)
            let length = max(min(Int(rate), count / 4), 1)
            #expect((1...3).contains(found.count) && found.allSatisfy { $0.frames == length })
            func change(_ start: Int) -> Double {
                let changes: [Double] = (start..<start + length).map { (other[$0] ?? 0) - (own[$0] ?? 0) }
                return changes.reduce(0, +) / Double(length)
            }
            let all = (0...count - length).map(change)
            #expect(abs((found.first?.change ?? 0) - (all.min() ?? 0)) < 1e-9)
            for (place, scene) in found.enumerated() {
                #expect(abs(scene.change - change(scene.firstFrame)) < 1e-9 && (scene.change < 0 || found.count == 1))
                #expect((scene.firstFrame..<scene.firstFrame + length).contains(scene.worstFrame))
                #expect(found[..<place].allSatisfy { abs($0.firstFrame - scene.firstFrame) >= length })
                #expect(place == 0 || found[place - 1].change <= scene.change)
            }
        }
    }

    @Test("each frame is compared at the anchor's bit rate, between the two encodes next to it")
    func interpolation() throws {
        let anchor = encode([40, 40, 40, 40], bitsPerSecond: 2000)
        let tests = [
            encode([44, 44, 44, 42], rate: "crf 20", bitsPerSecond: 4000),
            encode([36, 36, 36, 38], rate: "crf 30", bitsPerSecond: 1000),
            encode([10, 10, 10, 10], rate: "crf 50", bitsPerSecond: 100),
        ]
        // 2000 is as far from 1000 as from 4000, along the logarithm.
        let scene = try #require(try scenes([anchor], tests, framesPerSecond: 25).first)
        #expect(scene.testRates == ["crf 30", "crf 20"] && scene.bitsPerSecond == 2000)
        #expect(abs(scene.testQuality - 40) < 1e-9 && abs(scene.change) < 1e-9)
        let low = encode([40, 40, 40, 40], bitsPerSecond: 50)
        let beyond = try #require(try scenes([low], [tests[2]], framesPerSecond: 25).first)
        #expect(beyond.testRates == ["crf 50"] && abs(beyond.change + 30) < 1e-9)
    }

    @Test("frames that equal their sources count as 100, and frames without values give nothing")
    func edges() throws {
        let found = try scenes([encode([.infinity, 40])], [encode([.infinity, 41])], framesPerSecond: 25)
        #expect(found.map(\.firstFrame) == [0] && found[0].change == 0 && found[0].anchorQuality == 100)
        #expect(try scenes([encode([40, nil])], [encode([40, 40])], framesPerSecond: 25).isEmpty)
        #expect(try scenes([encode([40])], [encode([40, 40])], framesPerSecond: 25).isEmpty)
        #expect(try scenes([encode([40])], [], framesPerSecond: 25).isEmpty)
        #expect(try scenes([encode([])], [encode([])], framesPerSecond: 25).isEmpty)
        #expect(try scenes([encode([40])], [encode([40])], framesPerSecond: 0).isEmpty)
    }
}

extension Double {
    fileprivate func rounded(toTenths: Void) -> Double { (self * 10).rounded() / 10 }
}
