// SPDX-License-Identifier: MIT

public import ParameterSets

/// What a file says about itself before its NAL units.
public struct StreamSummary: Equatable, Sendable {
    /// What holds units in a container.
    public enum Container: Sendable {
        /// MP4, Matroska, TS and whatever else libavformat opens.
        case packets
        /// FLV.
        case tags
    }

    /// The file as it was named.
    public var path: String
    /// What the file is, for people.
    public var format: String
    /// The codec of all its units.
    public var codec: VideoCodec
    /// What units come in; nil for a byte stream.
    public var container: Container?
    /// avcC or hvcC field by field; empty where there is none.
    public var record: [SyntaxElement] = []
}
