// SPDX-License-Identifier: MIT

/// A syntax structure of either standard: a value that is described once and can be read, written and traced.
public protocol SyntaxStructure: Hashable, Sendable {
    /// What else decides which elements are there, such as the parameter set that a slice header refers to.
    associatedtype Context = Void

    /// A structure to read into; what an element that is not coded is inferred to be.
    init()

    /// Hands each element to `coder`, in the standard's order.
    mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(SyntaxError)

    /// Reads the structure; the default calls ``code(with:in:)``.
    ///
    /// Code that is generic over structures reads with this. Called there, ``code(with:in:)`` runs unspecialised; this
    /// requirement's default is compiled for each structure and the reader.
    mutating func read(with reader: inout SyntaxReader, in context: Context) throws(SyntaxError)

    /// Writes the structure; likewise for the writer.
    mutating func write(with writer: inout SyntaxWriter, in context: Context) throws(SyntaxError)
}

extension SyntaxStructure {
    /// Reads the structure.
    @inlinable
    public mutating func read(with reader: inout SyntaxReader, in context: Context) throws(SyntaxError) {
        try code(with: &reader, in: context)
    }

    /// Writes the structure.
    @inlinable
    public mutating func write(with writer: inout SyntaxWriter, in context: Context) throws(SyntaxError) {
        try code(with: &writer, in: context)
    }
}

extension SyntaxCoder {
    /// Codes a structure that an enumeration's case holds, which cannot be changed in place.
    ///
    /// - Returns: What was read; the structure itself when writing.
    @inlinable
    public mutating func coded<Structure: SyntaxStructure>(
        _ structure: Structure, in context: Structure.Context
    ) throws(SyntaxError) -> Structure {
        var copy = structure
        try copy.code(with: &self, in: context)
        return copy
    }

    /// Codes a structure without context that an enumeration's case holds.
    @inlinable
    public mutating func coded<Structure: SyntaxStructure>(
        _ structure: Structure
    ) throws(SyntaxError) -> Structure where Structure.Context == Void {
        try coded(structure, in: ())
    }
}
