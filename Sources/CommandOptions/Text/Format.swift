// SPDX-License-Identifier: MIT

import Glibc

/// Numbers as people read them.
package enum Format {
    /// A number with a fixed count of decimals, without a locale.
    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return "-" }
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (value * factor).rounded()
        guard abs(scaled) < 1e15 else { return "\(value)" }
        let magnitude = Int(abs(scaled))
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(magnitude) }
        let fraction = String(magnitude % Int(factor))
        return sign + String(magnitude / Int(factor)) + "." + String(repeating: "0", count: decimals - fraction.count)
            + fraction
    }

    /// A number with more decimals where `decimals` do not tell it from another one.
    package static func fixed(_ value: Double, _ decimals: Int, tellingFrom other: Double) -> String {
        fixed(value, Self.decimals(from: decimals) { value == other || fixed(value, $0) != fixed(other, $0) })
    }

    /// The first count of decimals that will do; the fewest where none up to 12 does.
    package static func decimals(from fewest: Int, where isEnough: (Int) -> Bool) -> Int {
        (fewest...max(fewest, 12)).first(where: isEnough) ?? fewest
    }

    /// A number without decimals that say nothing: "1", "1.5".
    package static func shortest(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? fixed(value, 0) : "\(value)"
    }

    /// A change as "-21.4 %" or "+3.0 %".
    package static func change(_ ratio: Double) -> String { (ratio > 0 ? "+" : "") + fixed(ratio * 100, 1) + " %" }

    /// A share as "98.6 %".
    package static func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }

    /// A bit rate in the unit that fits: "812 bit/s", "812.3 kbit/s", "2.50 Mbit/s".
    package static func bitRate(_ bitsPerSecond: Double) -> String {
        if bitsPerSecond < 1000 { return fixed(bitsPerSecond, 0) + " bit/s" }
        if bitsPerSecond < 1_000_000 { return fixed(bitsPerSecond / 1000, 1) + " kbit/s" }
        return fixed(bitsPerSecond / 1_000_000, 2) + " Mbit/s"
    }

    /// Memory in MiB; "-" where it is not known.
    package static func mebibytes(_ bytes: Int?) -> String { bytes.map { fixed(Double($0) / 1_048_576, 0) } ?? "-" }

    /// A time that remains: "8 s", "2:05", "1:02:00".
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "-" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        if whole < 3600 { return "\(whole / 60):" + two(whole % 60) }
        return "\(whole / 3600):" + two(whole / 60 % 60) + ":" + two(whole % 60)
    }

    /// A number of things: "1 frame", "0 frames", for nouns that take an s.
    package static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Bytes with a thin grouping: "1 234 567".
    package static func grouped(_ value: Int) -> String {
        var digits = String(value.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: " ")
    }
}
