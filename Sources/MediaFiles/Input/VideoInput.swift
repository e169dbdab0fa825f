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
        let start = try file.peek(Y4MHeader.magic.count)
        if start.isEmpty {
            throw MediaFileError(.truncated, reason: "the file is empty", path: file.path, byteOffset: 0)
        }
        let isY4M = start.elementsEqual(Y4MHeader.magic)
        if let rawFormat {
            if isY4M {
                throw MediaFileError(
                    .invalidValue, reason: "a size is given as for raw video, but the file has a YUV4MPEG2 header",
                    path: file.path)
            }
            return try RawVideoReader(file, format: rawFormat)
        }
        // What has to be converted to 4:2:0 is converted alike, whatever file it comes in.
        guard isY4M, try !Y4MHeader.hasForeignChroma(file.peek(Y4MHeader.longestLine)) else {
            return try LibAVReader(file)
        }
        return try Y4MReader(file)
    }
}
