// SPDX-License-Identifier: MIT

import Capture
import CommandOptions

/// Where sound comes from.
enum SoundChoice: Equatable, Sendable {
    /// There is none.
    case none
    /// A tone of 1000 Hz, or with the source of flashes a beep with each.
    case tone
    /// A file with sound, or "-" for a WAV file on standard input.
    case file(path: String)
    /// The sound of the input, decoded and encoded anew.
    case input
    /// The same, where the input has some.
    case inputIfAny
    /// The packets of the input as they are.
    case copied

    /// A sound card, or a graph.
    case capture(CaptureSource)

    /// Reads the value of `--sound`; a file of such a name is given as `./tone`.
    ///
    /// - Throws: ``OptionError`` for no text.
    init(_ text: String) throws(OptionError) {
        switch text {
        case "": throw OptionError(.malformed, "sound without a name, expected a file, -, input, tone or none")
        case "none": self = .none
        case "tone": self = .tone
        case "input": self = .input
        case _ where CaptureSource.isNamed(by: text):
            let source = try CaptureSource.named(text)
            guard source.kind.hasSound else {
                throw OptionError(.unusable, "--sound \(text) gives pictures, expected pulse: or lavfi:")
            }
            self = .capture(source)
        default: self = .file(path: text)
        }
    }

    /// Whether it is encoded here.
    var isEncoded: Bool { self != .none && self != .copied }
}

extension SoundChoice: CustomStringConvertible {
    /// As it is given, but for standard input, and what may be secret in an address.
    var description: String {
        switch self {
        case .none: "none"
        case .tone: "tone"
        case .input: "input"
        case .inputIfAny: "the input's, if it has some"
        case .file(path: "-"): "standard input"
        case .file(let path): AddressHiding.shown(value: path) ?? path
        case .copied: "copied"
        case .capture(let source): "\(source)"
        }
    }
}
