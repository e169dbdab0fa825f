// SPDX-License-Identifier: MIT

/// The standard's name of a syntax element, with its indices where it is an array.
///
/// A string literal is a name. One interpolation stands for what differs between names that are otherwise alike, as in
/// `"\(scope)_profile_idc"` for `general_profile_idc` and `sub_layer_profile_idc`.
public struct SyntaxName: Hashable, Sendable {
    @usableFromInline var head: StaticString
    @usableFromInline var scope: StaticString = ""
    @usableFromInline var tail: StaticString = ""
    @usableFromInline var index = SIMD4<Int32>(repeating: -1)

    @inlinable init(head: StaticString) {
        self.head = head
    }

    /// A name with up to four indices; -1 stands for none.
    @inlinable
    public init(_ name: SyntaxName, _ i: Int, _ j: Int = -1, _ k: Int = -1, _ l: Int = -1) {
        self = name
        index = SIMD4(
            Int32(truncatingIfNeeded: i), Int32(truncatingIfNeeded: j), Int32(truncatingIfNeeded: k),
            Int32(truncatingIfNeeded: l))
    }

    /// The name without indices, such as `offset_for_ref_frame`.
    public var field: String { head.description + scope.description + tail.description }

    /// The indices, outermost first.
    public var indices: [Int] {
        (0..<4).map { Int(index[$0]) }.filter { $0 >= 0 }
    }

    /// Whether both names have the same text and indices.
    public static func == (one: Self, other: Self) -> Bool {
        one.index == other.index && one.field == other.field
    }

    /// Feeds text and indices to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(index)
    }
}

extension SyntaxName: ExpressibleByStringInterpolation {
    /// Puts a name together of literals and one interpolation.
    public struct StringInterpolation: StringInterpolationProtocol {
        @usableFromInline var name = SyntaxName(head: "")
        @usableFromInline var hasScope = false

        /// A name without text.
        @inlinable
        public init(literalCapacity: Int, interpolationCount: Int) {
            precondition(interpolationCount <= 1, "a name has one interpolation at most")
        }

        /// Adds the text before or after the interpolation.
        @inlinable
        public mutating func appendLiteral(_ literal: StaticString) {
            if hasScope {
                name.tail = literal
            } else {
                name.head = literal
            }
        }

        /// Adds what differs.
        @inlinable
        public mutating func appendInterpolation(_ scope: StaticString) {
            name.scope = scope
            hasScope = true
        }
    }

    /// A name of one text.
    @inlinable
    public init(stringLiteral text: StaticString) {
        self.init(head: text)
    }

    /// A name with an interpolation.
    @inlinable
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.name
    }
}

extension SyntaxName: CustomStringConvertible {
    /// The name with its indices, such as `offset_for_ref_frame[2]`.
    public var description: String {
        indices.reduce(into: field) { $0 += "[\($1)]" }
    }
}
