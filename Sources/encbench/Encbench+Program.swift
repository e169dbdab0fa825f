// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Logging

extension Program {
    /// This program.
    static let encbench = Program(
        name: "encbench", root: Encbench.self,
        options: [
            .averageBitRate: "--average-bit-rate", .bitRateCeiling: "--bit-rate-ceiling", .constantQuantizer: "--qp",
            .constantRateFactor: "--crf", .dataRateLimits: "--data-rate-limit",
            .expectedFrameRate: "--expected-frame-rate", .forceKeyFrame: "--force-key-frames",
            .h264EntropyMode: "--entropy-mode", .maxAllowedFrameQP: "--max-qp",
            .maxFrameDelayCount: "--max-frame-delay-count", .maxKeyFrameInterval: "--max-key-frame-interval",
            .maxKeyFrameIntervalDuration: "--max-key-frame-interval-duration", .minAllowedFrameQP: "--min-qp",
            .allowFrameReordering: "--no-frame-reordering", .allowOpenGOP: "--open-gop", .preset: "--preset",
            .profileLevel: "--profile-level", .quality: "--quality", .realTime: "--real-time",
            .threadCount: "--threads", .tune: "--tune", .nativeOptions: "--native",
        ])
}

extension EncoderError {
    /// What went wrong in the words of the command line: the option behind the API's name of its setting.
    var commandLineDescription: String { commandLineDescription(Program.encbench.options) }
}

extension StandardErrorLog {
    /// A logger that shows warnings and worse, or everything.
    static func logger(isVerbose: Bool) -> Logger { logger(of: .encbench, isVerbose: isVerbose) }
}

extension ProgressBar {
    /// Makes a bar of this program.
    init(unit: String = "frames", plainInterval: Double? = nil) {
        self.init(of: .encbench, unit: unit, plainInterval: plainInterval)
    }
}

extension Interruption {
    /// Makes an event of the first signal, for commands that report what they have then.
    static func reportEarly(_ event: OneShotEvent) throws(CommandFailure) {
        try whenRaised {
            StandardError.write("\nencbench: reporting what was finished so far; a second signal ends at once\n")
            event.signal()
        }
    }
}

extension OptionParsing {
    /// A setting's name and a value that its row can read.
    static func assignment(_ text: String) throws(OptionError) -> SettingAssignment {
        try assignment(text, refusing: refusedSettings)
    }

    /// Settings that commands decide themselves.
    static let refusedSettings: [Setting: String] = [.framing: "the output decides on framing; see --framing"]
}
