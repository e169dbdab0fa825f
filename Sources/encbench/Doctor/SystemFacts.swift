// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc

/// What a report of hardware needs to know of the system, and no more: neither its name nor its user's.
struct SystemFacts: Codable, Equatable, Sendable {
    /// "Debian GNU/Linux 12 (bookworm)".
    var distribution: String?
    /// The kernel's release: "6.1.0-18-amd64".
    var kernel: String
    /// "x86_64".
    var architecture: String

    /// Asks this machine.
    static func current() -> SystemFacts {
        var name = utsname()
        uname(&name)
        return SystemFacts(
            distribution: SmallFile.text("/etc/os-release").flatMap(distribution(osRelease:)),
            kernel: withUnsafeBytes(of: &name.release, Self.text),
            architecture: withUnsafeBytes(of: &name.machine, Self.text))
    }

    /// The value of PRETTY_NAME in os-release, which may be quoted.
    static func distribution(osRelease: String) -> String? {
        let key = "PRETTY_NAME="
        guard let line = osRelease.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        return String(line.dropFirst(key.count).filter { $0 != "\"" })
    }

    /// Whether os-release is that of Debian 12, where the names of packages were tried.
    static func isDebian(osRelease: String) -> Bool {
        let lines = osRelease.split(separator: "\n").map { $0.filter { $0 != "\"" } }
        return lines.contains("ID=debian") && lines.contains("VERSION_ID=12")
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// Takes from messages what tells where somebody keeps files.
enum Privacy {
    /// Folders that are alike on all machines.
    private static let commonFolders = ["/dev/", "/sys/", "/usr/", "/lib/", "/etc/", "/proc/"]

    /// The path, where it is alike on all machines, or else cut down to its last component.
    static func shortened(_ path: some StringProtocol) -> String {
        let components = path.split(separator: "/")
        // What is shared in memory is somebody's files, and two dots may lead anywhere.
        let isCommon =
            commonFolders.contains { path.hasPrefix($0) } && !path.hasPrefix("/dev/shm/") && !components.contains("..")
        return isCommon ? String(path) : "…/" + (components.last ?? "")
    }

    /// The message with each path that is not alike on all machines cut down to its last component.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - paths: Paths that it may have, which need not end at a space.
    /// - Returns: The message, shorter.
    static func withoutPaths(_ message: String, naming paths: [String] = []) -> String {
        var text = ""
        var rest = paths.reduce(message) { $0.replacing($1, with: shortened($1)) }[...]
        while let slash = rest.firstIndex(of: "/") {
            let path = rest[slash...].prefix { !$0.isWhitespace && !"\"'(),;:".contains($0) }
            text += rest[..<slash]
            // "bit/s", and what was cut down before.
            let isPath = text.last.map { !$0.isLetter && $0 != "…" } ?? true
            text += isPath ? shortened(path) : String(path)
            rest = rest[path.endIndex...]
        }
        return text + rest
    }
}
