// SPDX-License-Identifier: MIT

/// What to capture: a kind of device, and which one of it, as `v4l2:/dev/video0`.
public struct CaptureSource: Sendable, Hashable {
    /// A kind of device.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The screen of an X server.
        case x11
        /// A camera, through Video4Linux.
        case v4l2
        /// A sound card, or what is played on one, through PulseAudio or PipeWire's server for it.
        case pulse
        /// Sources and filters of libavfilter.
        case lavfi

        /// Whether it gives pictures; libavfilter gives whatever its graph ends with.
        public var hasPictures: Bool { self != .pulse }
        /// Whether it gives sound; libavfilter gives whatever its graph ends with.
        public var hasSound: Bool { self == .pulse || self == .lavfi }
    }

    /// The kind of device.
    public let kind: Kind
    /// Which one, as ``init(_:)`` says; of a camera always the node's path, empty for the default screen or sound.
    public let place: String

    /// The longest name in bytes.
    static let longest = 65_536
    /// The number of the last node of a camera.
    static let lastCamera = 255

    /// Reads a source's name.
    ///
    /// - `x11:` is the screen of the environment's `DISPLAY`; `x11::1`, `x11::1.0` and `x11:host:1` name one, and
    ///   `+X,Y` behind the display is where the captured part begins, in samples.
    /// - `v4l2:` is `/dev/video0`; `v4l2:2` and `v4l2:/dev/video2` name another.
    /// - `pulse:` is the server's default source; `pulse:NAME` names one, such as `pulse:speakers.monitor`.
    /// - `lavfi:GRAPH` is a graph without inputs, as `lavfi:testsrc2=size=640x360:rate=30`.
    ///
    /// - Throws: ``CaptureError`` with `.invalidValue` for any other text; `.unsupported` for screens of Wayland, with
    ///   what to use instead.
    public init(_ text: String) throws(CaptureError) {
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0) else {
            throw CaptureError(
                .invalidValue,
                reason:
                    "a source's name of \(text.utf8.count) bytes, expected \(Self.longest) at most, and none of them 0"
            )
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let scheme = parts[0].lowercased()
        if Self.wayland.contains(scheme) { throw Self.waylandRefusal(text) }
        guard parts.count == 2, let kind = Kind(rawValue: scheme) else {
            throw CaptureError(
                .invalidValue, reason: "'\(text)', expected x11:DISPLAY, v4l2:NODE, pulse:SOURCE or lavfi:GRAPH")
        }
        let place = String(parts[1])
        self.kind = kind
        switch kind {
        case .x11:
            _ = try ScreenName(place)
            self.place = place
        case .v4l2: self.place = try Self.node(place)
        case .pulse: self.place = try Self.word(place)
        case .lavfi:
            guard !place.isEmpty else {
                throw CaptureError(
                    .invalidValue,
                    reason: "'lavfi:' without a graph, expected one such as lavfi:testsrc2=size=640x360:rate=30")
            }
            self.place = place
        }
    }

    /// Whether a text begins with the name of a kind of source, legal or not.
    public static func isNamed(by text: String) -> Bool {
        guard let end = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<end].lowercased()
        return Kind(rawValue: scheme) != nil || wayland.contains(scheme)
    }

    private static func node(_ place: String) throws(CaptureError) -> String {
        if place.isEmpty { return "/dev/video0" }
        let isNumber = place.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isNumber, let number = Int(place), (0...lastCamera).contains(number) { return "/dev/video\(number)" }
        guard place.hasPrefix("/") else {
            throw CaptureError(
                .invalidValue,
                reason: "'v4l2:\(place)', expected a number 0...\(lastCamera) or a path such as v4l2:/dev/video0")
        }
        return place
    }

    private static func word(_ place: String) throws(CaptureError) -> String {
        guard place.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
            throw CaptureError(
                .invalidValue, reason: "'pulse:\(place)', expected a name without blanks, as `pactl` lists them")
        }
        return place
    }
}

// MARK: - Wayland

extension CaptureSource {
    /// Names that people try for screens of Wayland.
    private static let wayland: Set<String> = ["wayland", "pipewire", "portal", "kmsgrab", "wlroots"]

    /// What to use where a screen belongs to Wayland.
    static let waylandCure =
        "log in to a session on Xorg and use x11:, or show what is to be captured on an X server of its own "
        + "(`Xephyr :9` or `Xvfb :9`) and use x11::9; PipeWire's sound is pulse:"

    private static func waylandRefusal(_ text: String) -> CaptureError {
        CaptureError(
            .unsupported,
            reason:
                "'\(text)': screens of Wayland, which portals and PipeWire give out, cannot be captured; \(waylandCure)"
        )
    }
}

extension CaptureSource: CustomStringConvertible {
    /// The name that ``init(_:)`` reads.
    public var description: String { "\(kind.rawValue):\(place)" }
}
