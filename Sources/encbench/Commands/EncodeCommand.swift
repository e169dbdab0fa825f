// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import Glibc
import Logging
import MediaFiles
import Synchronization

/// `encbench encode`.
struct EncodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "Encodes one video to H.264 or HEVC.",
        discussion: """
            The output's extension decides what is written: .h264 .264 .hevc .265 a bare stream, .mp4 .mkv .flv .ts a \
            container. Sizes are in bytes, rates in bit/s, times in seconds. Numbers of bytes and bit/s take k and M \
            (1000-based) or Ki and Mi (1024-based).

            A damaged input ends the run with status 1 and says which packet; the frames before it are in the output.

            Examples:
              encbench encode in.y4m -o out.h264 --crf 23
              encbench encode in.mkv -o out.mp4 --encoder x265 --preset slow --average-bit-rate 2M
              ffmpeg -i in.mov -f yuv4mpegpipe - | encbench encode - -o out.hevc --crf 28
              encbench encode in.yuv --size 1280x720 --format i420 -o out.ts --qp 30
              encbench encode in.mkv -o out.mp4 --encoder vaapi --codec hevc --average-bit-rate 2M
            """)

    @Argument(help: "A Y4M file, raw video with --size, or anything libavformat reads; - for standard input.")
    var input: String

    @Option(
        name: [.short, .long],
        help: "The file to write; one that is there is replaced with the first frame written. - for standard output.")
    var output: String

    @Option(
        help: "One of \(OptionParsing.encoderNames); default: what fits the output's extension.",
        transform: OptionParsing.encoder)
    var encoder: EncoderKind?

    @Option(
        help: "h264 or hevc, needed where the encoder has both; default: what the output's extension says.",
        transform: OptionParsing.codec)
    var codec: VideoCodec?

    @OptionGroup var devices: DeviceOptions

    @Option(help: "The library's preset, such as ultrafast, medium, veryslow; default: the library's own choice.")
    var preset: String?

    @OptionGroup(title: RateOptions.title) var rate: RateOptions
    @OptionGroup(title: "Encoder") var options: EncoderOptions
    @OptionGroup(title: "Input") var inputOptions: InputOptions

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Any setting by its name, over all other options; 'encbench properties' lists them. May be given several times; default: none.",
            valueName: "name=value"),
        transform: OptionParsing.assignment)
    var assignments: [SettingAssignment] = []

    @Option(
        help: ArgumentHelp(
            "annexb or length-prefixed (4 bytes before each NAL unit), for bare streams; default: annexb.",
            valueName: "framing"),
        transform: OptionParsing.framing)
    var framing: StreamFraming?

    @Option(
        help: ArgumentHelp(
            "Write what became of each frame as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    @Flag(help: "Show what the session and the library have to say.")
    var verbose = false

    func validate() throws {
        if output == "-" && json == "-" { throw ValidationError("--json - and -o - both want standard output") }
        if let json, json != "-", json == output || json == input {
            throw ValidationError("--json \(json) is the input or output too; write to another file")
        }
        do {
            let kind = try choice().kind
            _ = try kind.backend(on: devices.device)
            try Variant.check(preset: preset, of: [kind])
            let format = try MediaOutput.format(path: output)
            if framing != nil, format != .elementaryStream {
                throw ValidationError("--framing is for bare streams; a container has its own")
            }
        } catch let error as OptionError {
            throw ValidationError(error.description)
        } catch let error as MediaFileError {
            throw ValidationError(error.description)
        }
    }

    private func choice() throws(OptionError) -> EncoderChoice {
        try EncoderChoice(
            encoder: encoder, codec: codec, promised: OutputFormat.codec(ofElementaryStream: output))
    }

    func run() async throws {
        let logger = StandardErrorLog.logger(isVerbose: verbose)
        let choice = try choice()
        try FilePlace.check(output, isNone: [("the input", input)])
        if let json { try FilePlace.check(json, isNone: [("the input", input), ("the output", output)]) }
        let source = try inputOptions.clips.open(input, frameRate: options.expectedFrameRate)
        let left = choice.kind.metadataOptions == nil ? SourceMetadata(source.info).omissions : []
        for note in source.info.conversions + source.info.omissions + left { logger.warning("\(input): \(note)") }
        let backend = try choice.kind.backend(on: devices.device)
        let encoder = try await backend.encoder(naming: choice.codec)
        let losses = inputOptions.clips.describe(source.info).losses(by: encoder)
        for loss in losses { logger.warning("\(input): \(loss)") }
        let configuration = try configuration(choice, encoder, source: source.info)
        let session = try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
        // Opened before the output is made, so that a refused setting leaves no empty file behind.
        try await session.prepare()
        let told = session.adjustments
        tell(told, logger)
        let interruption = OneShotEvent()
        try Interruption.whenRaised {
            StandardError.tell("\nencbench: writing what was read so far; a second signal ends at once\n")
            interruption.signal()
        }
        let total = inputOptions.clips.describe(source.info).frameCount
        let writer = try MediaOutput.open(path: output, configuration: configuration)
        let start = ResourceUsage.now()
        let (outcome, record) = try await encode(
            session, from: source, to: writer, total: total, interruption: interruption)
        let used = ResourceUsage.now() - start
        // Conversions that showed while frames were read and encoded.
        for conversion in outcome.conversions { logger.warning("\(input): \(conversion)") }
        tell(session.adjustments.filter { !told.contains($0) }, logger)
        try report(outcome, record, used, session: session, choice: choice)
    }

    private func tell(_ adjustments: [Adjustment], _ logger: Logger) {
        for adjustment in adjustments {
            logger.log(level: assignments.level(of: adjustment), "\(adjustment.sentence)")
        }
    }

    private func configuration(
        _ choice: EncoderChoice, _ encoder: EncoderDescription, source: VideoSourceInfo
    ) throws -> SessionConfiguration {
        let format = try MediaOutput.format(path: output)
        var source = inputOptions.clips.describe(source).writable(by: encoder)
        // A bare stream has no times but the rate that its headers declare.
        if format == .elementaryStream, source.frameRate != nil { source.isConstantRate = true }
        var configuration = options.configuration(
            codec: choice.codec, source: source, rateControl: rate.rateControl, preset: preset)
        configuration.addOptions(for: source, to: choice.kind)
        for assignment in assignments { try assignment.apply(to: &configuration) }
        if configuration.codec == .hevc, configuration.allowOpenGOP, !options.forceKeyFrames.isEmpty {
            throw EncoderError(
                .conflictingSettings,
                reason: "--force-key-frames with open GOP, which makes HEVC key frames CRA and not IDR",
                setting: .forceKeyFrame)
        }
        configuration.framing = framing ?? format.framing
        configuration.parameterSets = format.parameterSets
        return configuration
    }

    private func encode(
        _ session: CompressionSession, from source: sending any VideoSource, to writer: sending any EncodedFrameWriter,
        total: Int?, interruption: OneShotEvent
    ) async throws(CommandFailure) -> (EncodeRun.Outcome, StreamRecord) {
        let run = EncodeRun(
            session: session, frameLimit: inputOptions.frames, forcedKeyFrames: Set(options.forceKeyFrames),
            interruption: interruption)
        let watch = Mutex((record: StreamRecord(keepsFrames: json != nil), bar: ProgressBar(), done: 0))
        let label = session.encoder.displayName
        let outcome = try await run.run(from: source, to: writer) { frame in
            watch.withLock { watch in
                watch.record.add(frame)
                watch.done += 1
                watch.bar.update(done: watch.done, total: total, label: label)
            }
        }
        return watch.withLock { watch in
            watch.bar.clear()
            return (outcome, watch.record)
        }
    }
}

// MARK: - Reporting

extension EncodeCommand {
    private func report(
        _ outcome: EncodeRun.Outcome, _ record: StreamRecord, _ used: ResourceUsage, session: CompressionSession,
        choice: EncoderChoice
    ) throws {
        let seconds = record.seconds(statedRate: session.configuration.live.expectedFrameRate)
        let speed = used.wallSeconds > 0 ? Double(outcome.encoded) / used.wallSeconds : 0
        if let json {
            let configuration = session.configuration
            let report = EncodeReport(
                input: input, output: output, encoder: session.encoder.id.rawValue,
                library: session.encoder.libraryVersion, codec: choice.codec.rawValue,
                codecString: record.format?.codecString, width: record.format?.shownWidth ?? configuration.width,
                height: record.format?.shownHeight ?? configuration.height, frames: outcome.encoded,
                droppedFrames: outcome.dropped,
                bytes: outcome.bytes, bitsPerSecond: seconds > 0 ? Double(outcome.bytes) * 8 / seconds : nil,
                askedBitsPerSecond: session.statistics.bitRate?.asked,
                encodeFramesPerSecond: speed, wallSeconds: used.wallSeconds, cpuSeconds: used.cpuSeconds,
                peakResidentBytes: ResourceUsage.peakResidentBytes(), isInterrupted: outcome.isInterrupted,
                error: outcome.error.map { "\($0)" }, adjustments: session.adjustments.map(\.sentence),
                accessUnits: [])
            try JSONDocument.write(
                report, array: EncodeReport.CodingKeys.accessUnits.rawValue, of: record.frames, to: json)
        }
        let rate = seconds > 0 ? ", " + Format.bitRate(Double(outcome.bytes) * 8 / seconds) : ""
        let doubt = used.wallSeconds < 0.1 ? ", too short to judge by" : ""
        StandardError.tell(
            "\(Format.counted(outcome.encoded, "frame")), \(outcome.bytes) bytes\(rate), \(Format.fixed(speed, 1)) fps\(doubt)\n"
        )
        for number in options.forceKeyFrames where outcome.error == nil && !outcome.isInterrupted {
            guard number >= outcome.submitted else { continue }
            StandardError.tell(
                "encbench: warning: frame \(number) cannot be a key frame, the input has "
                    + "\(Format.counted(outcome.submitted, "frame"))\n")
        }
        if case .rateControl = outcome.firstDrop {
            StandardError.tell("encbench: warning: \(outcome.dropped) frames were dropped for want of bits\n")
        }
        if let rate = session.statistics.bitRate, let excess = excess(over: rate) {
            StandardError.tell("encbench: warning: \(excess)\n")
        }
        if let error = outcome.error { throw error }
        if outcome.isInterrupted { throw ExitCode(Interruption.exitCode) }
        if case .failed(let error) = outcome.firstDrop {
            let count = "\(outcome.dropped) of \(outcome.submitted) frames"
            throw CommandFailure("\(input): \(count) are missing, the first for \(error)")
        }
        if outcome.encoded == 0 { throw CommandFailure("\(input): no frames to encode") }
    }

    /// What there is to say where a bit rate was passed by more than a tenth: encoders keep it over many frames.
    private func excess(over rate: SessionStatistics.BitRate) -> String? {
        guard let came = rate.bitsPerSecond, let deviation = rate.deviation, deviation > 0.1 else { return nil }
        return "\(Format.grouped(rate.asked)) bit/s were asked for: \(Format.bitRate(came)) came out, "
            + "\(Format.fixed(1 + deviation, 2)) times as many, in \(Format.fixed(rate.seconds, 2)) s: encoders keep a "
            + "rate over many frames"
    }
}
