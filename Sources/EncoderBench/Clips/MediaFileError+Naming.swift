// SPDX-License-Identifier: MIT

import CommandOptions
package import MediaFiles

extension MediaFileError {
    /// The error in the words of somebody who knows nothing of files without names, in which pipes and decoded clips
    /// are kept; other errors are as they are.
    ///
    /// - Parameter clip: What the clip is called that such a file holds.
    /// - Returns: The error with that name in place of the path.
    package func naming(_ clip: String) -> MediaFileError {
        guard let path, path.hasPrefix(UnnamedFile.folder) else { return self }
        return MediaFileError(code, reason: reason, path: clip, byteOffset: byteOffset, status: status)
    }
}
