// SPDX-License-Identifier: MIT

import BitSyntax

extension FLVVideoTagHeader {
    /// The header of the first video tag in the start of a file; nil without one.
    package static func first(in head: [UInt8]) -> Self? {
        var header = FLVHeader()
        var reader = SyntaxReader(head)
        guard (try? header.code(with: &reader, in: ())) != nil else { return nil }
        var start = header.dataOffset + 4
        while start + FLVTagHeader.byteCount < head.count {
            var reader = SyntaxReader(head[start..<min(start + 64, head.count)])
            var tag = FLVTagHeader()
            var video = Self()
            guard (try? tag.code(with: &reader, in: ())) != nil else { return nil }
            if tag.kind == .video { return (try? video.code(with: &reader, in: ())).map { video } }
            start += FLVTagHeader.byteCount + tag.dataSize + 4
        }
        return nil
    }
}
