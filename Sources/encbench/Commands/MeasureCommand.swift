// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles
import PictureQuality

/// `encbench measure`.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Compares files that anything encoded with the video they were made of.",
        discussion: """
            Pictures are matched by their numbers, so each file must have all of the reference's, or with --frames the first of them; \
            where they agree far better with the reference one picture earlier or later, the report says so. Sizes are those of the \
            video without its container, with the parameter sets that lie in the container's header. Files of one name make a curve; with four or more of each, curves are compared at \
            equal quality, the first being the anchor.

            Examples:
              encbench measure clip.y4m encoded.mp4
              encbench measure clip.y4m gpu=g1.mp4 gpu=g2.mp4 gpu=g3.mp4 gpu=g4.mp4 cpu=c1.mkv cpu=c2.mkv cpu=c3.mkv cpu=c4.mkv
            """)

    @Argument(
        help: "The video as it was before it was encoded: Y4M, raw video with --size, or anything libavformat reads.")
    var reference: String

    @Argument(
        help: ArgumentHelp("Encoded files of any codec that libavcodec decodes.", valueName: "name=file"),
        transform: { MeasuredFiles.Item($0) })
    var files: [MeasuredFiles.Item]

    @OptionGroup(title: "Quality") var quality: MetricOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second of a raw reference, 0.01 to 1000, such as 30, 29.97 or 30000/1001; default: 25.",
            valueName: "frames/s"),
        transform: OptionParsing.frameRate)
    var expectedFrameRate: FrameRate?

    @OptionGroup(title: "Reports") var reports: ReportOptions

    func validate() throws {
        if expectedFrameRate != nil, inputOptions.size == nil {
            throw ValidationError("--expected-frame-rate is for raw video; give its --size too")
        }
    }

    func run() async throws {
        try reports.check(inputs: [reference] + files.map(\.path))
        let clip = try inputOptions.clips.clip(reference, frameRate: expectedFrameRate).facts
        let measurements = try MeasuredFiles(
            reference: clip, items: files, metrics: quality.measured(of: [clip]), tools: quality.tools
        ).measurements()
        let report = measurements.report(isInterrupted: false)
        try reports.show(report)
        try await reports.write(
            report, of: measurements, PictureTaker(logger: StandardErrorLog.logger(isVerbose: false)))
        guard report.failures.isEmpty else {
            throw CommandFailure(report.failures.map(\.reason).joined(separator: "; "))
        }
    }
}

extension MeasuredFiles.Item {
    /// "name=file", or a file alone; what has a slash before the sign is a path.
    init(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isLabelled = parts.count == 2 && !parts[0].isEmpty && !parts[0].contains("/")
        self.init(label: isLabelled ? parts[0] : nil, path: isLabelled ? parts[1] : text)
    }
}
