// SPDX-License-Identifier: MIT

/// Opens video of any kind; its content decides what it is, not its name.
package enum VideoInput {
    /// Opens a file or pipe.
    ///
    /// - Parameters:
    ///   - path: "-" for standard input.
    ///   - rawFormat: Set for bare samples without a header, which nothing else can describe.
    /// - Returns: A source before its first picture.
    /// - Throws: ``MediaFileError``.
    package static func open(
        path: String, rawFormat: RawVideoFormat? = nil
    ) throws(MediaFileError) -> any VideoSource {
        let file = try InputFile(path: path)
        if let rawFormat { return try RawVideoReader(file, format: rawFormat) }
        let start = try file.peek(Y4MHeader.magic.count)
        if start.isEmpty {
            throw MediaFileError(.truncated, reason: "the file is empty", path: path, byteOffset: 0)
        }
        guard start.elementsEqual(Y4MHeader.magic) else {
            throw MediaFileError(.unsupported, reason: "not a YUV4MPEG2 file", path: path, byteOffset: 0)
        }
        return try Y4MReader(file)
    }
}
