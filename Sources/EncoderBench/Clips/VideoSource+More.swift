// SPDX-License-Identifier: MIT

import MediaFiles

extension VideoSource {
    /// Reads on behind the last picture that is used: whether anything is there, which may be damaged.
    func hasMore() -> Bool {
        do throws(MediaFileError) { return try next() != nil } catch { return true }
    }
}
