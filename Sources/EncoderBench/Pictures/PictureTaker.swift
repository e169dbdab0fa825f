// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
package import Logging
import MediaFiles
import PictureQuality
import Synchronization

/// Encodes once more what is shown side by side, and takes pictures of it.
///
/// Results keep numbers, no pictures; the same settings and libraries give the same stream again.
package struct PictureTaker: Sendable {
    /// Ends the work early when it happens.
    package var interruption = OneShotEvent()
    package let logger: Logger

    package init(interruption: OneShotEvent = OneShotEvent(), logger: Logger) {
        self.interruption = interruption
        self.logger = logger
    }

    /// One plate for each pair of each clip that has points; where a clip cannot be read any more, it says so.
    ///
    /// - Parameters:
    ///   - measurements: What was measured.
    ///   - progress: Called with plates that are done and plates in all.
    /// - Returns: The plates, clip by clip.
    package func plates(
        of measurements: Measurements, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async -> [PicturePlate] {
        let study = measurements.study
        let choices = study.clips.indices.flatMap { clip in
            study.pairs.compactMap { PictureChoice(clip: clip, pair: $0, measurements: measurements) }
        }
        let size = PicturePlate.size(plates: choices.reduce(0) { $0 + $1.frames.count })
        var plates: [PicturePlate] = []
        var readable: [Int: Result<Void, EncoderBenchError>] = [:]
        for choice in choices where !interruption.hasHappened {
            let clip = choice.anchor.clip
            if readable[clip] == nil {
                readable[clip] = Result { () throws(EncoderBenchError) in try check(choice.anchor) }
            }
            let views: Result<PicturePlate.Views, EncoderBenchError>
            var worst: PicturePlate.Worst?
            do {
                try readable[clip]?.get()
                let shown = try await self.views(choice, of: measurements, size: size)
                views = .success(shown[0])
                worst = choice.worst.flatMap { scene in
                    shown.dropFirst().first.map { PicturePlate.Worst(scene: scene, views: $0) }
                }
            } catch let failure as EncoderBenchError {
                views = .failure(failure)
            } catch {
                views = .failure(EncoderBenchError(.picturesMissing, reason: "\(error)"))
            }
            plates.append(
                PicturePlate(
                    clip: study.clips[clip].digest, anchor: study.variants[choice.anchor.variant].label,
                    test: study.variants[choice.test.variant].label, views: views, worst: worst))
            progress(plates.count, choices.count)
        }
        return plates
    }

    /// Refuses a clip that is not there any more, or is another one.
    private func check(_ point: PointSpec) throws(EncoderBenchError) {
        let digest: String
        do {
            digest = try StudyInput(reading: point.path, interruption: interruption).digest
        } catch {
            throw EncoderBenchError(.inputChanged, reason: "the clip cannot be read any more: \(error)")
        }
        guard digest == point.work.clipDigest else {
            throw EncoderBenchError(
                .inputChanged, reason: "\(point.path.shown) is not the file any more that was measured")
        }
    }

    /// What there is to see of each of a choice's pictures, in its order.
    private func views(
        _ choice: PictureChoice, of measurements: Measurements, size: (width: Int, height: Int)
    ) async throws -> [PicturePlate.Views] {
        guard let seconds = measurements.results[choice.anchor]?.seconds else {
            throw EncoderBenchError(.picturesMissing, reason: "no result")
        }
        let source = try choice.anchor.open()
        let color = source.info.color
        let originals = try Self.pictures(choice.frames, of: source)
        async let first = take(choice.anchor, frames: choice.frames, known: measurements.results[choice.anchor])
        async let second = take(choice.test, frames: choice.frames, known: measurements.results[choice.test])
        let taken = try await [first, second]
        let tables = [
            try await frames(choice.anchor, known: measurements.results[choice.anchor]),
            try await frames(choice.test, known: measurements.results[choice.test]),
        ]
        return try choice.frames.map { frame in
            guard let original = originals[frame] else {
                throw EncoderBenchError(.picturesMissing, reason: "the clip has no picture \(frame) any more")
            }
            let pairs = try taken.map { take in
                guard let picture = take.pictures[frame] else {
                    throw EncoderBenchError(
                        .picturesMissing, reason: "picture \(frame) did not come out of the encoder once more")
                }
                return try PicturePair(source: original, decoded: picture)
            }
            let region = PictureRegion(
                ofLargest: pairs.map { $0.measure(BlockErrors(), plane: 0) }, width: original.width,
                height: original.height, size: size)
            let sides = try zip(zip([choice.anchor, choice.test], tables), zip(taken, pairs)).map { encode, shown in
                let ((point, frames), (take, pair)) = (encode, shown)
                let error = pair.measure(MeanSquaredError(), plane: 0) ?? 0
                return PicturePlate.Side(
                    variant: measurements.study.variants[point.variant].label, rate: point.rate,
                    bitsPerSecond: Double(take.byteCount) * 8 / seconds,
                    decibels: error > 0
                        ? PSNR.decibels(meanSquaredError: error, bitDepth: pair.source.format.bitDepth) : nil,
                    picture: try PNG.bytes(of: pair.decoded, region: region, color: color),
                    difference: try PNG.bytes(
                        gray: pair.measure(
                            AmplifiedDifference(region: region, factor: PicturePlate.amplification), plane: 0),
                        width: region.width, height: region.height), frames: frames)
            }
            return PicturePlate.Views(
                frame: frame, region: region,
                isPart: region.width < original.width || region.height < original.height,
                source: try PNG.bytes(of: original, region: region, color: color), anchor: sides[0], test: sides[1])
        }
    }

    /// All frames of an encode: those that were measured, or of an encode between the points, which is measured for
    /// this.
    private func frames(_ point: PointSpec, known: PointResult?) async throws -> FrameTable {
        if let known { return known.frames }
        var point = point
        // What other programs measure takes longer than the encode.
        for metric in point.work.metrics {
            if case .builtIn = metric.method { continue }
            point.work.measuredBy[metric.name] = nil
        }
        let context = RunContext(interruption: interruption, logger: logger)
        guard let result = try await QualityRun().result(of: point, in: context, progress: {}) else {
            throw EncoderBenchError(.interrupted, reason: "interrupted")
        }
        return result.frames
    }

    /// Pictures that an encode shows, by their numbers, and what the encode takes.
    private struct Take: Sendable {
        var pictures: [Int: PixelBuffer]
        var byteCount: Int
    }

    private func take(_ point: PointSpec, frames: [Int], known: PointResult?) async throws -> Take {
        // What something else encoded is there as a file.
        if let file = point.work.settings[MeasuredFiles.fileSetting], let known {
            return Take(
                pictures: try Self.pictures(frames, of: try VideoInput.open(path: file)), byteCount: known.byteCount)
        }
        let outlet = PictureWriter.Outlet()
        let writer = try PictureWriter(
            codec: try point.work.configuration().codec, frames: Set(frames), outlet: outlet)
        let session = try await point.work.makeSession(logger: logger)
        try await session.prepare()
        interruption.whenSignalled { [weak session] in session?.invalidate() }
        let outcome = try await EncodeRun(
            session: session, frameLimit: point.work.frameLimit, forcedKeyFrames: Set(point.work.forcedKeyFrames)
        ).run(from: try point.open(), to: writer)
        if let error = outcome.error { throw error }
        return Take(pictures: outlet.pictures.withLock { $0 }, byteCount: outcome.bytes)
    }

    /// Pictures by their numbers, as far as there are so many.
    private static func pictures(_ numbers: [Int], of source: any VideoSource) throws -> [Int: PixelBuffer] {
        var pictures: [Int: PixelBuffer] = [:]
        for number in 0...(numbers.max() ?? 0) {
            guard let frame = try source.next() else { break }
            if numbers.contains(number) { pictures[number] = frame.picture }
        }
        return pictures
    }
}

/// Decodes what a session gives, and keeps some pictures of it.
private final class PictureWriter: EncodedFrameWriter {
    /// Carries the pictures out of the writer's thread.
    final class Outlet: Sendable {
        let pictures = Mutex<[Int: PixelBuffer]>([:])
    }

    private let decoder: StreamDecoder
    private let frames: Set<Int>
    private let outlet: Outlet
    private var count = 0

    init(codec: VideoCodec, frames: Set<Int>, outlet: Outlet) throws {
        decoder = try StreamDecoder(codec: codec)
        self.frames = frames
        self.outlet = outlet
    }

    func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let unit = frame.accessUnit else { return }
        take(try decoder.decode(unit.data, presentationTime: frame.presentationTime))
    }

    func finish() throws(MediaFileError) { take(try decoder.finish()) }

    private func take(_ pictures: [DecodedPicture]) {
        for picture in pictures {
            if frames.contains(count) { outlet.pictures.withLock { $0[count] = picture.picture } }
            count += 1
        }
    }
}
