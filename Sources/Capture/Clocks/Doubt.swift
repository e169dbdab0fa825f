// SPDX-License-Identifier: MIT

/// Tells pictures of a screen whose times are known from those that took too long: a pure value.
///
/// What a screen's picture shows is of some moment between its stamp and its arrival. A server that is held up makes
/// that long now and then, and the picture is then left out; one that always takes long is slow, and its pictures are
/// as good as they can be. All times are microseconds.
struct Doubt: Sendable, Hashable {
    /// What a picture may take in any case: its time is then right within half of it.
    static let allowed: Int64 = 20_000
    /// How many times as long as usual a picture may take, and of how many pictures before it the middle is usual.
    static let (factor, memory) = (Int64(3), 15)

    private var spans: [Int64] = []

    /// Decides on a picture.
    ///
    /// - Parameter span: What it took from its stamp to its arrival.
    /// - Returns: Whether its time is known.
    mutating func isKnown(_ span: Int64) -> Bool {
        let usual = spans.isEmpty ? span : spans.sorted()[spans.count / 2]
        spans.append(max(span, 0))
        if spans.count > Self.memory { spans.removeFirst() }
        return span <= max(Self.allowed, usual.multipliedReportingOverflow(by: Self.factor).partialValue)
    }
}
