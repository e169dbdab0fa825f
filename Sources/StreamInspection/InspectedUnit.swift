// SPDX-License-Identifier: MIT

public import ParameterSets

/// One NAL unit, what stands in its place, or a part of the container, as it is shown.
public struct InspectedUnit: Equatable, Sendable {
    /// From 0 on, through all of the file; nil for what is no unit.
    public var number: Int?
    /// Where it stands.
    public var place: UnitPlace
    /// Bytes without start code or length.
    public var length = 0
    /// The type's name; nil when the header cannot be read, and for bytes that should be a unit.
    public var typeName: String?
    /// What the header tells besides.
    public var words: [Labelled<String>] = []
    /// The fields in decode order; those before the error when there is one.
    public var elements: [SyntaxElement] = []
    /// How many of ``elements`` are the header's.
    public var headerElementCount = 0
    /// What follows from the fields.
    public var derived: [Labelled<DerivedValue>] = []
    /// Why the unit cannot be read on.
    public var error: ParameterSetError?
}

/// A value with its name.
public struct Labelled<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Its name, as the JSON of `encbench inspect` has it.
    public var name: String
    /// The value.
    public var value: Value

    /// Names a value.
    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

/// A value that follows from several fields.
public enum DerivedValue: Hashable, Sendable {
    /// A number, such as a width in luma samples.
    case number(Int)
    /// Numbers in the order of the file, such as bytes of NAL units.
    case numbers([Int])
    /// Words, such as a profile's name.
    case text(String)
    /// Words in the order of the file, such as the payloads of an SEI unit.
    case list([String])
}
