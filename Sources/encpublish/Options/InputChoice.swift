// SPDX-License-Identifier: MIT

import CommandOptions

/// Where pictures come from.
enum InputChoice: Equatable, Sendable {
    /// A file, or "-" for standard input.
    case file(path: String)
    /// Pictures that move, and a tone.
    case test
    /// From one second on, at each full second a white picture and a beep of 100 ms.
    case flash

    /// Reads the program's argument; a file of the name of a test source is given as `./test`.
    ///
    /// - Throws: ``OptionError`` for no text, and for a test source that there is none of.
    init(_ text: String) throws(OptionError) {
        switch text {
        case "": throw OptionError(.malformed, "an input without a name, expected a file, -, test or test:flash")
        case "test": self = .test
        case "test:flash": self = .flash
        case _ where text.hasPrefix("test:"):
            let shown = AddressHiding.shown(value: text) ?? text
            throw OptionError(.unknownName, "'\(shown)', expected test or test:flash, or ./\(shown) for a file")
        default: self = .file(path: text)
        }
    }

    /// Whether it is made here.
    var isTest: Bool { self == .test || self == .flash }

    /// Whether it is standard input.
    var isStandardInput: Bool { self == .file(path: "-") }
}

extension InputChoice: CustomStringConvertible {
    /// As it is given, but for standard input, and what may be secret in an address.
    var description: String {
        switch self {
        case .file(path: "-"): "standard input"
        case .file(let path): AddressHiding.shown(value: path) ?? path
        case .test: "test"
        case .flash: "test:flash"
        }
    }
}
