// SPDX-License-Identifier: MIT

/// A syntax structure of either standard: a value that is described once and can be read, written and traced.
public protocol SyntaxStructure: Hashable, Sendable {
    /// What else decides which elements are there, such as the parameter set that a slice header refers to.
    associatedtype Context = Void

    /// A structure to read into; what an element that is not coded is inferred to be.
    init()

    /// Hands each element to `coder`, in the standard's order.
    mutating func code<Coder: SyntaxCoder>(with coder: inout Coder, in context: Context) throws(SyntaxError)
}
