// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderAPI
import X264Backend
import X265Backend

/// The command line of the x264 or x265 program that does what a session does.
package enum ProgramCommand {
    /// Options that both programs have; `constantRate` is what the library is told where that is less than what is
    /// asked for, in units of 1000 bit/s.
    private static func common(
        _ settings: ResolvedSettings, _ options: ProgramOption, constantRate: Int? = nil
    ) -> [String]? {
        guard let native = options.words(settings.request.nativeOptions) else { return nil }
        var words: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { words += ["--" + name, value] }
        }
        add("preset", settings.request.preset)
        add("tune", settings.request.tune)
        switch settings.live.rate.control {
        case .constantRateFactor, .constantQuantizer:
            words += ("--" + settings.live.rate.control.label).split(separator: " ").map(String.init)
        case .averageBitRate(let bitsPerSecond), .constantBitRate(let bitsPerSecond),
            .variableBitRate(let bitsPerSecond):
            add("bitrate", "\(constantRate ?? bitsPerSecond / 1000)")
        case .automatic, .quality: break
        }
        if let buffer = settings.live.rate.buffer {
            add("vbv-maxrate", "\(constantRate ?? buffer.peakBitsPerSecond / 1000)")
            add("vbv-bufsize", "\(buffer.bits / 1000)")
        }
        add("vbv-init", settings.live.asked.vbvInitialDelayPercentage.map { "\($0 / 100)" })
        add("keyint", settings.live.asked.maxKeyFrameInterval.map(String.init))
        if !settings.plan.allowFrameReordering { add("bframes", "0") }
        add("qpmin", settings.live.asked.minAllowedFrameQP.map(String.init))
        add("qpmax", settings.live.asked.maxAllowedFrameQP.map(String.init))
        return words + native
    }

    /// The x264 program with the same settings; nil where it has no words for one of the library's options.
    @Sendable package static func x264(_ settings: ResolvedSettings) -> [String]? {
        guard let common = common(settings, .x264) else { return nil }
        var words = settings.request.threadCount.map { ["--threads", "\($0)"] } ?? []
        if settings.request.allowOpenGOP { words.append("--open-gop") }
        if settings.request.h264EntropyMode == .cavlc { words.append("--no-cabac") }
        if settings.live.rate.control.isConstantBitRate { words.append("--filler") }
        return ["x264"] + words + X264Backend.programOptions(settings) + common
    }

    /// The x265 program with the same settings; nil where it has no words for one of the library's options.
    @Sendable package static func x265(_ settings: ResolvedSettings) -> [String]? {
        let constantRate = X265Backend.programConstantRate(settings)
        guard let common = common(settings, .x265, constantRate: constantRate) else { return nil }
        let threads =
            switch settings.request.threadCount {
            case nil: [String]()
            case 1: ["--pools", "none", "--frame-threads", "1"]
            case let count?: ["--pools", "\(count)"]
            }
        // A session with limits counts no parameter sets, and its back end repeats them itself.
        let repeating = settings.live.asked.dataRateLimits.isEmpty ? ["--repeat-headers"] : []
        return ["x265"] + threads + (settings.request.allowOpenGOP ? [] : ["--no-open-gop"]) + ["--no-info"]
            + repeating + (settings.live.rate.control.isConstantBitRate ? ["--strict-cbr"] : [])
            + X265Backend.programOptions(settings) + common
    }
}
