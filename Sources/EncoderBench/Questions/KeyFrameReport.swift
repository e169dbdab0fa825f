// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureQuality

/// Whether forced key frames come where they are asked, and what they cost.
package struct KeyFrameReport: Codable, Equatable {
    /// One key frame that was asked for.
    package struct KeyFrame: Codable, Equatable, Sendable {
        /// Its number in display order.
        package var frame: Int
        /// When it is shown, in seconds after the first.
        package var seconds: Double
        /// Whether all its slices are those of an IDR picture.
        package var isIDR: Bool
        package var bytes: Int
        /// Bytes of the same picture where no key frame is forced.
        package var plainBytes: Int
        /// Luma's PSNR in dB, at most 100, and without.
        package var psnr: Double
        package var plainPSNR: Double
        /// The largest fall of luma's PSNR against the encode without, in dB, of this picture and those of the half
        /// second after it, or up to the next forced key frame; negative for a rise.
        package var dip: Double

        enum CodingKeys: String, CodingKey {
            case frame, seconds, bytes
            case isIDR = "idr"
            case plainBytes = "bytes_without"
            case psnr = "luma_psnr_db"
            case plainPSNR = "luma_psnr_db_without"
            case dip = "luma_psnr_dip_db"
        }
    }

    /// One encoder on one clip.
    package struct Entry: Codable, Equatable, Sendable {
        package var clip: String
        /// "x264 medium".
        package var variant: String
        package var library: String
        /// What decided the bits: "crf 21".
        package var rate: String
        package var frames: Int
        package var keyFrames: [KeyFrame]
        /// Key frames that nobody forced, the first of the stream among them.
        package var otherKeyFrames: [Int]
        /// Bytes of the stream with forced key frames, and without.
        package var bytes: Int
        package var plainBytes: Int
        /// Luma's PSNR of all frames, in dB; nil where all equal their sources.
        package var psnr: Double?
        package var plainPSNR: Double?
        /// Bytes of a stream with forced key frames whose luma has the PSNR of the stream without: the logarithm of the
        /// two encodes' next to it, interpolated along the PSNR; nil where they do not lie around it.
        package var bytesAtEqualQuality: Double?
        /// What decided the bits of these two, the better first; empty without an answer.
        package var equalQualityRates: [String] = []
        /// Promises about intervals that were asked for, and whether they are kept.
        package var intervals: [KeyFrameInterval]
        /// What the session did otherwise than asked.
        package var adjustments: [String]

        enum CodingKeys: String, CodingKey {
            case clip, variant, library, rate, frames, bytes, intervals, adjustments
            case keyFrames = "key_frames"
            case otherKeyFrames = "other_key_frames"
            case plainBytes = "bytes_without"
            case psnr = "luma_psnr_db"
            case plainPSNR = "luma_psnr_db_without"
            case bytesAtEqualQuality = "bytes_at_equal_quality"
            case equalQualityRates = "equal_quality_rates"
        }
    }

    package var schemaVersion = 1
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    package var entries: [Entry] = []
    package var failures: [Study.Failure]
    package var isInterrupted = false

    enum CodingKeys: String, CodingKey {
        case encbench, entries, failures
        case schemaVersion = "schema_version"
        case isInterrupted = "interrupted"
    }

    package init(failures: [Study.Failure]) { self.failures = failures }

    /// Compares each encode that has forced key frames with the one that has none and is else the same, and at equal
    /// quality with those that have forced key frames at other rates.
    ///
    /// - Throws: ``EncoderBenchError`` for points that no version of this program planned.
    package init(_ answers: Answers<KeyFrameResult>) throws {
        self.init(failures: answers.failures)
        isInterrupted = answers.isInterrupted
        for (point, plain) in answers.points where point.work.forcedKeyFrames.isEmpty {
            let forced = answers.points.filter { other in
                other.point.clip == point.clip && other.point.variant == point.variant
                    && !other.point.work.forcedKeyFrames.isEmpty
            }
            guard let same = forced.first(where: { $0.point.work.withoutForcedKeyFrames == point.work }) else {
                continue
            }
            guard forced.allSatisfy({ $0.result.measured.frames.count == plain.measured.frames.count }) else {
                throw EncoderBenchError(.notComparable, reason: "encodes of one clip with different numbers of frames")
            }
            var entry = try Entry(
                same.result, plain, clip: answers.study.clips[point.clip].name,
                variant: answers.study.variants[point.variant].label, rate: plain.work.rateLabel)
            entry.take(forced.map(\.result))
            entries.append(entry)
        }
    }

}

