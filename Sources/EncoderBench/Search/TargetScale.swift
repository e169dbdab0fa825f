// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
import Glibc

/// The settings that a search goes through.
package enum TargetScale: String, CaseIterable, Sendable {
    /// Constant rate factors in quarters.
    case crf
    /// Quantizers.
    case qp
    /// Mean bit rates, each 2.2 % or 1 kbit/s more than the one before.
    case bitRate = "bit-rate"

    /// The scale of an encoder's own default curve.
    package init(of kind: EncoderKind) {
        switch kind.rates.first {
        case .constantRateFactor: self = .crf
        case .constantQuantizer: self = .qp
        default: self = .bitRate
        }
    }

    /// All settings, the one of least quality first.
    package var settings: [RateControl] {
        switch self {
        case .crf: (0...204).map { .constantRateFactor(51 - Double($0) / 4) }
        case .qp: (0...51).map { .constantQuantizer(51 - $0) }
        case .bitRate: Self.bitRates.map(RateControl.averageBitRate)
        }
    }

    /// From 20 kbit/s to 655 Mbit/s, in whole kbit/s, which is what the libraries' programs take.
    private static let bitRates: [Int] = {
        let rates = (0...480).map { Int((20 * pow(2, Double($0) / 32)).rounded()) * 1000 }
        return zip([0] + rates, rates).filter { $0 < $1 }.map(\.1)
    }()

    /// From one setting to the next, in words.
    package var step: String {
        switch self {
        case .crf: "steps of 0.25"
        case .qp: "steps of 1"
        case .bitRate: "steps of 2.2 % or 1 kbit/s"
        }
    }

    /// How far apart the first trials are: about where the bits double.
    package var stride: Int {
        switch self {
        case .crf: 24
        case .qp: 6
        case .bitRate: 32
        }
    }

    /// Where to begin, for a clip of so many samples a second.
    package func first(for kind: EncoderKind, samplesPerSecond: Double) -> Int {
        let usual: RateControl =
            switch self {
            case .crf: kind.rates.contains(.constantRateFactor(26)) ? .constantRateFactor(26) : .constantRateFactor(25)
            case .qp: .constantQuantizer(28)
            case .bitRate: .automatic
            }
        if let place = settings.firstIndex(of: usual) { return place }
        // A twentieth of a bit for each sample is a middling quality of most clips.
        return Self.bitRates.firstIndex { Double($0) >= samplesPerSecond / 20 } ?? 0
    }
}
