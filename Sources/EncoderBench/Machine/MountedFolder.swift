// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc
import MediaFiles

/// What kind of file system a folder is on.
package enum MountedFolder {
    /// Whether what is in a folder is in memory, and on no disk; false where the system does not tell.
    package static func isInMemory(_ path: String) -> Bool {
        guard let resolved = realpath(path.fileName, nil) else { return false }
        defer { free(resolved) }
        let mounts = SmallFile.text("/proc/self/mounts") ?? ""
        return ["tmpfs", "ramfs"].contains(type(of: String(cString: resolved), mounts: mounts))
    }

    /// The type of the file system that a path is on, by the lines "device folder type options 0 0" of a
    /// /proc/self/mounts: that of the longest folder above it, the last of several; nil where there is none.
    package static func type(of path: String, mounts: String) -> String? {
        var found: (folder: Substring, type: Substring)?
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2 else { continue }
            let folder = words[1]
            let isAbove = folder == "/" || path == folder || path.hasPrefix(folder + "/")
            if isAbove, folder.count >= found?.folder.count ?? 0 { found = (folder, words[2]) }
        }
        return found.map { String($0.type) }
    }
}
