// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import PictureQuality

/// Whether forced key frames come where they are asked, and what they cost.
struct KeyFrameReport: QuestionReport, Codable, Equatable {
    /// One key frame that was asked for.
    struct KeyFrame: Codable, Equatable, Sendable {
        /// Its number in display order.
        var frame: Int
        /// When it is shown, in seconds after the first.
        var seconds: Double
        /// Whether all its slices are those of an IDR picture.
        var isIDR: Bool
        var bytes: Int
        /// Bytes of the same picture where no key frame is forced.
        var plainBytes: Int
        /// Luma's PSNR in dB, at most 100, and without.
        var psnr: Double
        var plainPSNR: Double
        /// The largest fall of luma's PSNR against the encode without, in dB, of this picture and those of the half
        /// second after it, or up to the next forced key frame; negative for a rise.
        var dip: Double

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
    struct Entry: Codable, Equatable, Sendable {
        var clip: String
        /// "x264 medium".
        var variant: String
        var library: String
        /// What decided the bits: "crf 21".
        var rate: String
        var frames: Int
        var keyFrames: [KeyFrame]
        /// Key frames that nobody forced, the first of the stream among them.
        var otherKeyFrames: [Int]
        /// Bytes of the stream with forced key frames, and without.
        var bytes: Int
        var plainBytes: Int
        /// Luma's PSNR of all frames, in dB; nil where all equal their sources.
        var psnr: Double?
        var plainPSNR: Double?
        /// Promises about intervals that were asked for, and whether they are kept.
        var intervals: [KeyFrameInterval]
        /// What the session did otherwise than asked.
        var adjustments: [String]

        enum CodingKeys: String, CodingKey {
            case clip, variant, library, rate, frames, bytes, intervals, adjustments
            case keyFrames = "key_frames"
            case otherKeyFrames = "other_key_frames"
            case plainBytes = "bytes_without"
            case psnr = "luma_psnr_db"
            case plainPSNR = "luma_psnr_db_without"
        }
    }

    var schemaVersion = 1
    /// The version of this program.
    var encbench = VersionText.package
    var entries: [Entry] = []
    var failures: [Study.Failure]
    var isInterrupted = false

    enum CodingKeys: String, CodingKey {
        case encbench, entries, failures
        case schemaVersion = "schema_version"
        case isInterrupted = "interrupted"
    }

    init(failures: [Study.Failure]) { self.failures = failures }

    /// Compares each encode that has forced key frames with the one that has none.
    ///
    /// - Throws: ``CommandFailure`` for points that no version of this program planned.
    init(_ answers: Question.Answers<KeyFrameResult>) throws {
        self.init(failures: answers.failures)
        isInterrupted = answers.isInterrupted
        for (point, forced) in answers.points where !point.work.forcedKeyFrames.isEmpty {
            let plain = answers.points.first { other in
                other.point.clip == point.clip && other.point.variant == point.variant
                    && other.point.work.forcedKeyFrames.isEmpty
            }
            guard let plain = plain?.result else { continue }
            guard forced.measured.frames.count == plain.measured.frames.count else {
                throw CommandFailure("encodes of one clip with different numbers of frames")
            }
            entries.append(
                try Entry(
                    forced, plain, clip: answers.study.clips[point.clip].name,
                    variant: answers.study.variants[point.variant].label, rate: plain.work.rateLabel))
        }
    }

    var broken: [String] {
        entries.flatMap { entry in
            let missing = entry.keyFrames.filter { !$0.isIDR }.map { "\($0.frame)" }
            let name = "\(entry.clip), \(entry.variant): "
            return (missing.isEmpty ? [] : [name + "no IDR at " + missing.joined(separator: ", ")])
                + entry.intervals.compactMap { $0.isKept ? nil : name + $0.text }
        }
    }
}

extension KeyFrameReport.Entry {
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
    static func framesAfter(_ number: Int, seconds: [Double], asked: [Int]) -> Range<Int> {
        let next = asked.filter { $0 > number }.min() ?? seconds.count
        let end = (number + 1..<max(next, number + 1)).first { seconds[$0] > seconds[number] + 0.5 } ?? next
        return number..<max(end, number + 1)
    }
}
