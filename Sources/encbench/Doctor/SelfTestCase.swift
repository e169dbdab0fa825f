// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderBench

/// What an encoder on a device is tried with: pure.
struct SelfTestCase: Equatable, Sendable {
    /// What is done behind half of the pictures.
    enum Change: Equatable, Sendable {
        case bitRate(Int)
        case keyFrame
        case size(width: Int, height: Int)
    }

    /// "8 bit, qp 30".
    let name: String
    var bitDepth = 8
    let rate: RateControl
    var width: Int
    var height: Int
    var frameCount = 10
    var change: Change?
    /// Whether the pictures are written to the device's own surfaces.
    var usesSurfaces = false
    /// Whether those surfaces are given as the DMA-BUFs that they are exported as.
    var usesDMABufs = false

    /// The number of the picture that ``change`` comes before.
    var changeIndex: Int { frameCount / 2 }
    /// Whether pictures are so hard to code that only a bit rate limits them.
    var isBusy: Bool {
        if case .bitRate = change { true } else { false }
    }
    /// Luma below so many dB is no rendering of what was given; nil where the bit rate allows no better.
    var leastPSNR: Double? { isBusy ? nil : 24 }

    /// All that an encoder has the settings and the sizes for: first each bit depth at each kind of rate, then what
    /// comes up in use.
    static func all(of encoder: EncoderDescription) -> [SelfTestCase] {
        let capabilities = encoder.capabilities
        let (widths, heights) = (capabilities.codedWidths, capabilities.codedHeights)
        func bounded(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
            (
                min(max(width, widths.lowerBound), widths.upperBound),
                min(max(height, heights.lowerBound), heights.upperBound)
            )
        }
        let usual = bounded(320, 240)
        let rates = rates.filter { capabilities.settings.contains($0.needs) }.map(\.rate)
        var cases: [SelfTestCase] = []
        for depth in capabilities.bitDepths.sorted() where depth <= 10 {
            for rate in rates {
                cases.append(
                    SelfTestCase(
                        name: "\(depth) bit, \(rate.label)", bitDepth: depth, rate: rate, width: usual.width,
                        height: usual.height))
            }
        }
        guard let first = rates.first else { return cases }
        func add(_ name: String, _ rate: RateControl = first, _ set: (inout SelfTestCase) -> Void) {
            var test = SelfTestCase(name: name, rate: rate, width: usual.width, height: usual.height)
            set(&test)
            cases.append(test)
        }
        if widths.contains(1920), heights.contains(1088) {
            add("1920x1080, \((rates.last ?? first).label)", rates.last ?? first) { test in
                (test.width, test.height) = (1920, 1080)
            }
        }
        add("300 pictures") { $0.frameCount = 300 }
        if capabilities.settings.contains(.forceKeyFrame) { add("forced key frame") { $0.change = .keyFrame } }
        if capabilities.settings.contains(.averageBitRate) {
            add("bit rate four times as high", .averageBitRate(500_000)) { test in
                (test.change, test.frameCount) = (.bitRate(2_000_000), 100)
            }
        }
        let other = bounded(256, 192)
        if other != usual { add("another size") { $0.change = .size(width: other.width, height: other.height) } }
        let kinds = capabilities.directPictureKinds
        if kinds.contains(.surface) { add("pictures in surfaces") { $0.usesSurfaces = true } }
        if kinds.contains(.surface), kinds.contains(.dmaBuf) {
            add("pictures in DMA-BUFs") { ($0.usesSurfaces, $0.usesDMABufs) = (true, true) }
        }
        return cases
    }

    /// The order in which cases of several encoders are tried: the first of each encoder, then the second of each, and
    /// so on; encoders with fewer cases than others drop out earlier.
    static func inRounds<Trial>(_ trials: [[Trial]]) -> [Trial] {
        let longest = trials.map(\.count).max() ?? 0
        return (0..<longest).flatMap { round in
            trials.compactMap { $0.indices.contains(round) ? $0[round] : nil }
        }
    }

    private static let rates: [(needs: Setting, rate: RateControl)] = [
        (.constantQuantizer, .constantQuantizer(30)), (.quality, .quality(0.5)),
        (.averageBitRate, .averageBitRate(1_000_000)),
    ]
}
