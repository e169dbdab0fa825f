// SPDX-License-Identifier: MIT

/// Whether an FLV file ends as one must: libavformat takes a cut file for a complete one.
enum FLVExtent {
    /// Looks at the end of a file on disk: the size of the last tag, with that tag before it (Adobe's specification
    /// 10.1, annex E.3).
    ///
    /// - Returns: True also for what cannot be looked at.
    static func isComplete(_ file: InputFile) throws(MediaFileError) -> Bool {
        guard let size = file.size, let last = try number(in: file, at: size - 4, byteCount: 4) else { return true }
        let tag = size - 4 - last
        guard tag >= 9, let dataSize = try number(in: file, at: tag + 1, byteCount: 3) else { return false }
        return dataSize + 11 == last
    }

    private static func number(in file: InputFile, at offset: Int64, byteCount: Int) throws(MediaFileError) -> Int64? {
        guard offset >= 0, file.seek(to: offset) else { return nil }
        let bytes = try file.peek(byteCount)
        return bytes.count == byteCount ? bytes.reduce(0) { $0 << 8 | Int64($1) } : nil
    }
}
