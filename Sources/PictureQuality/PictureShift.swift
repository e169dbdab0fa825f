// SPDX-License-Identifier: MIT

/// By how much the numbers of a file's pictures are off those of the reference.
package enum PictureShift: Sendable, CaseIterable {
    /// Each picture shows what the reference shows one number before.
    case late
    /// Each picture shows what the reference shows one number after.
    case early

    /// Mean squared errors of one picture against the reference's.
    package struct Errors: Sendable, Equatable {
        /// Against the picture with the number before.
        package var before: Double
        /// Against the picture with the same number.
        package var same: Double
        /// Against the picture with the number after.
        package var after: Double

        package init(before: Double, same: Double, after: Double) {
            (self.before, self.same, self.after) = (before, same, after)
        }

        fileprivate func shifted(_ shift: PictureShift) -> Double { shift == .late ? before : after }
    }

    /// What the errors of some pictures tell; nil where the numbers are right, or nothing moves.
    ///
    /// Together the errors are clearly smaller, and no picture's is clearly larger: an encoder that repeats pictures is
    /// late at some of them, and right at the others.
    package init?(_ errors: [Errors]) {
        // 1 dB: files with the right numbers came to 1.01 at most, x264 at crf 35 where little moves.
        let margin = 1.25
        func sum(_ error: (Errors) -> Double) -> Double { errors.reduce(0) { $0 + error($1) } }
        let clear = Self.allCases.filter { shift in
            sum(\.same) > margin * sum { $0.shifted(shift) }
                && errors.allSatisfy { $0.shifted(shift) <= margin * $0.same }
        }
        guard let best = clear.min(by: { left, right in sum { $0.shifted(left) } < sum { $0.shifted(right) } }) else {
            return nil
        }
        self = best
    }

    /// The numbers of the pictures to look at: up to 16, in four places of four in a row each, spread over the clip.
    ///
    /// - Parameter count: Pictures there are; the first and the last have no neighbor on one side.
    /// - Returns: None where there are fewer than three.
    package static func places(of count: Int) -> Set<Int> {
        let inner = count - 2
        guard inner > 16 else { return Set(1..<max(1, count - 1)) }
        return Set((0..<4).flatMap { part in (0..<4).map { 1 + part * (inner - 4) / 3 + $0 } })
    }
}
