// SPDX-License-Identifier: MIT

import MediaFiles

/// One encode of a study: what is to be done, where its clip lies, and what reports call it.
struct PointSpec: Codable, Hashable, Sendable {
    /// What decides the result.
    var work: PointWork
    /// Where the clip is read from.
    var path: String
    /// The clip's place in ``Study/clips``.
    var clip: Int
    /// The variant's place in ``Study/variants``.
    var variant: Int
    /// What decides the bits, as the options say it: "crf 21".
    var rate: String
    /// Whether this is the encode at the library's default, which nobody should compare.
    var isDefault: Bool

    enum CodingKeys: String, CodingKey {
        case work, path, clip, variant, rate
        case isDefault = "default"
    }

    /// What tells the pictures of one clip from those of others.
    struct ClipIdentity: Hashable, Sendable {
        fileprivate var path: String
        fileprivate var frameLimit: Int?
    }

    /// Which pictures the point is made of.
    var clipIdentity: ClipIdentity { ClipIdentity(path: path, frameLimit: work.frameLimit) }

    /// Opens the clip once more, from its first picture on.
    ///
    /// One thread decodes it: the cores are busy with other points.
    func open() throws(MediaFileError) -> any VideoSource {
        try VideoInput.open(path: path, rawFormat: work.raw?.format)
    }
}
