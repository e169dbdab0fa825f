// SPDX-License-Identifier: MIT

/// Which parameter set a table stands in, and how many entries it has.
public struct SetTable: Sendable {
    /// What the elements' names begin with, such as `seq`, `pic`, `vps` or `sps`.
    public var set: StaticString
    /// How many entries there are.
    public var count: Int

    /// Names both.
    public init(_ set: StaticString, count: Int) {
        self.set = set
        self.count = count
    }
}
