// SPDX-License-Identifier: MIT

import ParameterSets

extension EncoderProgram {
    /// ffmpeg with the library behind the program and the program's own options.
    ///
    /// - Parameters:
    ///   - words: The program, its options, "-o", the output, and the input.
    ///   - ffmpeg: What ffmpeg is called by.
    /// - Returns: Words of a command line.
    package func ffmpeg(_ words: [String], ffmpeg: String = "ffmpeg") -> [String] {
        var (named, parameters): ([String], [String]) = ([], [])
        var options = words.dropFirst().dropLast(3)
        while let option = options.popFirst() {
            let name = String(option.drop { $0 == "-" })
            let value = options.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
            if value != nil { options.removeFirst() }
            switch name {
            case "preset", "tune": named += ["-" + name] + (value.map { [$0] } ?? [])
            // The pictures say it themselves.
            case "output-depth": break
            default: parameters.append(name + "=" + Self.escaped(value ?? "1"))
            }
        }
        return [ffmpeg, "-v", "error", "-nostdin", "-y", "-i", words[words.count - 1], "-c:v", "lib" + name] + named
            + ["-\(name)-params", parameters.joined(separator: ":"), "-f", codec.rawValue, words[words.count - 2]]
    }

    /// A value in a list that is separated by colons.
    private static func escaped(_ value: String) -> String {
        value.map { "\\':".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
