// SPDX-License-Identifier: MIT

import LibAV

/// How a container of an output is written.
public struct ContainerOptions: Sendable, Hashable {
    /// Whether parameter sets stand in the samples too, so that MP4 and MOV go on when the format changes (`avc3`,
    /// `hev1`); off by default, because some players insist on `avc1` and `hvc1`.
    public var carriesParameterSets = false
    /// Degrees by which players turn the pictures clockwise, in MP4 and MOV: 0, 90, 180 or 270; 0 by default.
    public var rotation = 0
    /// Ticks per second of pictures in MP4 and MOV, 1 or more; 90,000 by default, in which times of 24, 25, 30 and
    /// 30000/1001 frames per second are whole numbers.
    public var videoTimescale: Int32 = 90_000
    /// Whether fragments become files of their own.
    var isSegmented = false

    /// The defaults.
    public init() {}

    /// - Throws: ``PublishingError`` with `.invalidValue` for a value out of its range, `.unsupported` for one that
    ///   only MP4 and MOV have.
    func check(_ container: Container) throws(PublishingError) {
        guard [0, 90, 180, 270].contains(rotation) else {
            throw PublishingError(.invalidValue, reason: "rotation \(rotation), expected 0, 90, 180 or 270")
        }
        guard videoTimescale > 0 else {
            throw PublishingError(.invalidValue, reason: "timescale \(videoTimescale), expected 1 or more")
        }
        let isISO = container.libAVContainer?.isISO ?? false
        guard rotation == 0 || isISO else {
            throw PublishingError(
                .unsupported,
                reason: "rotation \(rotation) in \(container.name), expected MP4 or MOV, or turned pictures")
        }
        guard !carriesParameterSets || isISO else {
            throw PublishingError(
                .unsupported, reason: "parameter sets in the samples of \(container.name), expected MP4 or MOV")
        }
    }
}
