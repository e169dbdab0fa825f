// SPDX-License-Identifier: MIT

import Capture
import CommandOptions
import EncoderAPI
import Publishing

/// What the program will do: a value made from its options before anything is opened.
struct PublishPlan: Equatable, Sendable {
    /// How pictures become access units.
    enum Pictures: Equatable, Sendable {
        /// Encoded, in each of these ways that outputs ask for.
        case encoded([Encoding])
        /// Taken from the input as they are.
        case copied
    }

    /// A way that pictures are encoded.
    struct Encoding: Equatable, Sendable {
        /// What outputs ask for it by; nil for the one of outputs without a name.
        var name: String?
        var choice: EncoderChoice
        /// Whether a mean bit rate is asked for, which can follow what a network takes.
        var hasMeanBitRate = false
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
        var output: PlannedOutput
        /// Seconds after the first picture; it begins with the first sync frame from there on.
        var start: Double
    }

    /// What was asked for.
    struct Wishes: Equatable, Sendable {
        var input: InputChoice
        /// Whether the input is read once from its start, as standard input and pipes are.
        var readsStream = false
        var outputs: [PlannedOutput] = []
        var recording: PlannedOutput?
        var recordingStart = 0.0
        var isCopy = false
        var encoder: EncoderKind?
        var codec: VideoCodec?
        /// Whether a mean bit rate is asked for beside `encoder` and `codec`.
        var hasMeanBitRate = false
        /// Whether mean bit rates follow what networks take.
        var adapts = false
        /// Encodings beside the one that `encoder` and `codec` ask for.
        var named: [Encoding] = []
        /// Options that only an encode has use for, by their names.
        var encoderOptions: [String] = []
        var size: PictureSize?
        var sound: SoundChoice?
        /// Options that only a folder has use for, by their names.
        var segmentOptions: [String] = []
        /// Options that only a server has use for, by their names.
        var serverOptions: [String] = []
        /// Options that only a server over TLS has use for, by their names.
        var certificateOptions: [String] = []
        /// Options that only an encode of sound has use for, by their names.
        var soundOptions: [String] = []
        var pace: Pace?
        var duration: Double?
        /// By how much players turn the pictures.
        var rotation = DisplayRotation.none
        /// Which first frames of a capture are left out.
        var darkFrames = DarkFrames.kept
    }

    var input: InputChoice
    /// Whether the input is read once from its start, as standard input and pipes are.
    var readsStream: Bool
    var pictures: Pictures
    var sound: SoundChoice
    var outputs: [PlannedOutput]
    var recording: Recording?
    var pace: Pace
    /// Seconds of the input that are used; nil for all.
    var duration: Double?
    /// Whether mean bit rates follow what networks take.
    var adapts: Bool
    /// By how much players turn the pictures.
    var rotation: DisplayRotation
    /// Which first frames of a capture are left out.
    var darkFrames: DarkFrames

    /// The names and encoders of the encodings; one, without an encoder, where pictures are copied.
    var encodings: [(name: String?, choice: EncoderChoice?)] {
        switch pictures {
        case .copied: [(nil, nil)]
        case .encoded(let encodings): encodings.map { ($0.name, $0.choice) }
        }
    }

    /// The files that are read, each with what it is.
    var filesRead: [(what: String, path: String)] {
        let input = if case .file(let path) = input { path as String? } else { nil as String? }
        let sound = if case .file(let path) = sound { path as String? } else { nil as String? }
        return [("the input", input), ("the sound", sound)].compactMap { what, path in
            path.map { (what, $0 == "-" ? "/dev/stdin" : $0) }
        }
    }

    /// All outputs, the recording last.
    ///
    /// - Throws: ``PublishingError``.
    func written(
        _ connections: ConnectionChoices, _ segments: SegmentChoices
    ) throws(PublishingError) -> [Output] {
        var written: [Output] = []
        for wish in outputs + [recording?.output].compactMap(\.self) {
            written.append(try wish.place.output(connections, segments, rotation))
        }
        return written
    }

    /// The size of a test source that none is given for.
    static let testSize = PictureSize(width: 1280, height: 720)

