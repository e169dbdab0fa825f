// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles

/// What is in a folder.
package enum FolderListing {
    /// The names in a folder, in order; nil when it cannot be read, with the reason in `errno`.
    package static func names(_ path: String) -> [String]? {
        guard let folder = opendir(path.fileName) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(fileName: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
