// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles

/// The outputs that the values of `--to` stand for: one each, those of a file, or of a variable of the environment.
///
/// A process list shows all values on the command line to everybody on the machine, but neither of the others.
struct OutputList {
    /// The value of a variable; nil where it is not set.
    let variable: (String) -> String?
    /// Names of encodings, which may stand before an output.
    var encodings: Set<String> = []
    /// The bytes of a file.
    let file: (String) throws(MediaFileError) -> [UInt8]

    /// The largest list that is read.
    static let largestFile = 1 << 16

    /// Reads all values in their order.
    ///
    /// - Throws: ``OptionError``, which shows nothing of an address behind its host, and nothing of any other text of a
    ///   file or variable: that may be a key alone.
    func outputs(_ values: [String]) throws(OptionError) -> [PlannedOutput] {
        var outputs: [PlannedOutput] = []
        for value in values {
            let (encoding, text) = PlannedOutput.parts(value, encodings: encodings)
            guard text.hasPrefix("@") else {
                outputs.append(try output(value))
                continue
            }
            for output in try list(at: String(text.dropFirst())) { outputs.append(try output.named(encoding)) }
        }
        return outputs
    }

    /// One output a line; empty lines and those that start with # are passed over.
    private func list(at path: String) throws(OptionError) -> [PlannedOutput] {
        guard !path.isEmpty else { throw OptionError(.malformed, "'@', expected the path of a list behind it") }
        let bytes: [UInt8]
        do throws(MediaFileError) {
            bytes = try file(path)
        } catch {
            throw OptionError(.unusable, "\(error)")
        }
        var outputs: [PlannedOutput] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = line.drop(while: \.isWhitespace).trimmingTrailingBlanks
            if text.isEmpty || text.hasPrefix("#") { continue }
            do throws(OptionError) {
                guard !PlannedOutput.parts(String(text), encodings: encodings).rest.hasPrefix("@") else {
                    throw OptionError(.malformed, "a list in a list")
                }
                outputs.append(try output(String(text), isSecret: true))
            } catch {
                throw OptionError(error.code, "\(path), line \(index + 1): \(error.description)")
            }
        }
        guard !outputs.isEmpty else { throw OptionError(.unusable, "\(path): no output in it") }
        return outputs
    }

    /// One output, of a variable where it names one.
    private func output(_ text: String, isSecret: Bool = false) throws(OptionError) -> PlannedOutput {
        let (encoding, rest) = PlannedOutput.parts(text, encodings: encodings)
        guard rest.hasPrefix("env:") else { return try PlannedOutput(text, encodings: encodings, isSecret: isSecret) }
        let name = String(rest.dropFirst(4))
        guard !name.isEmpty, let value = variable(name), !value.isEmpty else {
            throw OptionError(.unusable, "'env:\(name)', expected the name of a variable that is set")
        }
        do throws(OptionError) {
            return try PlannedOutput(value, encodings: encodings, isSecret: true).named(encoding)
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
