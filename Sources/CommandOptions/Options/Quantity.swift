// SPDX-License-Identifier: MIT

/// Whole numbers with a unit prefix: k and M are 1000-based, Ki and Mi are 1024-based.
package enum Quantity {
    private static let prefixes: [(suffix: String, factor: Int)] = [
        ("Ki", 1024), ("Mi", 1024 * 1024), ("Gi", 1024 * 1024 * 1024), ("k", 1000), ("M", 1_000_000),
        ("G", 1_000_000_000),
    ]

    /// Reads a number such as `2500`, `800k`, `2.5M` or `64Ki`.
    ///
    /// - Throws: ``OptionError`` for text that is no such number, for a fraction of one unit, and for a value outside
    ///   `range`; it names the value and the range.
    package static func parse(_ text: String, unit: String, range: ClosedRange<Int>) throws(OptionError) -> Int {
        let legal = "expected \(range.lowerBound)...\(range.upperBound) \(unit)"
        let prefix = prefixes.first { text.hasSuffix($0.suffix) }
        let digits = text.dropLast(prefix?.suffix.count ?? 0)
        guard let decimal = Decimal(digits) else {
            throw OptionError(.malformed, "'\(text)' is not a number such as 2500, 800k, 2.5M or 64Ki; \(legal)")
        }
        switch decimal.multiplied(by: prefix?.factor ?? 1) {
        case .whole(let value) where range.contains(value): return value
        case .whole, .overflow: throw OptionError(.outOfRange, "'\(text)' is out of range, \(legal)")
        case .fractional: throw OptionError(.malformed, "'\(text)' is not a whole number of \(unit); \(legal)")
        }
    }

    /// A decimal number kept exactly, so that 2.3M is 2300000 and not a neighbor of it.
    private struct Decimal {
        enum Product {
            case whole(Int)
            case fractional
            case overflow
        }

        var digits: Int?
        var decimals = 0
        var isNegative = false

        /// Reads an optional sign, digits, and at most one point; `digits` is nil when they overflow.
        init?(_ text: Substring) {
            var rest = text
            if let sign = rest.first, sign == "-" || sign == "+" {
                isNegative = sign == "-"
                rest.removeFirst()
            }
            let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let all = parts.joined()
            guard !all.isEmpty, all.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                return nil
            }
            var fraction = parts.count > 1 ? parts[1] : ""
            while fraction.last == "0" { fraction.removeLast() }
            decimals = fraction.utf8.count
            digits = Int(parts[0] + fraction)
        }

        /// The product, exactly.
        func multiplied(by factor: Int) -> Product {
            guard let digits else { return .overflow }
            var factor = factor
            var divisor = 1
            for _ in 0..<decimals {
                if factor % 10 == 0 {
                    factor /= 10
                } else {
                    let (next, overflow) = divisor.multipliedReportingOverflow(by: 10)
                    if overflow { return .fractional }
                    divisor = next
                }
            }
            let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
            if overflow { return .overflow }
            guard product % divisor == 0 else { return .fractional }
            return .whole((isNegative ? -product : product) / divisor)
        }
    }
}
