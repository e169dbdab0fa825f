// SPDX-License-Identifier: MIT

/// A screen of an X server: `HOST:DISPLAY.SCREEN+X,Y`, of which only the display has to be there.
struct ScreenName: Sendable, Hashable {
    /// Where the server is; empty for this machine, and `unix` for its socket.
    var host = ""
    /// The server's number; nil for the display that the environment names.
    var display: Int?
    /// One of its screens; nil for the server's default.
    var screen: Int?
    /// The first column and row that are captured.
    var origin = (x: 0, y: 0)

    /// The largest number of a display: TCP has no port for others.
    static let lastDisplay = 59_535
    private static let lastPlace = 65_535

    static func == (left: ScreenName, right: ScreenName) -> Bool {
        left.host == right.host && left.display == right.display && left.screen == right.screen
            && left.origin == right.origin
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(display)
    }

    /// - Throws: ``CaptureError`` with `.invalidValue`.
    init(_ text: String) throws(CaptureError) {
        func refused() -> CaptureError {
            CaptureError(
                .invalidValue,
                reason:
                    "'x11:\(text)', expected x11: for the environment's DISPLAY, or x11:HOST:DISPLAY.SCREEN+X,Y with "
                    + "a display of 0...\(Self.lastDisplay), as x11::0+10,20")
        }
        func number(_ text: Substring, _ range: ClosedRange<Int>) throws(CaptureError) -> Int {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
            else { throw refused() }
            return number
        }
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let place = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            guard place.count == 2 else { throw refused() }
            origin = (
                try number(place[0], 0...Self.lastPlace), try number(place[1], 0...Self.lastPlace)
            )
        }
        let server = parts[0]
        guard !server.isEmpty else { return }
        guard let colon = server.lastIndex(of: ":") else { throw refused() }
        host = String(server[..<colon])
        guard host.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0 != "," && $0.value != 0x7F }) else {
            throw refused()
        }
        let numbers = server[server.index(after: colon)...].split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(numbers.count) else { throw refused() }
        display = try number(numbers[0], 0...Self.lastDisplay)
        if numbers.count == 2 { screen = try number(numbers[1], 0...255) }
    }

    /// The display's name as libraries of X read it; nil where the environment's is taken.
    var displayName: String? {
        display.map { "\(host):\($0)" + (screen.map { ".\($0)" } ?? "") }
    }

    /// The socket that a server of this machine listens on; nil for others.
    var socket: String? {
        guard let display, host.isEmpty || host == "unix" else { return nil }
        return "/tmp/.X11-unix/X\(display)"
    }
}
