// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// A GPU as programs without a display reach it: a file such as /dev/dri/renderD128.
public struct RenderNode: Sendable, Hashable {
    /// The file's path.
    public let path: String

    /// Names a node; whether it can be opened is another question.
    public init(path: String) { self.path = path }

    /// Where Linux keeps render nodes.
    public static let defaultDirectory = "/dev/dri"

    /// The render nodes of a machine, in the order of their numbers.
    ///
    /// - Parameter directory: Where to look.
    /// - Returns: No nodes where the directory is missing, as on a machine without a GPU or in a container.
    public static func all(in directory: String = defaultDirectory) -> [RenderNode] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream), let name = entry.pointer(to: \.d_name.0) {
            let name = String(cString: name)
            if name.hasPrefix("renderD"), Int(name.dropFirst(7)) != nil { names.append(name) }
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }.map { RenderNode(path: "\(directory)/\($0)") }
    }

    /// The group that a user has to join to open the node; nil where that is not known to help: for root, with a mode
    /// that keeps the group out, and where the group is root's or has no name.
    private var group: String? {
        var status = stat()
        guard geteuid() != 0, stat(path, &status) == 0, status.st_mode & 0o060 == 0o060, status.st_gid != 0,
            let entry = getgrgid(status.st_gid)
        else { return nil }
        return String(cString: entry.pointee.gr_name)
    }

    /// Opens the node for reading and writing.
    ///
    /// - Throws: `EncoderError` that says how to get access, where that is known.
    func open() throws(EncoderError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor < 0 else { return descriptor }
        let code = errno
        let advice =
            code == EACCES ? group.map { ": add the user to the group \"\($0)\" and log in again" } ?? "" : ""
        throw EncoderError(
            .backendFailure, reason: "\(path): \(String(cString: strerror(code)))\(advice)", status: Int(code))
    }
}
