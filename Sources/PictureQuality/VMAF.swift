// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials

extension Metric {
    /// VMAF of the first generation, with the model that libvmaf used unless told otherwise.
    package static let vmaf = vmaf(
        "vmaf", title: "VMAF", model: "vmaf_v0.6.1", newer: ("vmaf-v1", "libvmaf 3.2 or later"))

    /// VMAF v1 for 1080 rows seen from three times their height; it gives no credit for enhancement.
    package static let vmafV1 = vmafV1("vmaf-v1", title: "VMAF v1", model: "3d0h", rows: 1080)

    /// VMAF v1 for a phone: from five times the height.
    package static let vmafV1Phone = vmafV1(
        "vmaf-v1-phone", title: "VMAF v1 phone", model: "5d0h", rows: 1080, minimumSide: 266)

    /// VMAF v1 for 2160 rows seen from one and a half times their height.
    package static let vmafV1UltraHD = vmafV1("vmaf-v1-4k", title: "VMAF v1 4K", model: "1d5h_2160", rows: 2160)

    /// VMAF that gives no credit for sharpening and contrast that the encoder adds.
    package static let vmafNoEnhancementGain = vmaf("vmaf-neg", title: "VMAF NEG", model: "vmaf_v0.6.1neg")

    private static func vmafV1(
        _ name: String, title: String, model: String, rows: Int, minimumSide: Int = 216
    ) -> Metric {
        // The models are for ten bits, which show the banding that eight hide. Smaller pictures end libvmaf 3.2 by a
        // signal or an error: SpEED takes 160 samples each way, for phones 266, and CAMBI 216 one way.
        var metric = vmaf(name, title: title, model: "vmaf_v1.0.16_" + model, rows: rows, leastBitDepth: 10)
        metric.minimumSide = minimumSide
        return metric
    }

    private static func vmaf(
        _ name: String, title: String, model: String, rows: Int = 1080, leastBitDepth: Int? = nil,
        newer: (name: String, source: String)? = nil
    ) -> Metric {
        let id = name.replacing("-", with: "_")
        return Metric(
            name: name, columns: [id],
            method: .ffmpeg(
                FFmpegFilter(
                    name: "libvmaf",
                    options: "model=version=\(model):log_fmt=json:log_path=\(FFmpegFilter.output)"
                ) { bytes throws(CommandFailure) in try VMAFLog.reading(bytes, model: model) }),
            expectedRows: rows, leastBitDepth: leastBitDepth, newer: newer,
            scores: [
                Score(
                    id: id, title: title, unit: nil, decimals: 2, use: .shown, maximum: 100,
                    meaning: "what viewers would say from 0 to 100, as a model foretells it"
                ) { $0.mean(id) },
                Score(id: id + "_worst_frame", title: title + " of the worst frame", unit: nil, decimals: 2, use: .kept)
                { $0.column(id)?.min() },
            ])
    }
}

/// libvmaf's log in JSON, as far as it is used.
private struct VMAFLog: Decodable {
    struct Frame: Decodable {
        struct Metrics: Decodable { var vmaf: Double }

        var frameNum: Int
        var metrics: Metrics
    }

    var version: String
    var frames: [Frame]

    static func reading(_ bytes: [UInt8], model: String) throws(CommandFailure) -> FFmpegFilter.Log {
        let log: VMAFLog
        do {
            log = try JSONDecoder().decode(VMAFLog.self, from: Data(bytes))
        } catch {
            throw CommandFailure("no log of libvmaf")
        }
        guard log.frames.map(\.frameNum) == Array(log.frames.indices) else {
            throw CommandFailure("libvmaf left pictures out")
        }
        return FFmpegFilter.Log(maker: "libvmaf \(log.version), \(model)", columns: [log.frames.map(\.metrics.vmaf)])
    }
}
