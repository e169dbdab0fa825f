// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench

/// Options of the libraries that make untrue what a comparison says of its points, and what to say in their place.
enum ComparedOptions {
    private static let reasons: [String: String] = {
        let rate = "it would decide the bits of every point in place of"
        let threads = "a comparison gives all encoders as many threads; use --threads"
        let file = "a stored result does not know what a file holds"
        let groups: [(names: [String], reason: String)] = [
            (["crf"], rate + " --crf"), (["qp", "qp-constant"], rate + " --qp"),
            (["bitrate"], rate + " --average-bit-rate, or --search bit-rate in target"),
            (["lossless"], "it would make all points of a curve the same"),
            (["threads", "pools", "numa-pools", "frame-threads", "lookahead-threads"], threads),
            (["cqmfile", "dump-yuv", "opencl-clbin"], file),
        ]
        return Dictionary(uniqueKeysWithValues: groups.flatMap { group in group.names.map { ($0, group.reason) } })
    }()

    /// Settings by their names in the API that say the same.
    private static let settings: [Setting: String] = [
        .constantRateFactor: "crf", .constantQuantizer: "qp", .averageBitRate: "bitrate", .quality: "crf",
    ]

    /// Refuses those options.
    static func check(_ options: [NativeOption]) throws(OptionError) {
        for option in options {
            guard let reason = reasons[ProgramOption.split(option.name).name] else { continue }
            throw OptionError(.unusable, "--native \(option.text): \(reason)")
        }
    }

    /// Refuses them in what a variant sets.
    static func check(_ variant: Variant) throws(OptionError) {
        for text in variant.settings {
            let name = try OptionParsing.nativeOption(text).name
            let native = SettingRow.named(name).flatMap { settings[$0.setting] } ?? ProgramOption.split(name).name
            guard let reason = reasons[native] else { continue }
            throw OptionError(.unusable, "--variant \(variant.description): \(text): \(reason)")
        }
    }
}

extension NativeOption {
    /// As `--native` takes it.
    var text: String { value.map { "\(name)=\($0)" } ?? name }
}
