// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import Synchronization

/// Takes the frames of a session as they come, decodes them, and compares each picture with the clip's.
///
/// The clip is read once more for this, in step with the decoder, so that no more pictures are in memory than the decoder
/// holds. Pictures are matched by number in display order, never by time: a time that is rounded the other way would
/// compare each picture with its neighbour.
final class QualityWriter: EncodedFrameWriter {
    /// What came of the comparison, once the writer is finished.
    struct Measured: Sendable {
        var frames: FrameTable
        var seconds = 0.0
        var isCut = false
    }

    /// Carries what was measured out of the writer's thread.
    final class Outlet: Sendable {
        fileprivate let stored = Mutex<Measured?>(nil)

        /// What was measured; nil before the writer is finished, and when frames are missing.
        var measured: Measured? { stored.withLock { $0 } }
    }

    private(set) var byteCount: Int64 = 0
    private let reference: any VideoSource
    private let frameLimit: Int
    private let decoder: StreamDecoder
    private let outlet: Outlet
    private var measured: Measured
    /// Frames by their number in display order, since they come in decode order.
    private var units: [(bytes: Int, type: String, isSync: Bool)?] = []
    private var first: MediaTime?
    private var last: SourceFrame?
    private var compared = 0

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - codec: What the session encodes to.
    ///   - reference: The clip from its first picture on.
    ///   - frameLimit: Pictures that are encoded at most; nil for all.
    ///   - outlet: Where the result goes.
    /// - Throws: ``MediaFileError`` when there is no decoder.
    init(
        codec: VideoCodec, reference: any VideoSource, frameLimit: Int?, outlet: Outlet
    ) throws(MediaFileError) {
        decoder = try StreamDecoder(codec: codec)
        self.reference = reference
        self.frameLimit = frameLimit ?? .max
        self.outlet = outlet
        measured = Measured(frames: FrameTable(bitDepth: reference.info.pixelFormat.bitDepth))
        for column in Metric.all.flatMap(\.columns) { measured.frames.values[column] = [] }
    }

    func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let unit = frame.accessUnit, let number = frame.token as? Int else { return }
        byteCount += Int64(unit.data.count)
        while units.count <= number { units.append(nil) }
        units[number] = (unit.data.count, unit.pictureType.rawValue, unit.isSync)
        try compare(try decoder.decode(unit.data, presentationTime: frame.presentationTime))
    }

    func finish() throws(MediaFileError) {
        try compare(try decoder.finish())
        guard compared == units.count, compared > 0 else { throw miscounted("\(compared) of \(units.count)") }
        for case let unit? in units {
            measured.frames.bytes.append(unit.bytes)
            measured.frames.types.append(unit.type)
            measured.frames.isSync.append(unit.isSync)
        }
        if compared >= frameLimit { measured.isCut = try reference.next() != nil }
        measured.seconds = seconds
        let result = measured
        outlet.stored.withLock { $0 = result }
    }

    private func compare(_ decoded: [DecodedPicture]) throws(MediaFileError) {
        for picture in decoded {
            if picture.isDamaged { throw failure("the decoder found picture \(compared) damaged") }
            guard compared < frameLimit, let frame = try reference.next() else { throw miscounted("more than the") }
            do throws(EncoderError) {
                let pair = try PicturePair(source: frame.picture, decoded: picture.picture)
                for metric in Metric.all {
                    for (column, value) in zip(metric.columns, metric.measure(pair)) {
                        measured.frames.values[column]?.append(value)
                    }
                }
            } catch {
                throw failure(error.reason)
            }
            first = first ?? frame.presentationTime
            last = frame
            compared += 1
        }
    }

    /// Seconds from the first picture's time to the end of the last.
    private var seconds: Double {
        guard let first, let last else { return 0 }
        let shown = (last.presentationTime - first).seconds
        if let duration = last.duration { return shown + duration.seconds }
        return compared > 1 ? shown * Double(compared) / Double(compared - 1) : 0
    }

    private func miscounted(_ count: String) -> MediaFileError {
        failure("the decoder gave \(count) pictures that were encoded")
    }

    private func failure(_ reason: String) -> MediaFileError { MediaFileError(.corrupt, reason: reason) }
}