extension PointWork {
    /// The same work with no key frame but the encoder's own.
    fileprivate var withoutForcedKeyFrames: PointWork {
        var work = self
        work.forcedKeyFrames = []
        return work
    }
}

extension KeyFrameReport.Entry {
    /// Takes encodes with the same forced key frames at several rates, between which the quality without may lie.
    fileprivate mutating func take(_ forced: [KeyFrameResult]) {
        guard let goal = plainPSNR else { return }
        let trials = forced.map { result in
            let psnr = PSNR.ofLuma(result.measured.frames).flatMap { $0.isFinite ? $0 : nil }
            return TargetReport.Trial(
                rate: result.work.rateLabel, score: psnr, bytes: result.measured.byteCount, bitsPerSecond: 0)
        }
        func nearest(_ isOnSide: (Double) -> Bool) -> TargetReport.Trial? {
            trials.filter { $0.score.map(isOnSide) ?? false }.min {
                abs(($0.score ?? 0) - goal) < abs(($1.score ?? 0) - goal)
            }
        }
        guard let better = nearest({ $0 >= goal }), let worse = nearest({ $0 < goal }),
            let bytes = TargetReport.Trial.bytes(at: goal, better: better, worse: worse)
        else { return }
        (bytesAtEqualQuality, equalQualityRates) = (bytes, [better.rate, worse.rate])
    }

    fileprivate init(
        _ forced: KeyFrameResult, _ plain: KeyFrameResult, clip: String, variant: String, rate: String
    ) throws {
        let asked = forced.work.forcedKeyFrames.filter { $0 < forced.seconds.count }
        let frames = (forced.measured.frames, plain.measured.frames)
        let (psnr, plainPSNR) = (PSNR.ofFrames(frames.0) ?? [], PSNR.ofFrames(frames.1) ?? [])
        let configuration = try forced.work.configuration()
        self.init(
            clip: clip, variant: variant, library: forced.build.library, rate: rate, frames: frames.0.count,
            keyFrames: asked.map { number in
                let after = KeyFrameReport.framesAfter(number, seconds: forced.seconds, asked: asked)
                return KeyFrameReport.KeyFrame(
                    frame: number, seconds: forced.seconds[number], isIDR: forced.isIDR[number],
                    bytes: frames.0.bytes[number], plainBytes: frames.1.bytes[number], psnr: psnr[number],
                    plainPSNR: plainPSNR[number], dip: after.map { plainPSNR[$0] - psnr[$0] }.max() ?? 0)
            },
            otherKeyFrames: forced.isRandomAccess.indices.filter {
                forced.isRandomAccess[$0] && !asked.contains($0)
            },
            bytes: forced.measured.byteCount, plainBytes: plain.measured.byteCount,
            psnr: PSNR.ofLuma(frames.0).flatMap { $0.isFinite ? $0 : nil },
            plainPSNR: PSNR.ofLuma(frames.1).flatMap { $0.isFinite ? $0 : nil },
            intervals: KeyFrameInterval.promised(by: configuration.live).map {
                $0.checked(isKey: forced.isRandomAccess, seconds: forced.seconds)
            }, adjustments: forced.measured.adjustments)
    }
}

extension KeyFrameReport {
    /// A forced key frame and the frames that may suffer for it: those of the half second after it, or up to the next
    /// one.
    package static func framesAfter(_ number: Int, seconds: [Double], asked: [Int]) -> Range<Int> {
        let next = asked.filter { $0 > number }.min() ?? seconds.count
        let end = (number + 1..<max(next, number + 1)).first { seconds[$0] > seconds[number] + 0.5 } ?? next
        return number..<max(end, number + 1)
    }
}
