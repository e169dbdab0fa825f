// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct TargetSearchTests {
    /// Searches a whole curve.
    private func search(_ curve: [Double], goal: Double, first: Int, stride: Int) throws -> TargetSearch {
        var search = TargetSearch(count: curve.count, goal: goal, first: first, stride: stride)
        while let index = search.next {
            #expect(curve.indices.contains(index) && search.tried[index] == nil, "\(index) again")
            try #require(search.tried.count < 40)
            search.add(curve[index], of: index)
        }
        return search
    }

    /// A rising curve as metrics have them: straight, bent, or flat at both ends.
    private func curve(count: Int, using random: inout SeededGenerator) -> [Double] {
        let (low, high) = (Double.random(in: 10...40, using: &random), Double.random(in: 60...100, using: &random))
        let (bend, kind) = (Double.random(in: 0.3...3, using: &random), Int.random(in: 0..<3, using: &random))
        return (0..<count).map { index in
            let x = Double(index) / Double(count - 1)
            let y = kind == 0 ? x : (kind == 1 ? pow(x, bend) : (tanh((x - 0.4) * 5) + 1) / 2)
            return low + (high - low) * y + Double(index) * 1e-6
        }
    }

    @Test("on any rising curve the answer is the first setting that reaches the goal, after a handful of trials")
    func rising() throws {
        var random = SeededGenerator()
        var trials: [Int] = []
        for _ in 0..<2000 {
            let scale = TargetScale.allCases.randomElement(using: &random) ?? .crf
            let curve = curve(count: scale.settings.count, using: &random)
            let goal = Double.random(in: curve[0] - 5...curve[curve.count - 1] + 5, using: &random)
            let first = Int.random(in: curve.count / 4..<curve.count * 3 / 4, using: &random)
            let search = try search(curve, goal: goal, first: first, stride: scale.stride)
            if let index = curve.firstIndex(where: { $0 >= goal }) {
                #expect(search.outcome == .reached(index))
                #expect(index == 0 || search.tried[index - 1].map { $0 < goal } == true)
            } else {
                #expect(search.outcome == .unreachable(best: curve.count - 1))
            }
            trials.append(search.tried.count)
        }
        let mean = Double(trials.reduce(0, +)) / Double(trials.count)
        #expect(mean < 7 && trials.max() ?? 0 <= 14, "\(mean), \(trials.max() ?? 0)")
    }

    @Test("on a curve that also falls, the answer reaches the goal and the setting before it was tried and does not")
    func nearlyRising() throws {
        var random = SeededGenerator()
        for _ in 0..<2000 {
            let noise = Double.random(in: 0...8, using: &random)
            var curve = curve(count: Int.random(in: 1...205, using: &random) + 1, using: &random)
            for index in curve.indices { curve[index] += Double.random(in: -noise...noise, using: &random) }
            if Bool.random(using: &random) { curve[curve.count - 1] = .infinity }
            let goal = Double.random(in: 0...110, using: &random)
            let first = Int.random(in: -3..<curve.count + 3, using: &random)
            let search = try search(curve, goal: goal, first: first, stride: Int.random(in: 1...40, using: &random))
            switch try #require(search.outcome) {
            case .reached(let index):
                #expect(curve[index] >= goal)
                #expect(index == 0 || search.tried[index - 1].map { $0 < goal } == true)
            case .unreachable(let best):
                #expect(search.tried[curve.count - 1] != nil && curve[best] < goal)
                #expect(search.tried.values.allSatisfy { $0 <= curve[best] })
            }
        }
    }

    @Test("scales rise from setting to setting, and the first trial is in the middle of what people use")
    func scales() {
        #expect(TargetScale.crf.settings.first == .constantRateFactor(51))
        #expect(TargetScale.crf.settings[1] == .constantRateFactor(50.75))
        #expect(TargetScale.qp.settings.last == .constantQuantizer(0))
        let rates = TargetScale.bitRate.settings.compactMap { setting -> Int? in
            guard case .averageBitRate(let rate) = setting else { return nil }
            return rate
        }
        #expect(rates.allSatisfy { $0 % 1000 == 0 } && rates[0] == 20_000 && rates.last == 655_360_000)
        for (rate, next) in zip(rates, rates.dropFirst()) {
            // A step of 2.2 % is rounded to whole kbit/s.
            let limit = max(rate / 33, 2000)
            #expect(next > rate && next - rate <= limit, "\(rate), \(next)")
        }
        for (kind, scale, usual) in [
            (EncoderKind.x264, TargetScale.crf, RateControl.constantRateFactor(25)),
            (.x265, .crf, .constantRateFactor(26)),
            (.openh264, .qp, .constantQuantizer(28)), (.x264, .bitRate, .averageBitRate(462_000)),
        ] {
            #expect(scale.settings[scale.first(for: kind, samplesPerSecond: 640 * 360 * 40)] == usual)
        }
        #expect(TargetScale(of: .x265) == .crf && TargetScale(of: .vaapi) == .qp)
        #expect(TargetScale.bitRate.first(for: .x264, samplesPerSecond: 1) == 0)
    }
}
