// SPDX-License-Identifier: MIT

package import FLV
package import MediaIO

extension FLVVideoTagHeader {
    /// The header of the first video tag within the first 16 MiB of a file, which stay to be read; nil without one.
    ///
    /// - Throws: ``MediaFileError`` with `.readFailed`.
    package init?(firstIn file: InputFile) throws(MediaFileError) {
        for size in [1 << 16, 1 << 20, 1 << 24] {
            let head = Array(try file.peek(size))
            if let video = Self.first(in: head) {
                self = video
                return
            }
            if head.count < size { return nil }
        }
        return nil
    }
}

extension FLVTagReader<MediaFileError> {
    /// Reads a file from its start, which nothing has been read of.
    package init(_ file: InputFile) {
        self.init { bytes throws(MediaFileError) in try file.read(into: bytes) }
    }
}
