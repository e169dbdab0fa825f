// SPDX-License-Identifier: MIT

package import MediaFiles

/// A source from one of its pictures on: those before are gone past, or read and let go where the file does not say
/// where the picture starts.
package final class SkippingSource: VideoSource {
    private let original: any VideoSource
    private let count: Int
    private var isAtStart = true

    /// - Parameters:
    ///   - original: What is read.
    ///   - count: Pictures that are left out, 0 or more.
    package init(_ original: any VideoSource, count: Int) {
        self.original = original
        self.count = count
    }

    package var info: VideoSourceInfo {
        var info = original.info
        info.frameCount = info.frameCount.map { max(0, $0 - count) }
        return info
    }

    package var byteOffset: Int64 { original.byteOffset }

    package func next() throws(MediaFileError) -> SourceFrame? {
        if isAtStart {
            isAtStart = false
            if try !original.skip(count) {
                for _ in 0..<count where try original.next() == nil { return nil }
            }
        }
        return try original.next()
    }
}
