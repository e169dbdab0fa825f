// SPDX-License-Identifier: MIT

// The only way to set a field that is known by its place alone; the standard library's own tests use it.
@_spi(Reflection) import Swift

import ParameterSets

/// A type whose values are changed otherwise than field by field.
protocol Changeable {
    /// Values near this one, each with what was changed.
    var changes: [(field: String, value: Self)] { get }
}

/// All values that differ from `value` in one field at any depth, each with the field's path.
func fieldChanges<Value>(of value: Value) -> [(field: String, value: Value)] {
    if let changeable = value as? any Changeable {
        return changeable.changes.compactMap { change in (change.value as? Value).map { (change.field, $0) } }
    }
    precondition(Mirror(reflecting: value).displayStyle == .struct, "say how \(Value.self) changes")
    var changes: [(field: String, value: Value)] = []
    _ = _forEachFieldWithKeyPath(of: Value.self) { name, path in
        func add<Field>(_: Field.Type) {
            changes += fieldChanges(of: value, at: path, String(cString: name), Field.self)
        }
        _openExistential(type(of: path).valueType, do: add)
        return true
    }
    return changes
}

private func fieldChanges<Value, Field>(
    of value: Value, at path: PartialKeyPath<Value>, _ name: String, _: Field.Type
) -> [(field: String, value: Value)] {
    // A constant has no writable path.
    guard let path = path as? WritableKeyPath<Value, Field> else { return [] }
    return fieldChanges(of: value[keyPath: path]).map { change in
        var copy = value
        copy[keyPath: path] = change.value
        return (change.field.isEmpty ? name : "\(name).\(change.field)", copy)
    }
}

extension Changeable where Self: FixedWidthInteger {
    var changes: [(field: String, value: Self)] {
        [("", self &+ 1), ("", self == 0 ? 7 : 0)]
    }
}

extension Int: Changeable {
    // What is computed from a number before it is checked must not overflow.
    var changes: [(field: String, value: Int)] {
        [("", self &+ 1), ("", self == 0 ? 7 : 0), ("", .min), ("", .max)]
    }
}
extension UInt8: Changeable {}
extension UInt32: Changeable {}
extension UInt64: Changeable {}

extension Bool: Changeable {
    var changes: [(field: String, value: Bool)] { [("", !self)] }
}

extension OpaqueBits: Changeable {
    var changes: [(field: String, value: OpaqueBits)] { [("", OpaqueBits()), ("", OpaqueBits(bytes + [0xA5]))] }
}

extension Optional: Changeable {
    var changes: [(field: String, value: Wrapped?)] {
        guard let self else {
            return emptyValue(Wrapped.self).map { [("", .some($0))] } ?? []
        }
        return [("", nil)] + fieldChanges(of: self).map { ($0.field, .some($0.value)) }
    }
}

extension Array: Changeable {
    var changes: [(field: String, value: [Element])] {
        var changes: [(field: String, value: [Element])] = []
        if let another = last ?? emptyValue(Element.self) {
            changes.append(("count", self + [another]))
        }
        guard let last = indices.last else { return changes }
        changes.append(("count", dropLast()))
        for index in Set([0, last]).sorted() {
            for change in fieldChanges(of: self[index]) {
                var copy = self
                copy[index] = change.value
                changes.append(("[\(index)].\(change.field)", copy))
            }
        }
        return changes
    }
}

/// A value to put where there is none.
private func emptyValue<Value>(_ type: Value.Type) -> Value? {
    switch type {
    case let structure as any SyntaxStructure.Type: structure.init() as? Value
    case is Int.Type: 3 as? Value
    case is Bool.Type: true as? Value
    case is UInt8.Type: UInt8(3) as? Value
    case let array as any EmptyMakeable.Type: array.init() as? Value
    default: nil
    }
}

/// What can be made of nothing.
protocol EmptyMakeable {
    init()
}

extension Array: EmptyMakeable {}
