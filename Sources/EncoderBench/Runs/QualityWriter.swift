// SPDX-License-Identifier: MIT

package import EncoderAPI
package import MediaFiles
package import PictureQuality
import Synchronization

/// Takes the frames of a session as they come, decodes them, and compares each picture with the clip's.
///
/// The clip is read once more for this, in step with the decoder, so that no more pictures are in memory than the
/// decoder holds. Pictures are matched by number in display order, never by time: a time that is rounded the other way
/// would compare each picture with its neighbor.
package final class QualityWriter: EncodedFrameWriter {
    /// What came of the comparison, once the writer is finished.
    package struct Measured: Sendable {
        package var frames: FrameTable
        package var seconds: Double
        package var isCut: Bool
    }

    /// Carries what was measured out of the writer's thread.
    package final class Outlet: Sendable {
        fileprivate let stored = Mutex<Measured?>(nil)

        /// What was measured; nil before the writer is finished, and when frames are missing.
        package var measured: Measured? { stored.withLock { $0 } }
    }

    private let reference: any VideoSource
    private let frameLimit: Int
    private let decoder: StreamDecoder
    private let outlet: Outlet
    private let isScaledBack: Bool
    /// Makes decoded pictures as large as the clip's; nil before the first one.
    private var scaler: PictureScaler?
    private var series: PictureSeries
    /// Frames by their number in display order, since they come in decode order.
    private var units: [(bytes: Int, type: String, isSync: Bool, quantizer: Double?)?] = []

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - codec: What the session encodes to.
    ///   - reference: The clip from its first picture on.
    ///   - isScaledBack: Whether decoded pictures are of another size, and are scaled to the clip's.
    ///   - frameLimit: Pictures that are encoded at most; nil for all.
    ///   - metrics: What to take of the pictures.
    ///   - tools: What takes the values of metrics that this program does not.
    ///   - outlet: Where the result goes.
    /// - Throws: ``MediaFileError`` when there is no decoder.
    package init(
        codec: VideoCodec, reference: any VideoSource, isScaledBack: Bool = false, frameLimit: Int?, metrics: [Metric],
        tools: MetricTools, outlet: Outlet
    ) throws {
        decoder = try StreamDecoder(codec: codec)
        self.reference = reference
        self.isScaledBack = isScaledBack
        self.frameLimit = frameLimit ?? .max
        self.outlet = outlet
        series = PictureSeries(metrics, of: reference.info, tools: tools)
    }

    package func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let unit = frame.accessUnit, let number = frame.token as? Int else { return }
        while units.count <= number { units.append(nil) }
        units[number] = (unit.data.count, unit.pictureType.rawValue, unit.isSync, unit.averageQP)
        try compare(try decoder.decode(unit.data, presentationTime: frame.presentationTime))
    }

    package func finish() throws(MediaFileError) {
        try compare(try decoder.finish())
        guard series.count == units.count, series.count > 0 else {
            throw miscounted("\(series.count) of \(units.count)")
        }
        var frames: FrameTable
        do {
            frames = try series.finish()
        } catch {
            throw failure("\(error)")
        }
        frames.quantizers = units.map { $0?.quantizer }
        for case let unit? in units {
            frames.bytes.append(unit.bytes)
            frames.types.append(unit.type)
            frames.isSync.append(unit.isSync)
        }
        let isCut = series.count >= frameLimit && reference.hasMore()
        let result = Measured(frames: frames, seconds: series.seconds, isCut: isCut)
        outlet.stored.withLock { $0 = result }
    }

    private func compare(_ decoded: [DecodedPicture]) throws(MediaFileError) {
        for picture in decoded {
            if picture.isDamaged { throw failure("the decoder found picture \(series.count) damaged") }
            guard series.count < frameLimit, let frame = try reference.next() else { throw miscounted("more than the") }
            let shown = isScaledBack ? try scaledBack(picture.picture) : picture.picture
            do {
                try series.add(source: frame, decoded: shown)
            } catch {
                throw failure("\(error)")
            }
        }
    }

    private func scaledBack(_ picture: PixelBuffer) throws(MediaFileError) -> PixelBuffer {
        if let scaler { return try scaler.scale(picture) }
        let size = reference.info
        let scaler = try PictureScaler(
            format: picture.format, width: picture.width, height: picture.height, toWidth: size.width,
            toHeight: size.height)
        self.scaler = scaler
        return try scaler.scale(picture)
    }

    private func miscounted(_ count: String) -> MediaFileError {
        failure("the decoder gave \(count) pictures that were encoded")
    }

    private func failure(_ reason: String) -> MediaFileError { MediaFileError(.corrupt, reason: reason) }
}
