// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

/// The command line of an encoder's own program that does what a session does.
package enum ProgramCommand {
    /// The command with in.y4m as its input; nil for encoders that are no program, and where there is an obstacle.
    package static func line(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> String? {
        words(kind, settings, of: work)?.map(\.shellWord).joined(separator: " ")
    }

    /// The command word by word: the program, its options, "-o", the output, and in.y4m.
    package static func words(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> [String]? {
        guard let program = kind.program, obstacle(kind, settings, of: work) == nil,
            let options = program.options(settings)
        else { return nil }
        let depth = work.pictures.bitDepth
        // x264 would convert to eight bits.
        let depthOption = depth > 8 ? ["--output-depth", "\(depth)"] : []
        // Who makes the Y4M file need not know what the times come from.
        let rateOption = work.recognizedRate.map { ["--fps", $0] } ?? []
        return [program.name] + options + rateOption + depthOption + ["-o", program.output, "in.y4m"]
    }

    /// Why the library's own program cannot do the same; nil where it can, and for encoders that are no program.
    package static func obstacle(_ kind: EncoderKind, _ settings: ResolvedSettings, of work: PointWork) -> String? {
        guard let program = kind.program else { return nil }
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
            } else if let obstacle = program.obstacle(work.pictures, settings) {
                obstacle
            } else {
                options.first(where: \.isUsed).map { "has nothing that does the same as \($0.name)" }
            }
        return reason.map { "the \(program.name) program \($0)" }
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

extension PointWork {
    /// What is to be encoded.
    fileprivate var pictures: EncoderProgram.Pictures {
        EncoderProgram.Pictures(
            width: width, height: height, bitDepth: PixelFormat(rawValue: pixelFormat)?.bitDepth ?? 8)
    }
}
