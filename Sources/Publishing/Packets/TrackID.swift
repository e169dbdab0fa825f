// SPDX-License-Identifier: MIT

/// Which stream of a recording or push a packet belongs to.
public struct TrackID: Sendable, Hashable {
    /// What a track carries.
    ///
    /// Closed: containers here hold nothing else.
    public enum Kind: String, Sendable, Hashable {
        /// Coded pictures.
        case video
        /// Coded sound.
        case audio
    }

    /// What the track carries.
    public let kind: Kind
    /// Tells tracks of one kind apart, from 0 on.
    public let number: Int

    /// Names a track.
    public init(_ kind: Kind, number: Int = 0) {
        self.kind = kind
        self.number = number
    }

    /// The first, usually the only, track of pictures.
    public static let video = TrackID(.video)
    /// The first, usually the only, track of sound.
    public static let audio = TrackID(.audio)
}

extension TrackID: CustomStringConvertible {
    /// "video", or "audio 1" for any but the first of its kind.
    public var description: String { number == 0 ? kind.rawValue : "\(kind.rawValue) \(number)" }
}
