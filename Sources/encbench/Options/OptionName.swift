// SPDX-License-Identifier: MIT

import EncoderAPI

extension EncoderError {
    /// Options by the settings they stand for; `--set` takes the setting's own name.
    private static let options: [Setting: String] = [
        .averageBitRate: "--average-bit-rate", .bitRateCeiling: "--bit-rate-ceiling", .constantQuantizer: "--qp",
        .constantRateFactor: "--crf", .dataRateLimits: "--data-rate-limit", .expectedFrameRate: "--expected-frame-rate",
        .forceKeyFrame: "--force-key-frames", .h264EntropyMode: "--entropy-mode", .maxAllowedFrameQP: "--max-qp",
        .maxFrameDelayCount: "--max-frame-delay-count", .maxKeyFrameInterval: "--max-key-frame-interval",
        .maxKeyFrameIntervalDuration: "--max-key-frame-interval-duration", .minAllowedFrameQP: "--min-qp",
        .allowFrameReordering: "--no-frame-reordering", .allowOpenGOP: "--open-gop", .preset: "--preset",
        .profileLevel: "--profile-level", .quality: "--quality", .realTime: "--real-time", .threadCount: "--threads",
        .tune: "--tune", .nativeOptions: "--native",
    ]

    /// What went wrong in the words of the command line: the option behind the API's name of its setting.
    var commandLineDescription: String {
        guard let setting, let option = Self.options[setting], !description.contains(option) else { return description }
        guard description.hasPrefix(setting.rawValue + " ") else { return "\(option): \(description)" }
        return option + description.dropFirst(setting.rawValue.count)
    }
}
