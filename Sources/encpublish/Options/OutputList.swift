// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles

/// The outputs that the values of `--to` stand for: one each, those of a file, or of a variable of the environment.
///
/// A process list shows all values on the command line to everybody on the machine, but neither of the others.
struct OutputList {
    /// The value of a variable; nil where it is not set.
    let variable: (String) -> String?
    /// The bytes of a file.
    let file: (String) throws(MediaFileError) -> [UInt8]

    /// The largest list that is read.
    static let largestFile = 1 << 16

    /// Reads all values in their order.
    ///
    /// - Throws: ``OptionError``, which shows nothing of an address behind its host.
    func outputs(_ values: [String]) throws(OptionError) -> [OutputChoice] {
        var outputs: [OutputChoice] = []
        for value in values {
            if value.hasPrefix("@") {
                outputs += try list(at: String(value.dropFirst()))
            } else if value.hasPrefix("env:") {
                outputs.append(try output(ofVariable: String(value.dropFirst(4))))
            } else {
                outputs.append(try OutputChoice(value))
            }
        }
        return outputs
    }

    /// One output a line; empty lines and those that start with # are passed over.
    private func list(at path: String) throws(OptionError) -> [OutputChoice] {
        guard !path.isEmpty else { throw OptionError(.malformed, "'@', expected the path of a list behind it") }
        let bytes: [UInt8]
        do throws(MediaFileError) {
            bytes = try file(path)
        } catch {
            throw OptionError(.unusable, "\(error)")
        }
        var outputs: [OutputChoice] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = line.drop(while: \.isWhitespace).trimmingTrailingBlanks
            if text.isEmpty || text.hasPrefix("#") { continue }
            do throws(OptionError) {
                guard !text.hasPrefix("@") else { throw OptionError(.malformed, "a list in a list") }
                outputs.append(
                    text.hasPrefix("env:")
                        ? try output(ofVariable: String(text.dropFirst(4))) : try OutputChoice(String(text)))
            } catch {
                throw OptionError(error.code, "\(path), line \(index + 1): \(error.description)")
            }
        }
        guard !outputs.isEmpty else { throw OptionError(.unusable, "\(path): no output in it") }
        return outputs
    }

    private func output(ofVariable name: String) throws(OptionError) -> OutputChoice {
        guard !name.isEmpty, let value = variable(name), !value.isEmpty else {
            throw OptionError(.unusable, "'env:\(name)', expected the name of a variable that is set")
        }
        do throws(OptionError) {
            return try OutputChoice(value)
        } catch {
            throw OptionError(error.code, "env:\(name): \(error.description)")
        }
    }
}

extension Substring {
    /// The text without blanks at its end.
    fileprivate var trimmingTrailingBlanks: Substring {
        lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? ""
    }
}
