// SPDX-License-Identifier: MIT

import EncoderAPI

/// The command line of the x264 or x265 program that does what a session does.
enum ProgramCommand {
    /// The command with in.y4m as its input; nil for encoders that are no program, and for settings that the programs do
    /// not have in the same form.
    static func line(_ kind: EncoderKind, _ settings: ResolvedSettings) -> String? {
        let isPlain = !settings.realTime && settings.maxFrameDelayCount == nil
        guard isPlain, settings.profile == nil, settings.level == nil else { return nil }
        guard let program = kind.program else { return nil }
        let output = kind.onlyCodec == .hevc ? "out.hevc" : "out.264"
        return (program(settings) + ["-o", output, "in.y4m"]).joined(separator: " ")
    }

    private static func common(_ settings: ResolvedSettings) -> [String] {
        var words: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { words += ["--" + name, value] }
        }
        add("preset", settings.preset)
        add("tune", settings.tune)
        switch settings.rate.control {
        case .constantRateFactor, .constantQuantizer: words += ["--" + settings.rate.control.label]
        case .averageBitRate(let bitsPerSecond): add("bitrate", "\(bitsPerSecond / 1000)")
        case .automatic, .quality: break
        }
        if let buffer = settings.rate.buffer {
            add("vbv-maxrate", "\(buffer.peakBitsPerSecond / 1000)")
            add("vbv-bufsize", "\(buffer.bits / 1000)")
        }
        if settings.maxKeyFrameInterval > 0 { add("keyint", "\(settings.maxKeyFrameInterval)") }
        if !settings.allowFrameReordering { add("bframes", "0") }
        add("qpmin", settings.minQP.map(String.init))
        add("qpmax", settings.maxQP.map(String.init))
        for option in settings.nativeOptions {
            words += ["--" + option.name] + (option.value.map { [$0] } ?? [])
        }
        return words
    }

    /// The x264 program with the same settings.
    @Sendable static func x264(_ settings: ResolvedSettings) -> [String] {
        var words = settings.threadCount > 0 ? ["--threads", "\(settings.threadCount)"] : []
        if settings.allowOpenGOP { words.append("--open-gop") }
        if settings.entropyMode == .cavlc { words.append("--no-cabac") }
        return ["x264"] + words + common(settings)
    }

    /// The x265 program with the same settings.
    @Sendable static func x265(_ settings: ResolvedSettings) -> [String] {
        let threads =
            switch settings.threadCount {
            case 0: [String]()
            case 1: ["--pools", "none", "--frame-threads", "1"]
            default: ["--pools", "\(settings.threadCount)"]
            }
        return ["x265"] + threads + (settings.allowOpenGOP ? [] : ["--no-open-gop"]) + ["--no-info"] + common(settings)
    }
}
