// SPDX-License-Identifier: MIT

extension FrameRate {
    /// Largest numerator and denominator that every encoder's fields and every header's hold.
    private static let largestTerm = Int(Int32.max)

    /// The mean rate of `count` frames that follow each other in `span`, in lowest terms of at most 31 bits; nil unless
    /// both are more than 0.
    init?(frames count: Int, in span: MediaTime) {
        guard count > 0, span.value > 0 else { return nil }
        let divisor = MediaTime.greatestCommonDivisor(UInt64(span.value), UInt64(span.timescale))
        let denominator = Int(span.value) / Int(divisor)
        let (numerator, overflow) = (Int(span.timescale) / Int(divisor)).multipliedReportingOverflow(by: count)
        self.init(nearestTo: overflow ? .max : numerator, over: denominator)
    }

    /// The last convergent of the continued fraction whose terms fit; exact where the fraction in lowest terms fits.
    private init(nearestTo numerator: Int, over denominator: Int) {
        var (rest, divisor) = (numerator, denominator)
        var (last, this) = ((0, 1), (1, 0))
        while divisor != 0 {
            let quotient = rest / divisor
            let (p, overflowP) = quotient.multipliedReportingOverflow(by: this.0)
            let (q, overflowQ) = quotient.multipliedReportingOverflow(by: this.1)
            guard !overflowP, !overflowQ, p <= Self.largestTerm - last.0, q <= Self.largestTerm - last.1 else { break }
            (last, this) = (this, (p + last.0, q + last.1))
            (rest, divisor) = (divisor, rest % divisor)
        }
        self.init(numerator: this.0, denominator: this.1)
    }
}
