// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench

/// What was seen of one case, and what follows from it: pure.
struct SelfTestOutcome: Sendable {
    /// One picture that came out of the decoder, in display order.
    struct Picture: Sendable, Equatable {
        /// Whether the decoder found errors in it.
        var isDamaged = false
        var width: Int
        var height: Int
        /// Of luma against what was given, in dB; nil where both are equal.
        var psnr: Double?
    }

    /// One picture of the stream, in decode order.
    struct Unit: Sendable, Equatable {
        /// Its number in display order.
        var index: Int
        var isSync = false
        var byteCount: Int
    }

    /// What a case that was given up did not keep to.
    enum Lateness: Sendable, Equatable {
        /// No picture came for so many seconds.
        case silent(seconds: Int)
        /// It was not through after so many.
        case unfinished(seconds: Int)
    }

    var units: [Unit] = []
    /// Numbers of pictures that are not in the stream, with the reason.
    var dropped: [(index: Int, reason: String)] = []
    /// Nil without a decoder.
    var pictures: [Picture]?
    /// What ended it early.
    var error: EncoderError?
    /// Why it was given up before all pictures came; nil where it was not.
    var lateness: Lateness?

    /// Bytes of a second half whose bit rate is four times as high, over those of the first: less than this was not
    /// followed.
    private static let leastGrowth = 1.5

    /// What it ends in.
    func verdict(of test: SelfTestCase) -> (verdict: SelfTest.Verdict, finding: String?) {
        if let error, units.isEmpty {
            // Nobody refuses what is late: the device is slow, its machine busy, or it hangs.
            if error.status == nil, error.code == .timedOut || error.code == .deviceLost {
                return (.late, error.reason)
            }
            let who = error.status == nil ? "refused here" : "refused by the driver"
            return (.refused, "\(who): \(error.reason)")
        }
        if let finding = damage(of: test) { return (.damaged, finding) }
        guard pictures != nil else { return (.undecoded, "libavcodec, which would decode it, is not there") }
        return (.works, nil)
    }

    private func damage(of test: SelfTestCase) -> String? {
        switch lateness {
        case nil: break
        case .silent(let seconds):
            return "\(units.count) of \(test.frameCount) pictures came out, then none for \(seconds) s"
        case .unfinished(let seconds):
            return "\(units.count) of \(test.frameCount) pictures came out within \(seconds) s"
        }
        if let error { return "ended after \(units.count) of \(test.frameCount) pictures: \(error.reason)" }
        if let first = dropped.min(by: { $0.index < $1.index }) {
            return
                "\(dropped.count) of \(test.frameCount) pictures were dropped, the first \(first.index): \(first.reason)"
        }
        if units.count != test.frameCount { return "\(units.count) of \(test.frameCount) pictures came out" }
        return pictures.flatMap { damage(of: test, decoded: $0) } ?? brokenChange(in: test)
    }

    private func damage(of test: SelfTestCase, decoded: [Picture]) -> String? {
        for (index, picture) in decoded.enumerated() {
            if picture.isDamaged { return "from picture \(index) on: the decoder finds errors" }
            var size = (test.width, test.height)
            if case .size(let width, let height) = test.change, index >= test.changeIndex { size = (width, height) }
            guard (picture.width, picture.height) == size else {
                return "from picture \(index) on: \(picture.width)x\(picture.height), expected \(size.0)x\(size.1)"
            }
            if let least = test.leastPSNR, let psnr = picture.psnr, psnr < least {
                return "from picture \(index) on: PSNR-Y \(Format.fixed(psnr, 1)) dB"
            }
        }
        return decoded.count == test.frameCount ? nil : "\(decoded.count) of \(test.frameCount) pictures decode"
    }

    private func brokenChange(in test: SelfTestCase) -> String? {
        switch test.change {
        case nil, .size: return nil
        case .keyFrame:
            let isSync = units.contains { $0.index == test.changeIndex && $0.isSync }
            return isSync ? nil : "picture \(test.changeIndex) was to be a key frame and is none"
        case .bitRate:
            func bytes(_ range: Range<Int>) -> Double {
                Double(units.filter { range.contains($0.index) }.reduce(0) { $0 + $1.byteCount })
            }
            // What rate control owes or saved from before the change has a quarter of the pictures to go.
            let quarter = test.frameCount / 4
            let growth =
                bytes(test.frameCount - quarter..<test.frameCount)
                / max(bytes(test.changeIndex - quarter..<test.changeIndex), 1)
            return growth >= Self.leastGrowth
                ? nil
                : "four times the bit rate from picture \(test.changeIndex) on brought \(Format.fixed(growth, 2)) times the bytes"
        }
    }
}
