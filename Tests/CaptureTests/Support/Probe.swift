// SPDX-License-Identifier: MIT

// captureprobe is built with the tests that name it.
import TestSupport
import Testing
import captureprobe

/// What `captureprobe` prints, read.
struct ProbeReport {
    struct Picture {
        /// Microseconds of the monotonic clock.
        var time: Int64
        var duration: Int64?
        /// Of the luma.
        var mean: Double
    }

    struct Sound {
        var time: Int64
        var frames: Int
        var level: Double
    }

    var lines: [String]
    var pictures: [Picture] = []
    var sounds: [Sound] = []
    var statistics: [String: Int] = [:]
    /// The code and the sentence of an error.
    var error: (code: String, text: String)?

    init(_ text: String) {
        lines = text.split(separator: "\n").map(String.init)
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "picture":
                pictures.append(
                    Picture(time: Int64(words[1]) ?? 0, duration: Int64(words[2]), mean: Double(words[3]) ?? 0))
            case "sound":
                sounds.append(
                    Sound(time: Int64(words[1]) ?? 0, frames: Int(words[2]) ?? 0, level: Double(words[5]) ?? 0))
            case "statistics":
                for index in stride(from: 1, to: words.count - 1, by: 2) {
                    statistics[words[index]] = Int(words[index + 1])
                }
            case "error": error = (words[1], words.dropFirst(2).joined(separator: " "))
            default: break
            }
        }
    }

    /// The line that begins with a word; empty for none.
    func line(_ word: String) -> String { lines.first { $0.hasPrefix("\(word) ") } ?? "" }

    /// Microseconds between neighbouring pictures.
    var intervals: [Int64] { zip(pictures.dropFirst(), pictures).map { $0.time - $1.time } }
}

/// Runs `captureprobe`, which captures in a process of its own.
enum Probe {
    /// The executable, which is built into the same folder as the tests.
    static let path: String = {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return (path.isEmpty ? "." : path) + "/captureprobe"
    }()

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: Variables that it gets beside those of the tests, as `NAME=VALUE`; without the variables of
    ///     displays.
    /// - Returns: What it printed.
    /// - Throws: ``ExternalProgramError`` where it cannot be run.
    static func run(_ arguments: [String], _ environment: [String] = []) async throws -> ProbeReport {
        let cleared = ["-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "PULSE_SERVER"]
        return ProbeReport(try await ExternalProgram("env").run(cleared + environment + [path] + arguments).text)
    }
}
