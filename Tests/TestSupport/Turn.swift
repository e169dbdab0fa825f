// SPDX-License-Identifier: MIT

import FoundationEssentials

/// One of as many runs as take everything of their depth between them.
public struct Turn: Hashable, Sendable, CustomStringConvertible {
    /// Which of the runs it is, from 0 to ``count`` - 1.
    public let number: Int
    /// How many runs there are, 1 or more.
    public let count: Int

    /// A turn of these numbers; nil where the first is not below the second, or below 0.
    public init?(_ number: Int, of count: Int) {
        guard 0 <= number, number < count else { return nil }
        self.number = number
        self.count = count
    }

    /// A turn as it is written, such as `2/6`; nil for anything else.
    public init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
        self.init(number, of: count)
    }

    /// The environment variable that says which turn it is.
    public static let environmentVariable = "ENCODERKIT_TURN"

    /// The turn of this run; nil, the default, where one run takes everything.
    public static let current: Turn? = {
        guard let text = ProcessInfo.processInfo.environment[environmentVariable], !text.isEmpty else { return nil }
        guard let turn = Turn(text) else { fatalError("\(environmentVariable) is \(text), expected such as 2/6") }
        return turn
    }()

    /// Why a test of another turn is skipped.
    static let skipped = "not this turn's (\(environmentVariable) is \(current?.description ?? "not set"))"

    /// The turn as it is written.
    public var description: String { "\(number)/\(count)" }

    /// The items of this turn, of each ``count`` one.
    public func part<Item>(of items: [Item]) -> [Item] {
        stride(from: number, to: items.count, by: count).map { items[$0] }
    }

    /// Whether it is the turn of a file, which each file has once.
    public func takes(_ fileID: String) -> Bool {
        // A hash that is the same in each process, as Swift's own is not.
        fileID.utf8.reduce(UInt(0)) { $0 &* 65599 &+ UInt($1) } % UInt(count) == UInt(number)
    }
}
