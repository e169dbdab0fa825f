// SPDX-License-Identifier: MIT

/// The numbers that a library takes as the value of one of its options, found by trying some.
struct OptionRange {
    /// The numbers as the end of a sentence; nil where the value is no number, or no number was found.
    private(set) var text: String?

    /// The largest magnitude that is tried.
    private static let farthest = 1 << 16
    /// Bounds are looked for to a hundredth.
    private static let unit = 100

    private let accepts: (String) -> Bool

    /// Looks for the numbers.
    ///
    /// - Parameters:
    ///   - value: One that the library refuses; what is no number is not looked at.
    ///   - accepts: Whether the library takes a value.
    init(around value: String?, accepts: @escaping (String) -> Bool) {
        self.accepts = accepts
        guard let value, Double(value) != nil else { return }
        let taken = taken()
        guard let first = taken.first, let last = taken.last else { return }
        guard taken.count < 2 || taken[1] <= first + 1 || takes((first + 1) * Self.unit) else {
            text = taken.map(String.init).joined(separator: " or ")
            return
        }
        let low = bound(from: first, to: -Self.farthest)
        let high = last >= Self.farthest ? nil : bound(from: last, to: max(last * 2, 1))
        // One number alone is what leaves the option out: what others need something else for is no range.
        guard low == nil || low != high else { return }
        text = [low, high].contains(nil) ? Self.open(low, high) : "a number in \(low ?? "")...\(high ?? "")"
    }

    /// Powers of two that are taken, up to the first above them that is not; -1 where there are none.
    private func taken() -> [Int] {
        var taken: [Int] = []
        for number in [0] + (0...16).map({ 1 << $0 }) {
            if takes(number * Self.unit) { taken.append(number) } else if !taken.isEmpty { break }
        }
        return taken.isEmpty && takes(-Self.unit) ? [-1] : taken
    }

    private static func open(_ low: String?, _ high: String?) -> String? {
        if let low { return "\(low) or more" }
        return high.map { "at most \($0)" }
    }

    private func takes(_ hundredths: Int) -> Bool { accepts(Self.text(hundredths)) }

    private static func text(_ hundredths: Int) -> String {
        hundredths.isMultiple(of: unit) ? "\(hundredths / unit)" : "\(Double(hundredths) / Double(unit))"
    }

    /// The last number that is taken on the way from one that is to another; nil where that is taken as well.
    private func bound(from first: Int, to last: Int) -> String? {
        guard !takes(last * Self.unit) else { return nil }
        let whole = lastTaken(from: first, to: last, step: Self.unit)
        let next = whole + (last < first ? -1 : 1) * Self.unit
        guard takes((whole + next) / 2) else { return Self.text(whole) }
        return Self.text(lastTaken(from: whole, to: next, step: 1, isWhole: false))
    }

    private func lastTaken(from first: Int, to last: Int, step: Int, isWhole: Bool = true) -> Int {
        var (taken, refused) = isWhole ? (first, last) : (first / step, last / step)
        while abs(refused - taken) > 1 {
            let middle = taken + (refused - taken) / 2
            if takes(middle * step) { taken = middle } else { refused = middle }
        }
        return taken * step
    }
}
