// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles
import VAAPIBackend

extension PointPlanner {
    /// The options of `encode` that have names of their own; other settings are given with `--set`.
    private static let options: [Setting: String] = [
        .preset: "preset", .tune: "tune", .threadCount: "threads", .constantRateFactor: "crf",
        .constantQuantizer: "qp", .averageBitRate: "average-bit-rate",
    ]

    /// The command line of `encode` that does what a point does.
    func command(
        _ variant: Variant, _ rate: RateControl, of clip: ClipInput.Clip, on encoder: EncoderDescription
    ) throws -> String {
        try words(variant, rate, of: clip, on: encoder).map(\.shellWord).joined(separator: " ")
    }

    /// A bare stream, but a container where the encoder is to follow the clip's own times: `encode` promises a constant
    /// rate for a bare stream, with which x264 spends its bits otherwise.
    private static func output(of kind: EncoderKind, codec: VideoCodec, for clip: VideoSourceInfo) -> String {
        if kind.constantRateOption != nil, !clip.isConstantRate { return "out.mkv" }
        return codec == .hevc ? "out.hevc" : "out.264"
    }

    /// The command word by word: the program, "encode", the clip, "-o", the output, and options.
    func words(
        _ variant: Variant, _ rate: RateControl, of clip: ClipInput.Clip, on encoder: EncoderDescription
    ) throws -> [String] {
        let (facts, kind) = (clip.facts, try variant.kind)
        var words = ["encbench", "encode", facts.isCopy ? facts.name : facts.path]
        words += ["-o", Self.output(of: kind, codec: encoder.codec, for: clip.info), "--encoder", kind.name]
        if kind.onlyCodec == nil { words += ["--codec", encoder.codec.rawValue] }
        if let device = device(for: kind) { words += ["--device", device.description] }
        if let limit = facts.frameLimit { words += ["--frames", "\(limit)"] }
        var rateWords: [String] = []
        if let raw = facts.raw {
            words += ["--size", "\(raw.width)x\(raw.height)", "--format", raw.pixelFormat]
            rateWords = raw.frameRate.map { ["--expected-frame-rate", $0] } ?? []
            words += rateWords
        } else if let rate = facts.recognizedRate {
            rateWords = ["--expected-frame-rate", rate]
            words += rateWords
        }
        // What `encode` does unless it is told more.
        var source = input.describe(clip.info).writable(by: encoder)
        // Pictures were counted here; the file may not say how many it has.
        if facts.recognizedRate != nil { source.frameCount = nil }
        var usual = try EncoderOptions.parse(rateWords).configuration(
            codec: encoder.codec, source: source, rateControl: .automatic, preset: nil)
        usual.addOptions(for: source, to: kind)
        let asked = try configuration(variant, rate, of: clip, on: encoder)
        for row in PointWork.rows {
            guard var value = row.value(in: asked), value != row.value(in: usual) else { continue }
            if row.setting == .constantRateFactor { value = Double(value).map(Format.shortest) ?? value }
            if let option = Self.options[row.setting] {
                words += ["--" + option, value]
            } else {
                words += ["--set", "\(row.setting.rawValue)=\(value)"]
            }
        }
        for option in asked.nativeOptions.dropFirst(usual.nativeOptions.count) {
            words += ["--native", option.value.map { "\(option.name)=\($0)" } ?? option.name]
        }
        if !settings.forcedKeyFrames.isEmpty {
            words += ["--force-key-frames", settings.forcedKeyFrames.map(String.init).joined(separator: ",")]
        }
        return words
    }
}
