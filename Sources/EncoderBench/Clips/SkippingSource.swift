// SPDX-License-Identifier: MIT

package import MediaFiles

/// A source from one of its pictures on: those before are read and let go.
package final class SkippingSource: VideoSource {
    private let original: any VideoSource
    private var remaining: Int

    /// - Parameters:
    ///   - original: What is read.
    ///   - count: Pictures that are left out, 0 or more.
    package init(_ original: any VideoSource, count: Int) {
        self.original = original
        remaining = count
    }

    package var info: VideoSourceInfo {
        var info = original.info
        info.frameCount = info.frameCount.map { max(0, $0 - remaining) }
        return info
    }

    package var byteOffset: Int64 { original.byteOffset }

    package func next() throws(MediaFileError) -> SourceFrame? {
        while remaining > 0 {
            remaining -= 1
            guard try original.next() != nil else {
                remaining = 0
                return nil
            }
        }
        return try original.next()
    }
}
