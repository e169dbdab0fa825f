// SPDX-License-Identifier: MIT

import DequeModule
import Glibc

/// Guesses from the pictures that came out how many bytes the next take: pure.
struct CoarseSizes {
    /// A picture that came out.
    struct Sample {
        var bytes: Int
        /// In the codec's scale at eight bits.
        var quantizer: Double
        var isSync = false
        /// Whether others are predicted from it.
        var isReference = true
        /// Whether the encoder was told the quantizer.
        var isTold = false

        /// A guess, rather too high, of its bytes with a larger quantizer: but for headers, seven steps halve a sync
        /// frame, and five any other picture.
        ///
        /// From 30 to 51, five to seven steps halve a sync frame of four clips of QCIF to 480x270 with x264; eleven one
        /// of 64x64 with x265, which is headers for the most part.
        func bytes(at other: Int) -> Double {
            let headers = Double(min(bytes, isSync ? 40 : 15))
            return headers + (Double(bytes) - headers) * exp2((quantizer - Double(other)) / (isSync ? 7 : 5))
        }

        /// The smallest quantizer that is thought to leave at most so many bytes of it, of which six steps halve them.
        func quantizer(for most: Int) -> Int {
            guard most > 0 else { return .max }
            return Int((quantizer + 6 * log2(Double(max(bytes, 1)) / Double(most))).rounded(.up))
        }
    }

    /// The largest quantizer that pictures may get.
    let coarsest: Int
    /// The last sync frame; nil before the first.
    private(set) var sync: Sample?
    /// The mean of the last pictures that others are predicted from, of those that the encoder chose a quantizer for.
    private(set) var usual: Sample?
    /// The quantizers of the last pictures that the encoder chose one for, eldest first.
    private var quantizers: Deque<Double> = []
    /// The mean bytes of the last pictures that are no sync frames, had they the largest quantizer.
    private var other: Double?
    /// The mean bytes of those of them that the encoder chose a quantizer for.
    private var untold: Double?

    /// Bytes of a sync frame with the largest quantizer, with its margin; 0 where nothing is known.
    private(set) var coarseSync = 0
    /// Bytes of any other picture with the largest quantizer; 0 where nothing is known.
    private(set) var coarseOther = 0

    /// How many times its guess a sync frame may take.
    private static let syncMargin = 1.25
    /// A picture that is predicted is thought to take such a share of a sync frame while none has come out.
    private static let firstShare = 1.0 / 8

    init(coarsest: Int) { self.coarsest = coarsest }

    /// Learns from a picture that came out.
    mutating func note(_ sample: Sample) {
        learn(sample)
        coarseSync = sync.map { Int(max($0.bytes(at: coarsest), other ?? 0) * Self.syncMargin) } ?? 0
        let guess = other ?? sync.map { $0.bytes(at: coarsest) * Self.firstShare }
        coarseOther = guess.map { Int($0.rounded(.up)) } ?? 0
    }

    private mutating func learn(_ sample: Sample) {
        if sample.isTold {
            toldInRow += 1
        } else {
            if areOutdated { (usual, untold, quantizers) = (nil, nil, []) }
            toldInRow = 0
            if quantizers.count == Self.recentPictures { quantizers.removeFirst() }
            quantizers.append(sample.quantizer)
        }
        guard !sample.isSync else {
            sync = sample
            return
        }
        // Of predicted pictures and those between them, which differ by much.
        other = Self.mean(other, sample.bytes(at: coarsest), share: 8)
        guard !sample.isTold else { return }
        untold = Self.mean(untold, Double(sample.bytes))
        guard sample.isReference else { return }
        let bytes = Self.mean(usual.map { Double($0.bytes) }, Double(sample.bytes))
        usual = Sample(bytes: Int(bytes), quantizer: Self.mean(usual?.quantizer, sample.quantizer))
    }

    /// The last is a fourth of it, or another share.
    private static func mean(_ before: Double?, _ next: Double, share: Double = 4) -> Double {
        before.map { $0 + (next - $0) / share } ?? next
    }

    private static let recentPictures = 4

    /// Pictures in a row that were told a quantizer: what the encoder would choose is known no longer after so many.
    private var toldInRow = 0
    private static let mostToldInRow = 16

    /// Whether what the encoder would choose by itself has not been seen for long.
    var areOutdated: Bool { toldInRow >= Self.mostToldInRow }

    /// The largest quantizer that the encoder chose for the last pictures; 0 where nothing is known.
    var largestQuantizer: Int { Int((quantizers.max() ?? 0).rounded(.up)) }

    /// Bytes of a picture inside the encoder, which was told a quantizer or chooses; 0 where nothing is known.
    func expected(at quantizer: Int?, isSync: Bool) -> Int {
        guard let quantizer else { return isSync ? sync?.bytes ?? 0 : untold.map { Int($0) } ?? 0 }
        if isSync { return sync.map { Int($0.bytes(at: quantizer)) } ?? 0 }
        return Int(Double(coarseOther) * exp2(Double(coarsest - quantizer) / 5))
    }

    /// Bytes of a picture that was coded already, as a sync frame with another quantizer.
    func expected(of picture: LimitPlanner.Coded, at quantizer: Int) -> Int {
        guard let before = picture.quantizer else { return coarseSync }
        let sample = Sample(bytes: picture.bytes, quantizer: before, isSync: true)
        return max(Int(sample.bytes(at: quantizer)), expected(at: quantizer, isSync: true))
    }
}
