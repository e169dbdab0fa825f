// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import PictureQuality

/// `encbench keyframes`.
struct KeyFramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyframes",
        abstract: "Shows whether forced key frames come where they are asked, and what they cost.",
        discussion: """
            Encodes each clip with the key frames that --every or --force-key-frames asks for and without; default: three that \
            part the clip into quarters. Shows for each whether all its slices are IDR, its bytes and PSNR beside those of \
            the same picture without, and how far the PSNR of the next half second falls; then what all of them cost, and \
            whether --max-key-frame-interval and --max-key-frame-interval-duration are kept.

            What they cost is told at the same quality: the clip is encoded with them up to four times more, better and \
            worse, and the bytes at the PSNR of the encode without are interpolated.

            Examples:
              encbench keyframes clip.mkv --every 1                   (what a key frame every second costs)
              encbench keyframes clip.y4m --force-key-frames 37,80,81 --crf 26 --encoder x265 --preset slow
              encbench keyframes clip.y4m --max-key-frame-interval-duration 2 --average-bit-rate 1M

            Ends with status 1 where a key frame is missing, is no IDR, or comes later than an interval allows.
            """)

    @OptionGroup var question: QuestionOptions
    @OptionGroup(title: RateOptions.title) var rate: RateOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var memory: MemoryOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Make the first picture of each so many seconds a key frame, 0.001 to 86400, by the clip's mean rate; default: the "
                + "frames of --force-key-frames.",
            valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0.001...86_400) })
    var every: Double?

    func validate() throws {
        if every != nil, !question.options.forceKeyFrames.isEmpty {
            throw ValidationError("--every and --force-key-frames exclude each other; give one of them")
        }
    }

    func run() async throws {
        var question = try Question(
            question, threads: question.options.comparedThreadCount, metrics: [.squaredError], budget: memory.budget)
        try await question.plan { [question] variant, clip, encoder in
            func point(_ rate: RateControl, forcing numbers: [Int]) async throws -> PointSpec {
                let planner = try question.planner { $0.forceKeyFrames = numbers }
                var point = try await planner.point(variant, rate, of: clip, on: encoder)
                point.rate += numbers.isEmpty ? ", none forced" : ", key frames forced"
                return point
            }
            let asked = rate.rateControl
            let plain = try await point(asked, forcing: [])
            // Containers do not say how many frames there are.
            let decoded = await question.context.clips.clip(of: plain)?.count
            let count = decoded.map { min($0, clip.facts.frameLimit ?? $0) } ?? clip.facts.expectedFrames
            let numbers = try forcedKeyFrames(amongst: count, framesPerSecond: clip.facts.framesPerSecond ?? 25)
            var points = [plain, try await point(asked, forcing: numbers)]
            for neighbor in asked.neighbors(of: try variant.kind) {
                points.append(try await point(neighbor, forcing: numbers))
            }
            return points
        }
        let answers = try await question.answers(KeyFrameRun(), store: storeOptions)
        try question.finish(try KeyFrameReport(answers))
    }

    /// The pictures to make key frames.
    ///
    /// - Throws: ``OptionError`` where the clip does not have what an option asks for; ``CommandFailure`` where it has
    ///   nothing to choose from.
    private func forcedKeyFrames(amongst count: Int?, framesPerSecond: Double) throws -> [Int] {
        if let every { return try Self.frames(every: every, amongst: count, framesPerSecond: framesPerSecond) }
        let asked = question.options.forceKeyFrames
        guard asked.isEmpty else {
            if let count, let beyond = asked.first(where: { $0 >= count }) {
                throw OptionError(
                    .outOfRange,
                    "--force-key-frames: frame \(beyond) cannot be a key frame, the clip has "
                        + Format.counted(count, "frame"))
            }
            return asked
        }
        guard let count else {
            throw CommandFailure("the clip does not say how many frames it has; name some with --force-key-frames")
        }
        let quarters = Set((1...3).map { count * $0 / 4 }).subtracting([0]).sorted()
        guard !quarters.isEmpty else {
            throw CommandFailure(
                "the clip has \(Format.counted(count, "frame")), expected 2 or more: the first is a key frame anyway")
        }
        return quarters
    }

    /// The first frame of each interval but the first.
    private static func frames(
        every seconds: Double, amongst count: Int?, framesPerSecond: Double
    ) throws -> [Int] {
        guard let count else {
            throw CommandFailure("the clip does not say how many frames it has; name some with --force-key-frames")
        }
        let step = seconds * framesPerSecond
        // An interval of less than a frame makes each frame one.
        var numbers: [Int] = []
        while case let next = Int((Double(numbers.count + 1) * max(step, 1) - 1e-6).rounded(.up)), next < count {
            numbers.append(next)
        }
        guard !numbers.isEmpty else {
            throw OptionError(
                .outOfRange,
                "--every \(Format.shortest(seconds)): the clip has \(Format.fixed(Double(count) / framesPerSecond, 2)) s, "
                    + "expected more than that")
        }
        return numbers
    }
}
