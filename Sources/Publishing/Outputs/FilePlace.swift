// SPDX-License-Identifier: MIT

import Glibc
import MediaIO

/// Tells whether two paths lead to one file.
enum FilePlace {
    /// Whether both paths name one file or folder, which need not be there yet; no device is taken for one.
    static func isSame(_ first: String, _ second: String) -> Bool {
        guard first != "-", second != "-" else { return first == second }
        switch (status(first), status(second)) {
        case (let first?, let second?):
            return isSame(first, second) && first.st_mode & S_IFMT != S_IFCHR
        case (nil, nil):
            let (first, second) = (split(first), split(second))
            guard first.name == second.name, let one = status(first.folder), let other = status(second.folder) else {
                return false
            }
            return isSame(one, other)
        default: return false
        }
    }

    private static func isSame(_ first: stat, _ second: stat) -> Bool {
        first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path.fileName, &status) == 0 ? status : nil
    }

    private static func split(_ path: String) -> (folder: String, name: Substring) {
        let path = path.last == "/" ? path.dropLast() : path[...]
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), path[path.index(after: slash)...])
    }
}
