// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import Logging
import MediaFiles
import Synchronization

/// `encbench compare`, and `encbench` alone.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compares encoders on real video: size, quality and speed.",
        discussion: """
            Each input is encoded by each encoder at several rates, decoded, and compared with its source picture by \
            picture. What counts is the number of bytes at equal quality (BD-rate), not at equal options. Without an \
            input, the clip that comes with encbench is used.

            Examples:
              encbench
              encbench compare clip.y4m --preset slow --json result.json
              encbench compare a.mkv b.mkv --encoder x264,x265 --qp 22,27,32,37 --frames 120
              encbench compare clip.y4m --preset slow:veryfast     (x264 slow against x265 veryfast)

            After Ctrl-C, and after a clip that fails, the report has everything that was measured before.
            """)

    @Argument(help: "Y4M files, raw video with --size, or anything libavformat reads; default: the bundled clip.")
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp("Encoders to compare; the first is the anchor.", valueName: "list"),
        transform: OptionParsing.encoders)
    var encoder: [EncoderKind] = [.x264, .x265]

    @Option(
        help: ArgumentHelp(
            "Presets to compare, separated by commas; A:B gives each encoder its own, in their order.",
            valueName: "list"),
        transform: OptionParsing.presets)
    var preset: [[String]] = [["medium"]]

    @OptionGroup(title: "Bits, four or more values for an answer at equal quality") var rates: RateListOptions
    @OptionGroup(title: "Encoder") var options: EncoderOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions

    @Option(help: ArgumentHelp("Write everything measured as JSON; - for standard output.", valueName: "file"))
    var json: String?

    @Flag(help: "Show what the sessions and the libraries have to say.")
    var verbose = false

    func validate() throws {
        for presets in preset where presets.count > 1 && presets.count != encoder.count {
            throw ValidationError(
                "--preset \(presets.joined(separator: ":")) names \(presets.count) presets for \(encoder.count) encoders"
            )
        }
    }

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: verbose)
        let bundled = inputs.isEmpty ? try BundledClip.path() : nil
        // What would fail after minutes of encoding fails now.
        for path in inputs where path != "-" { _ = try InputFile(path: path) }
        if let json {
            try FileIdentity.check(json, isNone: inputs.map { ("an input", $0) })
            try MediaOutput.checkWritable(json)
        }
        let interruption = OneShotEvent()
        try Interruption.whenRaised {
            StandardError.write("\nencbench: reporting what was measured so far; a second signal ends at once\n")
            interruption.signal()
        }
        var report = ComparisonReport(
            machine: .current(), threadsPerEncoder: options.comparedThreadCount, clips: [], failures: [],
            isInterrupted: false, peakResidentBytes: nil)
        for path in bundled.map({ [$0] }) ?? inputs where !interruption.hasHappened {
            do {
                let outcome = await compare(try clip(path, isBundled: path == bundled), interruption, logger)
                outcome.result.map { report.clips.append($0) }
                if let error = outcome.error { throw error }
            } catch {
                report.failures.append(ComparisonReport.Failure(clip: path, reason: "\(error)"))
                logger.error("\(path): \(error)")
            }
        }
        report.isInterrupted = interruption.hasHappened
        report.peakResidentBytes = ResourceUsage.peakResidentBytes()
        try write(report)
        if report.isInterrupted { throw ExitCode(Interruption.exitCode) }
        if !report.failures.isEmpty {
            throw CommandFailure("\(report.failures.count) of \(max(inputs.count, 1)) clips could not be compared")
        }
    }

    private func clip(_ path: String, isBundled: Bool) throws -> Clip {
        let source = try inputOptions.open(path, frameRate: options.expectedFrameRate)
        let clip = try Clip(reading: source, name: path, frameLimit: inputOptions.frames)
        return isBundled ? clip.asBundledClip() : clip
    }

    private func compare(
        _ clip: Clip, _ interruption: OneShotEvent, _ logger: Logger
    ) async -> ClipComparison.Outcome {
        let bar = Mutex(ProgressBar())
        defer { bar.withLock { $0.clear() } }
        let comparison = ClipComparison(
            clip: clip, encoders: encoder, presets: preset, rates: rates, options: options,
            describe: inputOptions.describe, interruption: interruption, logger: logger)
        return await comparison.run { done, total, label in
            bar.withLock { $0.update(done: done, total: total, label: label) }
        }
    }

    /// Writes what was measured; nothing when nothing was, so that no older report is lost for an empty one.
    private func write(_ report: ComparisonReport) throws {
        guard !report.clips.isEmpty else { return }
        if json != "-" { try MediaOutput.write(Array(ComparisonText.text(report).utf8), to: "-") }
        if let json { try MediaOutput.write(try JSONDocument.bytes(report), to: json) }
    }
}
