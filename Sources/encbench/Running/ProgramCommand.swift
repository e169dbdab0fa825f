// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import X264Backend
import X265Backend

/// The command line of the x264 or x265 program that does what a session does.
enum ProgramCommand {
    /// The command with in.y4m as its input; nil for encoders that are no program, and where there is an obstacle.
    static func line(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> String? {
        words(kind, settings, of: work)?.map(\.shellWord).joined(separator: " ")
    }

    /// The command word by word: the program, its options, "-o", the output, and in.y4m.
    static func words(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> [String]? {
        guard let program = kind.program, obstacle(kind, settings, of: work) == nil else { return nil }
        let output = kind.onlyCodec == .hevc ? "out.hevc" : "out.264"
        let depth = PixelFormat(rawValue: work.pixelFormat)?.bitDepth ?? 8
        // x264 would convert to eight bits.
        let depthOption = depth > 8 ? ["--output-depth", "\(depth)"] : []
        guard let words = program(settings) else { return nil }
        return words + depthOption + ["-o", output, "in.y4m"]
    }

    /// Why the library's own program cannot do the same; nil where it can, and for encoders that are no program.
    static func obstacle(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> String? {
        guard kind.program != nil else { return nil }
        let (live, request) = (settings.live, settings.request)
        var isQuality = false
        if case .quality = live.rate.control { isQuality = true }
        let options: [(name: String, isUsed: Bool)] = [
            ("--quality", isQuality), ("--force-key-frames", !work.forcedKeyFrames.isEmpty),
            ("--max-key-frame-interval-duration", live.asked.maxKeyFrameIntervalDuration != nil),
            ("--real-time", request.realTime), ("--max-frame-delay-count", request.maxFrameDelayCount != nil),
            ("--profile-level", request.profileLevel.profile != nil),
            ("the level that was asked for", settings.plan.level != nil),
        ]
        let reason: String? =
            if work.raw != nil {
                "is given Y4M, and this clip is raw video"
            } else if work.width % 2 != 0 || work.height % 2 != 0 {
                "takes no 4:2:0 pictures of odd sizes"
            } else if kind == .x265, min(work.width, work.height) < 64 {
                "opens no pictures with a side below 64 samples"
            } else if kind == .x264, PixelFormat(rawValue: work.pixelFormat)?.bitDepth ?? 8 > 8, settings.hasQuantizers
            {
                "counts quantizers of ten bits from another zero"
            } else {
                options.first(where: \.isUsed).map { "has nothing that does the same as \($0.name)" }
            }
        return reason.map { "the \(kind.name) program \($0)" }
    }

    private static func common(_ settings: ResolvedSettings, _ options: ProgramOption) -> [String]? {
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
            add("bitrate", "\(bitsPerSecond / 1000)")
        case .automatic, .quality: break
        }
        if let buffer = settings.live.rate.buffer {
            add("vbv-maxrate", "\(buffer.peakBitsPerSecond / 1000)")
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
    @Sendable static func x264(_ settings: ResolvedSettings) -> [String]? {
        guard let common = common(settings, .x264) else { return nil }
        var words = settings.request.threadCount.map { ["--threads", "\($0)"] } ?? []
        if settings.request.allowOpenGOP { words.append("--open-gop") }
        if settings.request.h264EntropyMode == .cavlc { words.append("--no-cabac") }
        if settings.live.rate.control.isConstantBitRate { words.append("--filler") }
        return ["x264"] + words + X264Backend.programOptions(settings) + common
    }

    /// The x265 program with the same settings; nil where it has no words for one of the library's options.
    @Sendable static func x265(_ settings: ResolvedSettings) -> [String]? {
        guard let common = common(settings, .x265) else { return nil }
        let threads =
            switch settings.request.threadCount {
            case nil: [String]()
            case 1: ["--pools", "none", "--frame-threads", "1"]
            case let count?: ["--pools", "\(count)"]
            }
        return ["x265"] + threads + (settings.request.allowOpenGOP ? [] : ["--no-open-gop"]) + [
            "--no-info", "--repeat-headers",
        ] + (settings.live.rate.control.isConstantBitRate ? ["--strict-cbr"] : [])
            + X265Backend.programOptions(settings) + common
    }
}

extension PointResult {
    /// The command of the library's own program that makes the same stream of a clip; nil where none does.
    func programCommand(of clip: ClipFacts) -> String? { clip.programObstacle == nil ? command : nil }

    /// Why there is no such command; nil where there is one, and for encoders that are no program.
    func programObstacle(of clip: ClipFacts) -> String? { command == nil ? commandObstacle : clip.programObstacle }
}

extension ClipFacts {
    /// Why the libraries' own programs, which are given the pictures as Y4M, do not make the same streams; nil where
    /// they do.
    var programObstacle: String? {
        if isConstantRate { return nil }
        return
            "the file has times of its own, which Y4M cannot hold: the libraries' own programs would encode other bytes"
    }
}

extension ResolvedSettings {
    /// Whether quantizers were asked for.
    fileprivate var hasQuantizers: Bool {
        if case .constantQuantizer = live.rate.control { return true }
        return live.asked.minAllowedFrameQP != nil || live.asked.maxAllowedFrameQP != nil
    }
}
