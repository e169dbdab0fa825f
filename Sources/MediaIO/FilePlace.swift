// SPDX-License-Identifier: MIT

import Glibc

/// Tells whether two paths lead to one file, which need not be there yet.
package enum FilePlace {
    /// Whether both paths name one file or folder; no device is taken for one.
    ///
    /// Links are followed, also those that lead to what is not there yet.
    package static func isSame(_ first: String, _ second: String) -> Bool {
        guard first != "-", second != "-" else { return first == second }
        // Where one is there and the other is not, both may be what was made or removed between the two looks.
        for _ in 0..<3 {
            switch (status(first), status(second)) {
            case (let first?, let second?):
                return Identity(first) == Identity(second) && first.st_mode & S_IFMT != S_IFCHR
            case (nil, nil):
                let (first, second) = (folderAndName(of: first), folderAndName(of: second))
                guard first.name == second.name, let folder = Identity(first.folder) else { return false }
                return folder == Identity(second.folder)
            default: continue
            }
        }
        return false
    }

    /// Whether a path names a pipe or device, which is read once; false for what is not there.
    package static func isStream(_ path: String) -> Bool {
        guard let status = status(path) else { return false }
        return [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Whether a path leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// The folder that a path's last part is in, and that part, behind the links that it may be.
    package static func folderAndName(of path: String) -> (folder: String, name: String) {
        let (folder, name) = split(followed(path))
        return (folder, String(name))
    }

    /// What tells a file or folder from all others.
    package struct Identity: Hashable, Sendable {
        private let device: dev_t
        private let inode: ino_t

        /// What a path leads to; nil where nothing is there.
        package init?(_ path: String) {
            guard let status = FilePlace.status(path) else { return nil }
            self.init(status)
        }

        fileprivate init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path.fileName, &status) == 0 ? status : nil
    }

    /// The path behind the links that its last part may be; as many are followed as the system follows.
    private static func followed(_ path: String) -> String {
        var path = path
        for _ in 0..<40 {
            let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
                guard let base = buffer.baseAddress else { return nil as String? }
                let count = readlink(path.fileName, base, buffer.count)
                return count > 0 ? FileName.text(buffer[..<count].map(UInt8.init(bitPattern:))) : nil
            }
            guard let target else { break }
            path = target.hasPrefix("/") ? target : split(path).folder + "/" + target
        }
        return path
    }

    /// The folder that a path's last part is in, and that part.
    private static func split(_ path: String) -> (folder: String, name: Substring) {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), path[path.index(after: slash)...])
    }
}