    /// Decides what was left open.
    ///
    /// - Throws: ``OptionError`` for wishes that exclude each other.
    init(_ wishes: Wishes) throws(OptionError) {
        (input, readsStream) = (wishes.input, wishes.readsStream || wishes.input.isStandardInput)
        outputs = wishes.outputs
        recording = wishes.recording.map { Recording(output: $0, start: wishes.recordingStart) }
        (duration, adapts) = (wishes.duration, wishes.adapts)
        (rotation, darkFrames) = (wishes.rotation, wishes.darkFrames)
        try Self.checkCapture(wishes)
        pictures = try Self.pictures(wishes)
        sound = try Self.sound(wishes)
        // A pipe has a pace of its own.
        let isLive = outputs.contains(where: \.place.isLive) && !readsStream
        pace = wishes.pace ?? (isLive || input.captured != nil ? .realTime : .fast)
        try Self.checkPlaces(wishes)
        if wishes.adapts { try checkAdaptation() }
    }

    private static func pictures(_ wishes: Wishes) throws(OptionError) -> Pictures {
        let all = wishes.outputs + (wishes.recording.map { [$0] } ?? [])
        let asked =
            [wishes.encoder.map { _ in "--encoder" }, wishes.codec.map { _ in "--codec" }].compactMap(\.self)
            + wishes.encoderOptions
        if wishes.isCopy {
            try checkCopy(wishes, asked)
            return .copied
        }
        for (index, encoding) in wishes.named.enumerated() {
            let name = encoding.name ?? ""
            guard !wishes.named[..<index].contains(where: { $0.name == name }) else {
                throw OptionError(.repeated, "--encoding \(name) is given twice")
            }
            guard all.contains(where: { $0.encoding == name }) else {
                throw OptionError(.conflicting, "--encoding \(name) has no output; give one as --to \(name)=OUTPUT")
            }
        }
        guard all.isEmpty || all.contains(where: { $0.encoding == nil }) else {
            if let first = asked.first {
                throw OptionError(
                    .conflicting, "\(first) is for outputs without the name of an encoding, and there is none")
            }
            return .encoded(wishes.named)
        }
        let choice = try EncoderChoice(encoder: wishes.encoder, codec: wishes.codec, promised: nil)
        return .encoded(
            [Encoding(name: nil, choice: choice, hasMeanBitRate: wishes.hasMeanBitRate)] + wishes.named)
    }

    private func checkAdaptation() throws(OptionError) {
        guard case .encoded(let encodings) = pictures else {
            throw OptionError(.conflicting, "--adapt with --copy, which encodes nothing; leave one of them out")
        }
        let live = Set(outputs.filter(\.place.isAddress).map(\.encoding))
        guard !live.isEmpty else {
            throw OptionError(.conflicting, "--adapt without a server; what a file cannot take yet is waited for")
        }
        for encoding in encodings where live.contains(encoding.name) && !encoding.hasMeanBitRate {
            let place = encoding.name.map { "average-bit-rate in --encoding \($0)" } ?? "--average-bit-rate"
            throw OptionError(.conflicting, "--adapt without a mean bit rate to change; give \(place)")
        }
    }

    private static func checkCopy(_ wishes: Wishes, _ asked: [String]) throws(OptionError) {
        if wishes.input.isTest || wishes.input.captured != nil {
            throw OptionError(.conflicting, "--copy of \(wishes.input), whose pictures are not encoded; leave it out")
        }
        let asked =
            asked + (wishes.size == nil ? [] : ["--size"]) + (wishes.named.isEmpty ? [] : ["--encoding"])
            + (wishes.rotation == .none ? [] : ["--rotate"])
        if let first = asked.first {
            throw OptionError(.conflicting, "\(first) with --copy, which encodes nothing; leave one of them out")
        }
    }

