// SPDX-License-Identifier: MIT

import Glibc

/// What the machine says beside a library's status, by which a missing device is told from a forbidden one.
struct Surroundings: Sendable, Hashable {
    /// The environment's `DISPLAY`; nil where there is none.
    var display: String?
    /// The environment's `WAYLAND_DISPLAY`; nil where there is none.
    var waylandDisplay: String?
    /// Sockets at which a server takes connections.
    var answering: Set<String> = []

    /// Nothing is there.
    init() {}

    /// Looks around.
    ///
    /// - Parameter sockets: Paths of sockets to look for: a server that was killed leaves one behind.
    init(lookingFor sockets: [String]) {
        display = Self.variable("DISPLAY")
        waylandDisplay = Self.variable("WAYLAND_DISPLAY")
        answering = Set(sockets.filter(Self.answers))
    }

    /// Whether a server takes a connection, or would if it had not so many; does not wait.
    static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let file = socket(AF_UNIX, kind, 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return status == 0 || errno == EAGAIN
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The screen of an X server that a name means.
    ///
    /// - Throws: ``CaptureError`` with `.missing` where none is named, `.unsupported` where the environment's display
    ///   is that of Wayland's Xwayland, which shows programs but no screen.
    func displayName(_ screen: ScreenName, _ source: CaptureSource) throws(CaptureError) -> String {
        if let name = screen.displayName { return name }
        if let waylandDisplay {
            throw CaptureError(
                .unsupported,
                reason: "this session is Wayland's (WAYLAND_DISPLAY is \(DeviceText.oneLine(waylandDisplay))), whose "
                    + "screen no X server has; \(CaptureSource.waylandCure)", source: source.description)
        }
        guard let display else {
            throw CaptureError(
                .missing,
                reason:
                    "no display is named and DISPLAY is not set; name one as x11::0, or start one: `Xvfb :9 -screen 0 "
                    + "1280x720x24` (package xvfb)", source: source.description)
        }
        return display
    }
}
