// SPDX-License-Identifier: MIT

/// A way to a VA-API driver: a render node, a connection to an X server, or a display that the program has already.
public struct VADevice: Sendable, Hashable, CustomStringConvertible {
    enum Origin: Sendable, Hashable {
        case node(RenderNode)
        case x11(display: String?)
        /// A `VADisplay` as a number: the program answers for it.
        case program(address: UInt)
    }

    let origin: Origin
    /// What stands for the device in the identities of its encoders: "renderD128", "x11", "x11:1".
    public let name: String
    /// How `EncoderSelection` names the device: the node's path, else ``name``.
    public let description: String

    /// A GPU as programs without a display reach it; the driver is loaded when its encoders are listed.
    ///
    /// - Parameter node: One of ``RenderNode/all(in:)``, or one whose path is known.
    /// - Returns: A device that is named after the node's file.
    public static func renderNode(_ node: RenderNode) -> VADevice {
        VADevice(.node(node), name: node.path.split(separator: "/").last.map(String.init) ?? "", description: node.path)
    }

    /// The GPU behind an X server, over a connection of its own.
    ///
    /// - Parameter display: The server, such as ":1"; nil for the one that the environment variable DISPLAY names.
    /// - Returns: A device that is named "x11", with the server behind it where one is given.
    public static func x11(display: String? = nil) -> VADevice {
        let name = "x11\(display ?? "")"
        return VADevice(.x11(display: display), name: name, description: name)
    }

    /// A `VADisplay` of the program's, initialised.
    ///
    /// - Parameters:
    ///   - display: Must stay initialised until the back end, its sessions and their pictures are gone; it is not
    ///     terminated, and its message callbacks stay as they are.
    ///   - name: What stands for the device in the identities of its encoders; no other device's.
    /// - Returns: A device of that name.
    public static func display(_ display: UnsafeMutableRawPointer, name: String) -> VADevice {
        VADevice(.program(address: UInt(bitPattern: display)), name: name, description: name)
    }

    /// Whether another connection to it can be made: a display of the program's is the only one.
    var canReopen: Bool {
        if case .program = origin { false } else { true }
    }

    init(_ origin: Origin, name: String, description: String) {
        self.origin = origin
        self.name = name
        self.description = description
    }
}
