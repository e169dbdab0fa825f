// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Shows the time on a screen and beeps at each full second, and tells when: the program `Tests/CaptureClock/clock.py`.
public struct ScreenClock: Sendable {
    /// The size of its picture.
    public static let size = "128x64"
    /// What it needs, with a sound server.
    public static let programs: [ExternalProgram] = ["Xvfb", "pulseaudio", "pactl", "python3"]

    private let program: PeerProgram
    private let log: String

    /// Starts it; nil where it does not draw and beep in time.
    ///
    /// - Parameters:
    ///   - display: Where it draws.
    ///   - server: Whose card it beeps on; nil for a clock that is silent.
    ///   - folder: For what it tells, and its log.
    /// - Throws: Where it cannot be started.
    public init?(
        on display: String, _ server: PulseServer? = nil, in folder: borrowing TemporaryDirectory
    ) async throws {
        let root = #filePath[..<(#filePath.ranges(of: "/Tests/").last?.lowerBound ?? #filePath.endIndex)]
        let path = folder.path("clock.txt")
        log = path
        program = try PeerProgram(
            "env",
            (server.map { [$0.variable] } ?? []) + [
                "python3", "\(root)/Tests/CaptureClock/clock.py", display, server == nil ? "-" : "cap", path,
            ], log: folder.path("clock.log"))
        let isUp = await eventually {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { return false }
            let account = Account(String(decoding: data, as: UTF8.self))
            return account.drawn.count > 10 && (server == nil || account.heard.count > 10)
        }
        guard isUp else { return nil }
    }

    /// What it told so far; all times are microseconds of the monotonic clock.
    public struct Account {
        /// Pictures: what each shows, and when it was drawn.
        public var drawn: [(from: Int64, until: Int64)] = []
        /// When places of the sound are heard.
        public var heard: [(position: Int64, at: Int64)] = []

        init(_ text: String) {
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 3, let first = Int64(words[1]), let second = Int64(words[2]) else { continue }
                if words[0] == "drawn" { drawn.append((first, second)) } else { heard.append((first, second)) }
            }
        }
    }

    /// What it told so far.
    public var account: Account {
        get throws { Account(String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)) }
    }
}
