// SPDX-License-Identifier: MIT

import Glibc

/// An X server without a screen of its own, for one test.
public struct XServer: Sendable {
    /// Its display, such as ":5".
    public let display: String
    private let server: PeerProgram

    /// Starts one on a free display; nil where it does not come up in time.
    public init?(
        in folder: borrowing TemporaryDirectory, size: String = "160x120", _ options: [String] = []
    ) async throws {
        mkdir("/tmp/.X11-unix", 0o1777)
        let log = folder.path("xvfb.log")
        // The server writes its number where the log is.
        server = try PeerProgram(
            "Xvfb", ["-displayfd", "1", "-noreset", "-screen", "0", "\(size)x24", "-nolisten", "tcp"] + options,
            log: log)
        let server = server
        guard await eventually({ Self.number(server.output) != nil }), let number = Self.number(server.output) else {
            return nil
        }
        display = ":\(number)"
    }

    /// The number among what the server wrote.
    private static func number(_ output: String) -> Int? {
        guard output.hasSuffix("\n") else { return nil }
        return output.split(separator: "\n").compactMap { Int($0) }.first
    }

    /// Paints the whole screen.
    public func paint(_ color: String) async throws {
        try await ExternalProgram("xsetroot").run(["-display", display, "-solid", color])
    }

    /// Lets it stand still.
    public func pause() { server.signal(SIGSTOP) }

    /// Lets it go on.
    public func goOn() { server.signal(SIGCONT) }

    /// Ends it at once.
    public func end() { server.signal(SIGKILL) }
}
