// SPDX-License-Identifier: MIT

package import MediaIO

extension FilePlace {
    /// Whether a path names a file that a folder of segments has, or may come to have.
    package static func isFile(_ path: String, of folder: SegmentFolder) -> Bool {
        guard path != "-" else { return false }
        let (parent, name) = folderAndName(of: path)
        return folder.writes(name) && isSame(parent, folder.path)
    }
}
