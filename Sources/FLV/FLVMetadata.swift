// SPDX-License-Identifier: MIT

/// The data of the script tag `onMetaData` (Adobe Flash Video File Format Specification 10.1, annex E.5), in Action
/// Message Format 0.
package struct FLVMetadata: Sendable {
    /// A property's value.
    package enum Value: Sendable, Hashable {
        case number(Double)
        case flag(Bool)
        case text(String)
    }

    /// The properties in the order they are written.
    package var properties: [(name: String, value: Value)]

    /// Names the properties.
    package init(_ properties: [(name: String, value: Value)]) { self.properties = properties }

    /// The bytes of the tag's data.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = [2]
        Self.append("onMetaData", to: &bytes)
        // An array of named values (type 8) with its length, which ends with an empty name and the type 9.
        bytes.append(8)
        Self.append(UInt32(properties.count), to: &bytes)
        for (name, value) in properties {
            Self.append(name, to: &bytes)
            switch value {
            case .number(let number):
                bytes.append(0)
                Self.append(number.bitPattern, to: &bytes)
            case .flag(let isSet): bytes += [1, isSet ? 1 : 0]
            case .text(let text):
                bytes.append(2)
                Self.append(text, to: &bytes)
            }
        }
        return bytes + [0, 0, 9]
    }

    /// A string with its length in two bytes; a longer one is cut.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let text = Array(text.utf8.prefix(Int(UInt16.max)))
        append(UInt16(text.count), to: &bytes)
        bytes += text
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}
