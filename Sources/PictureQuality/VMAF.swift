// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials

extension Metric {
    /// VMAF with the model that libvmaf uses unless told otherwise.
    package static let vmaf = vmaf("vmaf", title: "VMAF", model: "vmaf_v0.6.1")

    /// VMAF that gives no credit for sharpening and contrast that the encoder adds.
    package static let vmafNoEnhancementGain = vmaf("vmaf-neg", title: "VMAF NEG", model: "vmaf_v0.6.1neg")

    private static func vmaf(_ name: String, title: String, model: String) -> Metric {
        let id = name.replacing("-", with: "_")
        return Metric(
            name: name, columns: [id],
            method: .ffmpeg(
                FFmpegFilter(
                    name: "libvmaf",
                    options: "model=version=\(model):log_fmt=json:log_path=\(FFmpegFilter.output)"
                ) { bytes throws(CommandFailure) in try VMAFLog.reading(bytes, model: model) }),
            expectedRows: 1080,
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
