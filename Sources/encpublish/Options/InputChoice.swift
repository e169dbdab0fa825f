// SPDX-License-Identifier: MIT

import Capture
import CommandOptions

/// Where pictures come from.
enum InputChoice: Equatable, Sendable {
    /// A file, or "-" for standard input.
    case file(path: String)
    /// Pictures that move, and a tone.
    case test
    /// From one second on, at each full second a white picture and a beep of 100 ms.
    case flash

    /// A screen, a camera or a graph.
    case capture(CaptureSource)

    /// Reads the program's argument; a file of the name of a test source is given as `./test`.
    ///
    /// - Throws: ``OptionError`` for no text, and for a test source that there is none of.
    init(_ text: String) throws(OptionError) {
        switch text {
        case "":
            throw OptionError(
                .malformed, "an input without a name, expected a file, -, test, test:flash, or x11:, v4l2: or lavfi:")
        case "test": self = .test
        case "test:flash": self = .flash
        case _ where text.hasPrefix("test:"):
            let shown = AddressHiding.shown(value: text) ?? text
            throw OptionError(.unknownName, "'\(shown)', expected test or test:flash, or ./\(shown) for a file")
        case _ where CaptureSource.isNamed(by: text):
            let source = try CaptureSource.named(text)
            guard source.kind.hasPictures else {
                throw OptionError(.unusable, "'\(text)' gives sound, expected x11:, v4l2: or lavfi:; --sound takes it")
            }
            self = .capture(source)
        default: self = .file(path: text)
        }
    }

    /// What is captured; nil for files and what is made here.
    var captured: CaptureSource? { if case .capture(let source) = self { source } else { nil } }

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
        case .capture(let source): "\(source)"
        }
    }
}

extension CaptureSource {
    /// Reads a source's name.
    ///
    /// - Throws: ``OptionError`` with the reason of the source's own error.
    static func named(_ text: String) throws(OptionError) -> CaptureSource {
        do throws(CaptureError) {
            return try CaptureSource(text)
        } catch {
            throw OptionError(error.code == .unsupported ? .unusable : .malformed, error.reason)
        }
    }
}
