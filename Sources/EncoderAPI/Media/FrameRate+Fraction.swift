// SPDX-License-Identifier: MIT

extension FrameRate {
    /// Largest numerator and denominator that every encoder's fields and every header's hold.
    private static let largestTerms = (numerator: Int(Int32.max), denominator: Int(Int32.max))

    /// The mean rate of `count` frames that follow each other in `span`, in lowest terms of at most 31 bits; nil unless
    /// both are more than 0.
    init?(frames count: Int, in span: MediaTime) {
        guard count > 0, span.value > 0 else { return nil }
        let divisor = MediaTime.greatestCommonDivisor(UInt64(span.value), UInt64(span.timescale))
        let denominator = Int(span.value) / Int(divisor)
        let (numerator, overflow) = (Int(span.timescale) / Int(divisor)).multipliedReportingOverflow(by: count)
        let terms = Self.convergent(overflow ? .max : numerator, over: denominator, within: Self.largestTerms)
        self.init(numerator: terms.numerator, denominator: terms.denominator)
    }

    /// The last convergent of a continued fraction whose terms fit.
    ///
    /// - Parameters:
    ///   - numerator: 0 or more.
    ///   - denominator: 1 or more.
    ///   - most: The largest terms.
    /// - Returns: Its terms: exact where those in lowest terms fit, a denominator of 0 where no convergent does.
    package static func convergent(
        _ numerator: Int, over denominator: Int, within most: (numerator: Int, denominator: Int)
    ) -> (numerator: Int, denominator: Int) {
        var (rest, divisor) = (numerator, denominator)
        var (last, this) = ((numerator: 0, denominator: 1), (numerator: 1, denominator: 0))
        while divisor != 0 {
            let quotient = rest / divisor
            let (p, overflowP) = quotient.multipliedReportingOverflow(by: this.numerator)
            let (q, overflowQ) = quotient.multipliedReportingOverflow(by: this.denominator)
            guard !overflowP, !overflowQ, p <= most.numerator - last.numerator,
                q <= most.denominator - last.denominator
            else { break }
            (last, this) = (this, (p + last.numerator, q + last.denominator))
            (rest, divisor) = (divisor, rest % divisor)
        }
        return this
    }
}
