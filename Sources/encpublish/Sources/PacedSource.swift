// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles

/// A source that gives its pictures no sooner than their times say, and only those of its first seconds.
final class PacedSource: VideoSource {
    private let source: any VideoSource
    private var pacer: Pacer?
    private let duration: Double?
    private var first: MediaTime?

    /// Wraps a source.
    ///
    /// - Parameters:
    ///   - source: Gives the pictures.
    ///   - isPaced: Whether to wait for their times.
    ///   - duration: Seconds after the first picture from which on none is given; nil for all.
    init(_ source: any VideoSource, isPaced: Bool, duration: Double?) {
        self.source = source
        pacer = isPaced ? Pacer() : nil
        self.duration = duration
    }

    var info: VideoSourceInfo { source.info }
    var byteOffset: Int64 { source.byteOffset }

    func next() throws(MediaFileError) -> SourceFrame? {
        guard let frame = try source.next() else { return nil }
        let first = first ?? frame.presentationTime
        self.first = first
        if let duration, (frame.presentationTime - first).seconds >= duration { return nil }
        if let due = pacer?.due(frame.presentationTime, now: MonotonicTime.seconds) {
            MonotonicTime.sleep(until: due)
        }
        return frame
    }
}
