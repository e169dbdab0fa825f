// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Glibc

/// Sole owner of what a `VADisplay` lives on: a descriptor, a connection to an X server, or nothing.
struct VAConnection: ~Copyable {
    /// Not yet initialised, unless ``isOfProgram``.
    let display: VADisplay
    private let resource: Resource
    private let library: VALibrary

    private enum Resource {
        case descriptor(Int32)
        case x11(UnsafeMutableRawPointer)
        case program
    }

    /// Opens the node or the connection.
    ///
    /// - Throws: ``EncoderError`` with `.noEncoder` where a library is missing, `.backendFailure` where the node does
    ///   not open (with `errno` as its status) or no X server answers, `.outOfMemory`, or `.invalidValue` for a
    ///   `VADisplay` that is NULL.
    init(to device: VADevice, library: VALibrary) throws(EncoderError) {
        self.library = library
        switch device.origin {
        case .node(let node): (display, resource) = try Self.open(node, library)
        case .x11(let name): (display, resource) = try Self.connect(name, library)
        case .program(let address):
            guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else {
                throw EncoderError(.invalidValue, reason: "\(device): its VADisplay is NULL")
            }
            (display, resource) = (pointer, .program)
        }
    }

    deinit {
        switch resource {
        case .descriptor(let descriptor): close(descriptor)
        case .x11(let connection):
            // As a driver's call: an exit runs the destructors of X's libraries too.
            _ = library.status { calls in
                _ = calls.XCloseDisplay(connection)
                return VA_STATUS_SUCCESS
            }
        case .program: break
        }
    }

    /// Whether the program initialised the display, and will terminate it.
    var isOfProgram: Bool {
        if case .program = resource { true } else { false }
    }

    private static func open(_ node: RenderNode, _ library: VALibrary) throws(EncoderError) -> (VADisplay, Resource) {
        guard let getDisplay = library.call.vaGetDisplayDRM else {
            throw missing(library.call.no_drm, "libva-drm.so.2 has no vaGetDisplayDRM")
        }
        let descriptor = try node.open()
        guard let display = getDisplay(descriptor) else {
            close(descriptor)
            throw EncoderError(.backendFailure, reason: "\(node.path): libva knows no such device")
        }
        return (display, .descriptor(descriptor))
    }

    private static func connect(_ name: String?, _ library: VALibrary) throws(EncoderError) -> (VADisplay, Resource) {
        guard let open = library.call.XOpenDisplay, let getDisplay = library.call.vaGetDisplay else {
            throw missing(library.call.no_x11, "libva-x11.so.2 has no vaGetDisplay, or libX11.so.6 no XOpenDisplay")
        }
        guard let connection = open(name) else {
            guard let name = name ?? getenv("DISPLAY").map({ String(cString: $0) }) else {
                throw EncoderError(
                    .backendFailure, reason: "no X server is named, the environment variable DISPLAY is not set")
            }
            throw EncoderError(.backendFailure, reason: "no X server answers at the display \"\(name)\"")
        }
        guard let display = getDisplay(connection) else {
            _ = library.call.XCloseDisplay(connection)
            throw EncoderError(.outOfMemory, reason: "vaGetDisplay returned NULL")
        }
        return (display, .x11(connection))
    }

    /// The error of a library that does not open, with its reason, or that opens and lacks a function.
    private static func missing(_ reason: UnsafePointer<CChar>?, _ lacking: String) -> EncoderError {
        EncoderError(.noEncoder, reason: reason.map { String(cString: $0) } ?? lacking)
    }
}