    private static func sound(_ wishes: Wishes) throws(OptionError) -> SoundChoice {
        // A pipe cannot be read a second time for its sound.
        let isWithout =
            wishes.input.isStandardInput || wishes.readsStream || wishes.size != nil || wishes.input.captured != nil
        let usual: SoundChoice =
            wishes.isCopy ? .copied : wishes.input.isTest ? .tone : isWithout ? .none : .inputIfAny
        let sound = wishes.isCopy && wishes.sound == .input ? .copied : wishes.sound ?? usual
        if sound == .input, wishes.input.isTest || isWithout {
            let isNamed = wishes.size == nil || wishes.input.isTest || wishes.input.captured != nil
            throw OptionError(
                .conflicting,
                "--sound input of \(isNamed ? "\(wishes.input)" : "raw video"), which has "
                    + "none that can be read beside its pictures; give another sound")
        }
        if wishes.isCopy, sound.isEncoded {
            throw OptionError(.conflicting, "--sound \(sound) with --copy, expected none, or the input's own sound")
        }
        if wishes.input.isStandardInput, sound == .file(path: "-") {
            throw OptionError(.conflicting, "--sound - and the input both want standard input")
        }
        if let first = wishes.soundOptions.first, !sound.isEncoded {
            let remedy = wishes.isCopy ? "leave it out, or --copy" : "give --sound too"
            throw OptionError(.conflicting, "\(first) without sound that is encoded; \(remedy)")
        }
        return sound
    }

    /// Refuses what only captures have, and what they do not have.
    private static func checkCapture(_ wishes: Wishes) throws(OptionError) {
        guard let source = wishes.input.captured else {
            if wishes.darkFrames != .kept {
                throw OptionError(.conflicting, "--skip-dark is for x11:, v4l2: and lavfi:, not for \(wishes.input)")
            }
            if case .capture(let sound) = wishes.sound {
                throw OptionError(
                    .conflicting,
                    "--sound \(sound) beside \(wishes.input), which has a clock of its own; expected x11:, v4l2: or "
                        + "lavfi: as input")
            }
            return
        }
        switch wishes.sound {
        case .file(let path):
            throw OptionError(
                .conflicting,
                "--sound \(AddressHiding.shown(value: path) ?? path) beside \(source), expected pulse:, lavfi:, tone or "
                    + "none; a file is captured as lavfi:amovie=FILE")
        default: break
        }
        if wishes.pace == .fast, source.kind != .lavfi {
            throw OptionError(.conflicting, "--pace fast of \(source), which has a pace of its own; leave it out")
        }
        if source.kind == .lavfi, wishes.size != nil {
            throw OptionError(.conflicting, "--size beside \(source), expected it in the graph")
        }
    }

    private static func checkPlaces(_ wishes: Wishes) throws(OptionError) {
        let all = wishes.outputs + (wishes.recording.map { [$0] } ?? [])
        guard !all.isEmpty else {
            throw OptionError(.conflicting, "nowhere to write to; give --to, --record or --serve")
        }
        if let recording = wishes.recording, recording.place.isLive {
            throw OptionError(.unusable, "--record \(recording), expected a file or a folder/; --to takes addresses")
        }
        if let first = wishes.segmentOptions.first, !all.contains(where: \.place.isFolder) {
            throw OptionError(.conflicting, "\(first) without an output that is a folder/")
        }
        if let first = wishes.serverOptions.first, !all.contains(where: \.place.isAddress) {
            throw OptionError(.conflicting, "\(first) without a server among the outputs")
        }
        if let first = wishes.certificateOptions.first, !all.contains(where: \.place.hasCertificate) {
            throw OptionError(
                .conflicting, "\(first) without an output to rtmps:// or wss://, which alone have certificates")
        }
        if wishes.recording == nil, wishes.recordingStart > 0 {
            throw OptionError(.conflicting, "--record-after without --record")
        }
        for (index, output) in all.enumerated()
        where all[..<index].contains(where: { $0.place.isSamePlace(as: output.place) }) {
            throw OptionError(.repeated, "\(output.place) is written to twice")
        }
        if case .file(let input) = wishes.input, let output = all.first(where: { $0.place.filePath == input }) {
            throw OptionError(.conflicting, "\(output.place) is the input too; write to another file")
        }
    }
}

extension OutputChoice {
    /// Whether both would write to one place.
    fileprivate func isSamePlace(as other: OutputChoice) -> Bool {
        switch (self, other) {
        case (.segments(let folder, _), .segments(let otherFolder, _)): folder == otherFolder
        case (.file(let path, _), .file(let otherPath, _)): path == otherPath
        default: self == other
        }
    }
}
