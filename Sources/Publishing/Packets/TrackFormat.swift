// SPDX-License-Identifier: MIT

public import EncoderAPI

/// What a container must know of a track before its first packet.
public enum TrackFormat: Sendable, Hashable {
    /// Codec, size and parameter sets of pictures.
    case video(FormatDescription)
    /// Codec, rate and channels of sound.
    case audio(AudioFormat)

    /// What tracks of the format carry.
    public var kind: TrackID.Kind {
        switch self {
        case .video: .video
        case .audio: .audio
        }
    }

    /// The same of values that share their memory; others may be equal all the same.
    var identity: ObjectIdentifier {
        switch self {
        case .video(let format): format.identity
        case .audio(let format): format.identity
        }
    }

    /// The format of pictures; nil for one of sound.
    public var video: FormatDescription? { if case .video(let format) = self { format } else { nil } }

    /// The format of sound; nil for one of pictures.
    public var audio: AudioFormat? { if case .audio(let format) = self { format } else { nil } }
}
