// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

extension ProgramCommand {
    /// The command with in.y4m as its input; nil for encoders that are no program, and where there is an obstacle.
    package static func line(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> String? {
        words(kind, settings, of: work)?.map(\.shellWord).joined(separator: " ")
    }

    /// The command word by word: the program, its options, "-o", the output, and in.y4m.
    package static func words(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> [String]? {
        guard let program = kind.program, obstacle(kind, settings, of: work) == nil else { return nil }
        let output = kind.onlyCodec == .hevc ? "out.hevc" : "out.264"
        let depth = PixelFormat(rawValue: work.pixelFormat)?.bitDepth ?? 8
        // x264 would convert to eight bits.
        let depthOption = depth > 8 ? ["--output-depth", "\(depth)"] : []
        guard let words = program(settings) else { return nil }
        // Who makes the Y4M file need not know what the times come from.
        let rateOption = work.recognizedRate.map { ["--fps", $0] } ?? []
        return words + rateOption + depthOption + ["-o", output, "in.y4m"]
    }

    /// Why the library's own program cannot do the same; nil where it can, and for encoders that are no program.
    package static func obstacle(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> String? {
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
            if let scale = work.scaledFrom {
                "is given pictures as they are, and these are scaled from \(scale.width)x\(scale.height)"
            } else if work.raw != nil {
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
}

extension PointResult {
    /// The command of the library's own program that makes the same stream of a clip; nil where none does.
    package func programCommand(of clip: ClipFacts) -> String? { clip.programObstacle == nil ? command : nil }

    /// Why there is no such command; nil where there is one, and for encoders that are no program.
    package func programObstacle(of clip: ClipFacts) -> String? {
        command == nil ? commandObstacle : clip.programObstacle
    }
}

extension ClipFacts {
    /// Why the libraries' own programs, which are given the pictures as Y4M, do not make the same streams; nil where
    /// they do.
    package var programObstacle: String? {
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
