// SPDX-License-Identifier: MIT

public import Testing

/// Where the fields of a C structure lie, by what reflection tells of it: those of structures inside it one by one.
public struct StructureLayout {
    /// A field that is no structure; an array is one field.
    public struct Field: Hashable, Sendable {
        /// Its name in C, with dots between structures.
        public let name: String
        /// Bytes from the start of the structure.
        public let offset: Int
    }

    /// All fields, in their order.
    public private(set) var fields: [Field] = []
    /// Bytes of the structure, padding included.
    public private(set) var size = 0

    /// Lays out the fields of a value as C does.
    public init(of value: Any) {
        let shape = Self.shape(of: value)
        add(value, "", at: 0)
        size = shape.size
    }

    private mutating func add(_ value: Any, _ name: String, at offset: Int) {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct, !mirror.children.isEmpty else {
            fields.append(Field(name: name, offset: offset))
            return
        }
        var end = offset
        for child in mirror.children {
            let shape = Self.shape(of: child.value)
            let start = (end + shape.alignment - 1) / shape.alignment * shape.alignment
            add(child.value, name.isEmpty ? child.label ?? "" : "\(name).\(child.label ?? "")", at: start)
            end = start + shape.size
        }
    }

    private static func shape(of value: Any) -> (size: Int, alignment: Int) {
        let mirror = Mirror(reflecting: value)
        let holdsOthers = mirror.displayStyle == .struct || mirror.displayStyle == .tuple
        guard holdsOthers, !mirror.children.isEmpty else {
            let size =
                switch value {
                case is UInt8, is Int8: 1
                case is UInt16, is Int16: 2
                case is UInt32, is Int32, is Float: 4
                default: 8
                }
            return (size, size)
        }
        var (size, alignment) = (0, 1)
        for child in mirror.children {
            let shape = shape(of: child.value)
            size = (size + shape.alignment - 1) / shape.alignment * shape.alignment + shape.size
            alignment = max(alignment, shape.alignment)
        }
        return ((size + alignment - 1) / alignment * alignment, alignment)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where reflection lays out a C structure otherwise than the compiler.
    ///
    /// In a process that has seen another library's structures inside structures, it takes those of one name for each
    /// other. The processes of `dev/test` have one library each.
    ///
    /// - Parameter value: Makes a value of the structure.
    /// - Returns: A trait for `@Test`.
    public static func requiresReflection<Structure>(of value: @escaping @Sendable () -> Structure) -> Self {
        .enabled("SKIPPED, needs a process of its own: structures of one name in two libraries") {
            StructureLayout(of: value()).size == MemoryLayout<Structure>.stride
        }
    }
}
