// SPDX-License-Identifier: MIT

import ArgumentParser
import Capture
import CommandOptions
import EncoderAPI
import Glibc
import Logging
import MediaFiles
import Publishing

/// The command.
@main struct Encpublish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encpublish", abstract: "Encodes or copies video to files and servers, all at once.",
        discussion: """
            Each output has a thread and a queue of its own: a server that is slow or gone delays neither files nor \
            other servers. What a server cannot take in time is left out from one key frame to the next, and told with \
            its reason; connections that break are opened \
            again. A server of RTMP that ends three connections in a row without a word, at the same step behind the \
            handshake, is taken to refuse, and its output fails.

            An output is an address (rtmp://HOST/APPLICATION/KEY, rtmps://, srt://HOST:PORT, perhaps with \
            ?passphrase=WORD, udp://HOST:PORT, ws://HOST:PORT/PATH, perhaps with ?token=WORD, for a server that takes this program's messages, or \
            annexb:ws://HOST:PORT/PATH for one that takes one NAL unit a message), a folder with a slash at its end, which gets segments of fragmented MP4 (CMAF) and their play list (HLS), or of \
            transport streams as ts:FOLDER/, or a file. A file's extension says what is written; .mp4 and .mov are written in fragments, which survive a crash. A name and a colon before a path say \
            it instead: mp4: mov: (both complete only when they end) fmp4: fmov: mkv: ts: flv: asf: annexb: adts: and \
            with - for standard output, as ts:-.

            --encoding NAME=ENCODER:PRESET,SETTING=VALUE encodes the same input in one more way; its outputs are given as \
            --to NAME=OUTPUT. The input is read once, and sound is encoded once. Encoders make a key frame every 2 s at the \
            latest, so that outputs can begin and begin again; --set MaxKeyFrameIntervalDuration=SECONDS changes that.

            A key on the command line is seen by everybody on the machine. --to @FILE reads outputs from a file, one a \
            line, and --to env:NAME one from a variable of the environment. Keys, passphrases and user names are shown \
            nowhere. An address with blanks is quoted; of words behind one that are neither an option nor a file, messages \
            say "…".

            A screen, a camera and a graph are captured: x11::0.0+10,20, v4l2:/dev/video2, lavfi:testsrc2=rate=30, as input or \
            behind --input. --sound takes pulse:SOURCE and lavfi:GRAPH beside them. 'encpublish devices' lists what there is, and how \
            to get what is missing. When the sound is gone the pictures go on, and the sound when they are.

            Ctrl-C, SIGTERM and SIGHUP complete files and close connections; a second one ends at once. Ends with status 0 when all is \
            complete, 64 for options or values that cannot be used, 1 when input, encoder or all outputs failed, 3 when \
            some outputs failed, those to which nothing was written among them, and others are complete, and 130 after Ctrl-C (143 after SIGTERM, 129 after SIGHUP unless that was ignored, as by nohup) when all are complete.

            Examples:
              encpublish test --to out.mp4 --duration 10
              encpublish film.mkv --average-bit-rate 1500k --to env:STREAM --to film.flv
              encpublish in.mkv --to a.mp4 --encoding s=x265:fast,crf=30 --to s=b.mp4
              encpublish test --serve 8080 --to annexb:ws://127.0.0.1:8765/
              encpublish in.mp4 --copy --to @servers.txt --record copy.mkv --json stats.json
            """, version: "encpublish 0.1.0")

    @Argument(
        help:
            "A Y4M file, raw video with --size, or anything libavformat reads; - for standard input; test or test:flash for pictures and sound that are made here, without an end unless --duration gives one; x11:DISPLAY, v4l2:NODE or lavfi:GRAPH to capture; devices to list what can be captured."
    )
    var input: String?

    @Option(
        help: ArgumentHelp(
            "Where to: an address, a file, a folder/, @FILE with a list of them, or env:NAME. May be given several times; default: none.",
            valueName: "output"))
    var to: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file or folder/ that begins with a sync frame, after --record-after; default: none.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Seconds of the input to read before --record takes the next sync frame that goes out, 0 to 86400; default: 0.",
            valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0...86_400) })
    var recordAfter: Double?

    @Flag(help: "Take the input's H.264 or HEVC, and its AAC or Opus, as they are.")
    var copy = false

    @OptionGroup(title: "Encoder") var encoding: EncodingOptions
    @OptionGroup(title: RateOptions.title) var rate: RateOptions
    @OptionGroup(title: "Input and sound") var source: SourceOptions
    @OptionGroup(title: "Capture") var capture: CaptureChoices
    @OptionGroup(title: "Connections") var connections: ConnectionChoices
    @OptionGroup(title: "Folders") var segments: SegmentChoices
    @OptionGroup(title: "Browsers") var serving: ServingOptions

    @Option(
        help: ArgumentHelp(
            "Write statistics of each output as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    @Flag(help: "Print what would be done, without secrets, and end.")
    var plan = false

    @Flag(help: "Show what session, encoder and library say of themselves, but nothing of single pictures.")
    var verbose = false

    /// Parses the command line, runs the command and ends the process.
    static func main() async {
        await Program.encpublish.run()
    }

    func validate() throws {
        if listsDevices {
            guard let first = given.first else { return }
            throw ValidationError(
                "devices with \(first); it takes no options, and an input file of that name is given as ./devices")
        }
        if input == nil, capture.inputs.isEmpty, hasNoOutput {
            throw ValidationError("no input\n\n\(Self.helpMessage())")
        }
        do throws(OptionError) {
            _ = try makePlan()
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Whether all that is asked for is which devices there are.
    private var listsDevices: Bool { input == "devices" && capture.inputs.isEmpty && hasNoOutput }

    private var hasNoOutput: Bool { to.isEmpty && record == nil && serving.serve == nil }

    func run() async throws {
        if listsDevices {
            return try WholeFile.writeInPlace(Array(CaptureDevices.find().text.utf8), to: "-")
        }
        let plan = try makePlan()
        if self.plan {
            let text = SplitAddress(Program.arguments).hidden(in: plan.description)
            return try WholeFile.writeInPlace(Array(text.utf8), to: "-")
        }
        try checkFiles(plan)
        for note in plan.notes { StandardError.tell("encpublish: \(note)\n") }
        // The encoders' own lines for single pictures are traces.
        let logger = StandardErrorLog.logger(of: .encpublish, isVerbose: verbose, verboseLevel: .debug)
        // Who reads what is told here may go away, as `| head` does: that ends no recording.
        signal(SIGPIPE, SIG_IGN)
        let interruption = OneShotEvent()
        try Interruption.whenRaised {
            StandardError.tell("\nencpublish: completing files and closing connections; a second signal ends at once\n")
            interruption.signal()
        }
        let start = ResourceUsage.now()
        let run = PublishRun(
            plan: plan, rate: rate.rateControl, encoding: encoding, source: source, connections: connections,
            segments: segments, interruption: interruption, logger: logger)
        // Held to the end: no output opens what is read.
        let claims = try plan.filesRead.compactMap { what, path in try PlaceClaim.claim(path, for: .reading(as: what)) }
        defer { withExtendedLifetime(claims) {} }
        var report = try await run.run()
        let used = ResourceUsage.now() - start
        (report.wallSeconds, report.cpuSeconds) = (used.wallSeconds, used.cpuSeconds)
        report.peakResidentBytes = ResourceUsage.peakResidentBytes()
        if let json { try write(report, of: plan, to: json) }
        StandardError.tell(report.summary)
        if report.status != 0 { throw ExitCode(report.status) }
    }

    /// What is to be done; reads lists of outputs.
    private func makePlan() throws(OptionError) -> PublishPlan {
        let names = Set(encoding.named.map(\.name))
        let list = OutputList(
            variable: { name in getenv(name).map { String(cString: $0) } }, encodings: names,
            file: { path throws(MediaFileError) in try WholeFile.read(path, limit: OutputList.largestFile) })
        let captured = try capture.sources()
        var wishes = PublishPlan.Wishes(input: try chosenInput(captured?.pictures))
        wishes.outputs = try list.outputs(to)
        if let output = try serving.output { wishes.outputs.append(output) }
        if let record { wishes.recording = try PlannedOutput(record, encodings: names) }
        wishes.recordingStart = recordAfter ?? 0
        if case .file(let path) = wishes.input { wishes.readsStream = path == "-" || FilePlace.isStream(path) }
        wishes.isCopy = copy
        (wishes.encoder, wishes.codec) = (encoding.encoder, encoding.codec)
        wishes.encoderOptions = encoding.given + (rate.rateControl == .automatic ? [] : rate.given)
        wishes.named = encoding.named.map(\.planned)
        wishes.hasMeanBitRate =
            rate.averageBitRate != nil || encoding.assignments.contains { $0.row.setting == .averageBitRate }
        wishes.adapts = connections.adapt
        wishes.size = source.size
        wishes.sound = try source.sound.map { text throws(OptionError) in try SoundChoice(text) }
        if let sound = captured?.sound {
            guard wishes.sound == nil else {
                throw OptionError(.conflicting, "--input \(sound) with --sound; give one of them")
            }
            wishes.sound = sound
        }
        (wishes.rotation, wishes.darkFrames) = (capture.rotate ?? .none, capture.skipDark ?? .kept)
        (wishes.soundOptions, wishes.segmentOptions) = (source.soundOptions, segments.given)
        (wishes.serverOptions, wishes.certificateOptions) = (connections.given, connections.givenForCertificates)
        (wishes.pace, wishes.duration) = (source.pace, source.duration)
        if source.frameRate != nil, !wishes.input.isTest, wishes.input.captured == nil, source.size == nil {
            throw OptionError(
                .conflicting, "--frame-rate is for a test source, a capture, and raw video with its --size")
        }
        let plan = try PublishPlan(wishes)
        if json == "-",
            (plan.outputs + [plan.recording?.output].compactMap(\.self)).contains(where: \.place.isStandardOutput)
        {
            throw OptionError(.conflicting, "--json - and an output both want standard output")
        }
        return plan
    }

    /// The input that is an argument, or behind `--input`.
    private func chosenInput(_ captured: InputChoice?) throws(OptionError) -> InputChoice {
        switch (input, captured) {
        case (let input?, nil): return try InputChoice(input)
        case (nil, let captured?): return captured
        case (nil, nil):
            throw OptionError(
                .malformed, "no input; give a file, -, test, test:flash, or --input with x11:, v4l2: or lavfi:")
        case (let input?, _?):
            throw OptionError(
                .conflicting, "'\(AddressHiding.shown(value: input) ?? input)' and --input; give one of them")
        }
    }

    /// Refuses outputs that are the input, the statistics or each other under another name.
    private func checkFiles(_ plan: PublishPlan) throws {
        var places = PlacesInUse()
        for (what, path) in plan.filesRead {
            try places.checkReading(path)
            places.read(path, as: what)
        }
        for output in try plan.written(connections, segments) {
            try places.check(output)
            places.write(output)
        }
        if let json { try places.check(json) }
    }

    /// Writes the statistics, unless their path has come to lead to what was read or written.
    private func write(_ report: PublishReport, of plan: PublishPlan, to path: String) throws {
        var places = PlacesInUse()
        for (what, path) in plan.filesRead { places.read(path, as: what) }
        for output in try plan.written(connections, segments) { places.write(output) }
        try places.check(path)
        try FilePlace.check(path, isNone: report.outputs.flatMap(\.files).map { ("an output", $0) })
        try WholeFile.write(try JSONDocument.bytes(report), to: path)
    }
}

extension Program {
    /// This program.
    static let encpublish = Program(
        name: "encpublish", root: Encpublish.self,
        options: [
            .averageBitRate: "--average-bit-rate", .constantQuantizer: "--qp", .constantRateFactor: "--crf",
            .expectedFrameRate: "--frame-rate", .preset: "--preset", .quality: "--quality",
        ], hidingSecrets: { AddressHiding.hide(in: $0, arguments: Program.arguments) })
}
