// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench

/// Scenes that stand for a long clip.
struct SampleOptions: ParsableArguments {
    /// Pictures of a scene unless somebody says otherwise.
    private static let usualLength = 48

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Encode so many scenes, \(SceneSample.counts.lowerBound) to \(SceneSample.counts.upperBound), spread over the clip, in place "
                + "of all of it, with constant rate factors or quantizers; size and encoding time of the whole are predicted, with an "
                + "interval. Default: the whole clip.",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: SceneSample.counts) })
    var sample: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames of each scene that count, \(SceneSample.lengths.lowerBound) to \(SceneSample.lengths.upperBound); \(SceneSample.lead) "
                + "before and \(SceneSample.tail) after them are encoded too. Default: \(usualLength).",
            valueName: "n"),
        transform: { try OptionParsing.integer($0, in: SceneSample.lengths) })
    var sampleFrames: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What the choice of scenes follows from, \(OptionParsing.seeds): the same scenes for the same seed. Default: 1.",
            valueName: "n"),
        transform: OptionParsing.seed)
    var sampleSeed: UInt64?

    func validate() throws {
        guard sample == nil else { return }
        let others = [("--sample-frames", sampleFrames != nil), ("--sample-seed", sampleSeed != nil)]
        guard let name = others.first(where: \.1)?.0 else { return }
        throw ValidationError("\(name) is for --sample")
    }

    /// Refuses a scale that scenes say nothing of.
    func check(_ scale: TargetScale?) throws(ValidationError) {
        guard sample != nil, scale == .bitRate else { return }
        throw ValidationError(
            "--sample is for crf and qp: a mean bit rate is spread over the whole clip, of which scenes know nothing")
    }

    /// The scenes of a clip; nil where all of it is encoded.
    ///
    /// - Throws: ``OptionError`` for a clip that is too short, and one whose frames cannot be counted.
    func scenes(of clip: ClipFacts, interruption: OneShotEvent) throws -> SceneSample? {
        guard let sample else { return nil }
        guard let frames = try clip.frameCount(interruption: interruption) else {
            throw OptionError(.unusable, "--sample \(sample): the frames of \(clip.name) cannot be counted")
        }
        return try SceneSample(
            count: sample, length: sampleFrames ?? Self.usualLength, seed: sampleSeed ?? 1, of: frames)
    }
}
