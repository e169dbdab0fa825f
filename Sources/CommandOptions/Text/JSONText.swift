// SPDX-License-Identifier: MIT

/// JSON written piece by piece, for documents too large to be held as values.
package enum JSONText {
    /// A string with quotes.
    package static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// An array of values that are JSON.
    package static func array(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }
}

/// An object whose members keep their order.
package struct JSONObjectText {
    private var members = ""

    /// Makes an object without members.
    package init() {}

    /// Adds a member; `value` is JSON.
    package mutating func add(_ name: String, _ value: String) {
        if !members.isEmpty { members += ", " }
        members += JSONText.string(name) + ": " + value
    }

    /// The object.
    package var text: String { "{" + members + "}" }
}
