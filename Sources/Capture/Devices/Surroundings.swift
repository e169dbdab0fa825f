// SPDX-License-Identifier: MIT

import Glibc

/// What the machine says beside a library's status, by which a missing device is told from a forbidden one.
struct Surroundings: Sendable, Hashable {
    /// The environment's `DISPLAY`; nil where there is none.
    var display: String?
    /// The environment's `WAYLAND_DISPLAY`; nil where there is none.
    var waylandDisplay: String?
    /// Whether a path leads to something.
    var existing: Set<String> = []

    /// Nothing is there.
    init() {}

    /// Looks around.
    ///
    /// - Parameter paths: Those to look for.
    init(lookingFor paths: [String]) {
        display = Self.variable("DISPLAY")
        waylandDisplay = Self.variable("WAYLAND_DISPLAY")
        existing = Set(paths.filter { access($0, F_OK) == 0 })
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
