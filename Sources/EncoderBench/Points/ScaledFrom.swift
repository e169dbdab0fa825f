// SPDX-License-Identifier: MIT

package import CommandOptions
package import MediaFiles

/// The size that pictures of a clip have which are encoded in another, and what scales them.
package struct ScaledFrom: Codable, Hashable, Sendable {
    package var width: Int
    package var height: Int
    /// What scales them, down to the encode's size and back to be compared, as ``PictureScaler/maker()`` says it.
    package var filter: String

    package init(width: Int, height: Int, filter: String) {
        self.width = width
        self.height = height
        self.filter = filter
    }

    /// A clip's size, with what scales on this machine.
    ///
    /// - Throws: ``MediaFileError`` with `.libraryMissing` where nothing does.
    package init(_ size: PictureSize) throws(MediaFileError) {
        self.init(width: size.width, height: size.height, filter: try PictureScaler.maker())
    }

    /// Refuses to scale for somebody who planned with another library.
    ///
    /// - Throws: ``EncoderBenchError`` that names both; ``MediaFileError`` with `.libraryMissing`.
    package func check() throws {
        let here = try PictureScaler.maker()
        guard here == filter else {
            throw EncoderBenchError(
                .notComparable, reason: "pictures were planned to be scaled by \(filter), here it is \(here)")
        }
    }
}

extension ClipFacts {
    /// The size of its pictures.
    package var size: PictureSize { PictureSize(width: width, height: height) }
}

extension ClipInput.Clip {
    /// What is known of the clip with pictures of another size; the file stays what it is.
    package func scaled(to size: PictureSize?) -> ClipInput.Clip {
        guard let size else { return self }
        return ClipInput.Clip(facts: facts, info: info.scaled(toWidth: size.width, height: size.height))
    }
}
