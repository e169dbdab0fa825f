// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing

/// What the program will do: a value made from its options before anything is opened.
struct PublishPlan: Equatable, Sendable {
    /// How pictures become access units.
    enum Pictures: Equatable, Sendable {
        /// Encoded by this encoder.
        case encoded(EncoderChoice)
        /// Taken from the input as they are.
        case copied
    }

    /// How fast the input is read.
    enum Pace: String, Equatable, Sendable, CaseIterable {
        /// As fast as its times say.
        case realTime = "real-time"
        /// As fast as the outputs take it.
        case fast
    }

    /// A recording that begins later than the other outputs.
    struct Recording: Equatable, Sendable {
        var output: OutputChoice
        /// Seconds after the first picture; it begins with the first sync frame from there on.
        var start: Double
    }

    /// What was asked for.
    struct Wishes: Equatable, Sendable {
        var input: InputChoice
        var outputs: [OutputChoice] = []
        var recording: OutputChoice?
        var recordingStart = 0.0
        var isCopy = false
        var encoder: EncoderKind?
        var codec: VideoCodec?
        /// Options that only an encode has use for, by their names.
        var encoderOptions: [String] = []
        var size: PictureSize?
        var sound: SoundChoice?
        /// Options that only an encode of sound has use for, by their names.
        var soundOptions: [String] = []
        var pace: Pace?
        var duration: Double?
    }

    var input: InputChoice
    var pictures: Pictures
    var sound: SoundChoice
    var outputs: [OutputChoice]
    var recording: Recording?
    var pace: Pace
    /// Seconds of the input that are used; nil for all.
    var duration: Double?

    /// The size of a test source that none is given for.
    static let testSize = PictureSize(width: 1280, height: 720)

    /// Decides what was left open.
    ///
    /// - Throws: ``OptionError`` for wishes that exclude each other.
    init(_ wishes: Wishes) throws(OptionError) {
        input = wishes.input
        outputs = wishes.outputs
        recording = wishes.recording.map { Recording(output: $0, start: wishes.recordingStart) }
        duration = wishes.duration
        pictures = try Self.pictures(wishes)
        sound = try Self.sound(wishes)
        // A pipe has a pace of its own.
        let isLive = outputs.contains(where: \.isLive) && !wishes.input.isStandardInput
        pace = wishes.pace ?? (isLive ? .realTime : .fast)
        try Self.checkPlaces(wishes)
    }

    private static func pictures(_ wishes: Wishes) throws(OptionError) -> Pictures {
        guard wishes.isCopy else {
            return .encoded(try EncoderChoice(encoder: wishes.encoder, codec: wishes.codec, promised: nil))
        }
        if wishes.input.isTest {
            throw OptionError(.conflicting, "--copy of \(wishes.input), whose pictures are not encoded; leave it out")
        }
        let asked =
            [wishes.encoder.map { _ in "--encoder" }, wishes.codec.map { _ in "--codec" }].compactMap(\.self)
            + wishes.encoderOptions + (wishes.size == nil ? [] : ["--size"])
        if let first = asked.first {
            throw OptionError(.conflicting, "\(first) with --copy, which encodes nothing; leave one of them out")
        }
        return .copied
    }

    private static func sound(_ wishes: Wishes) throws(OptionError) -> SoundChoice {
        let usual: SoundChoice = wishes.isCopy ? .copied : wishes.input.isTest ? .tone : .none
        let sound = wishes.sound ?? usual
        if wishes.isCopy, sound.isEncoded {
            throw OptionError(.conflicting, "--sound \(sound) with --copy, expected none, or the input's own sound")
        }
        if wishes.input.isStandardInput, sound == .file(path: "-") {
            throw OptionError(.conflicting, "--sound - and the input both want standard input")
        }
        if let first = wishes.soundOptions.first, !sound.isEncoded {
            throw OptionError(.conflicting, "\(first) without sound that is encoded; give --sound too")
        }
        return sound
    }

    private static func checkPlaces(_ wishes: Wishes) throws(OptionError) {
        let all = wishes.outputs + (wishes.recording.map { [$0] } ?? [])
        guard !all.isEmpty else {
            throw OptionError(.conflicting, "nowhere to write to; give --to or --record, each as often as you like")
        }
        if let recording = wishes.recording, recording.isLive {
            throw OptionError(.unusable, "--record \(recording), expected a file or a folder/; --to takes addresses")
        }
        if wishes.recording == nil, wishes.recordingStart > 0 {
            throw OptionError(.conflicting, "--record-after without --record")
        }
        for (index, output) in all.enumerated() where all[..<index].contains(where: { $0.isSamePlace(as: output) }) {
            throw OptionError(.repeated, "\(output) is written to twice")
        }
        if case .file(let input) = wishes.input, let output = all.first(where: { $0.filePath == input }) {
            throw OptionError(.conflicting, "\(output) is the input too; write to another file")
        }
    }
}

extension OutputChoice {
    /// Whether both would write to one place.
    fileprivate func isSamePlace(as other: OutputChoice) -> Bool {
        switch (self, other) {
        case (.file(let path, _), .file(let otherPath, _)): path == otherPath
        default: self == other
        }
    }
}
