// SPDX-License-Identifier: MIT

import CommandOptions
package import MediaFiles

/// One encode of a study: what is to be done, where its clip lies, and what reports call it.
package struct PointSpec: Codable, Hashable, Sendable {
    /// What decides the result.
    package var work: PointWork
    /// Where the clip is read from.
    package var path: String
    /// The clip's place in ``Study/clips``.
    package var clip: Int
    /// The variant's place in ``Study/variants``.
    package var variant: Int
    /// What decides the bits, as the options say it: "crf 21".
    package var rate: String
    /// Whether this is the encode at the library's default, which nobody should compare.
    package var isDefault: Bool
    /// The highest bit rate of a rate factor in bit/s; nil for none.
    package var cap: Int?

    package init(
        work: PointWork, path: String, clip: Int, variant: Int, rate: String, isDefault: Bool, cap: Int? = nil
    ) {
        self.work = work
        self.path = path
        self.clip = clip
        self.variant = variant
        self.rate = rate
        self.isDefault = isDefault
        self.cap = cap
    }

    enum CodingKeys: String, CodingKey {
        case work, path, clip, variant, rate
        case isDefault = "default"
        case cap = "cap_bits_per_second"
    }

    /// What tells the pictures of one clip from those of others.
    package struct ClipIdentity: Hashable, Sendable {
        fileprivate var path: String
        fileprivate var firstFrame: Int?
        fileprivate var frameLimit: Int?

        /// Whether all pictures of another are among these.
        package func covers(_ other: ClipIdentity) -> Bool {
            path == other.path && firstFrame == other.firstFrame && frameLimit ?? .max >= other.frameLimit ?? .max
        }
    }

    /// Which pictures the point is made of.
    package var clipIdentity: ClipIdentity {
        ClipIdentity(path: path, firstFrame: work.firstFrame, frameLimit: work.frameLimit)
    }

    /// Opens the clip once more, from its first picture on.
    ///
    /// One thread decodes it: the cores are busy with other points.
    package func open() throws(MediaFileError) -> any VideoSource { evenlyTimed(try openFile()) }

    /// Pictures of the clip as they are encoded: scaled as they are read, where the point is of another size.
    ///
    /// - Parameter pictures: The clip's own pictures.
    /// - Returns: The pictures to encode.
    /// - Throws: ``EncoderBenchError`` where another filter was planned with than there is here, ``MediaFileError``
    ///   where there is none.
    package func scaled(_ pictures: any VideoSource) throws -> any VideoSource {
        guard let scale = work.scaledFrom else { return pictures }
        try scale.check()
        return ScaledSource(pictures, width: work.width, height: work.height)
    }

    /// Opens the clip's file, with the times that it has itself.
    package func openFile() throws(MediaFileError) -> any VideoSource {
        try VideoInput.open(path: path, rawFormat: work.raw?.format)
    }

    /// The pictures of the clip's file that are used, from the first on, with the times that their own come from, where
    /// these are known.
    package func evenlyTimed(_ source: any VideoSource) -> any VideoSource {
        evenlyTimed(wholeFile: work.firstFrame.map { SkippingSource(source, count: $0) } ?? source)
    }

    /// All pictures of the clip's file, likewise.
    package func evenlyTimed(wholeFile source: any VideoSource) -> any VideoSource {
        guard let rate = work.recognizedRate.flatMap({ try? OptionParsing.frameRate($0) }) else { return source }
        return EvenlyTimedSource(source, rate: rate)
    }
}
