// SPDX-License-Identifier: MIT

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

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// Takes from messages what tells where somebody keeps files.
enum Privacy {
    /// Folders that are alike on all machines.
    private static let commonFolders = ["/dev/", "/sys/", "/usr/", "/lib/", "/etc/", "/proc/"]

    /// The message with each other path cut down to its last component.
    static func withoutPaths(_ message: String) -> String {
        var text = ""
        var rest = message[...]
        while let slash = rest.firstIndex(of: "/") {
            let path = rest[slash...].prefix { !$0.isWhitespace && !"\"'(),;:".contains($0) }
            let isPath =
                slash == rest.startIndex ? !(text.last?.isLetter ?? false) : !rest[rest.index(before: slash)].isLetter
            text += rest[..<slash]
            let isCommon = commonFolders.contains { path.hasPrefix($0) }
            text += isPath && !isCommon ? "…/" + (path.split(separator: "/").last ?? "") : path
            rest = rest[path.endIndex...]
        }
        return text + rest
    }
}
