// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import Publishing

/// What an input does not say of itself, how much of it is used, and the sound beside it.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Size of a test source, of raw video, which has no header, of a camera's pictures, or of the captured part of a screen, up to what the encoder takes, 16384x16384 with x264; other files and graphs have their own, and nothing is scaled. Default: 1280x720 for a test source, up to that of a camera, all of a screen.",
            valueName: "width>x<height"),
        transform: OptionParsing.size)
    var size: PictureSize?

    @OptionGroup var raw: RawVideoOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second of a test source, raw video, a screen or a camera, such as 24 or 30000/1001; default: 25 of raw video, of a camera what it has next to 30, else 30.",
            valueName: "frames/s"),
        transform: OptionParsing.frameRate)
    var frameRate: FrameRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Use the first seconds only, 0.001 to 31536000; default: all, and of a test source pictures without an end.",
            valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0.001...31_536_000) })
    var duration: Double?

    @Option(
        help: ArgumentHelp(
            "real-time reads as fast as the input's times say, fast as fast as files take it; default: real-time for what is captured, and for a file or test source to a server.",
            valueName: "pace"),
        transform: OptionParsing.pace)
    var pace: PublishPlan.Pace?

    @Option(
        help: ArgumentHelp(
            "A file with sound, - for a WAV file on standard input, input for the input's own, tone, or none; beside what is captured pulse:SOURCE, lavfi:GRAPH, tone or none; default: tone for a test source, else the input's own, but none for a capture, standard input, a pipe and raw video unless it is copied.",
            valueName: "sound"))
    var sound: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Mean bit rate of encoded sound, 8k to 1024k; default: 128k.", valueName: "bit/s"),
        transform: { try Quantity.parse($0, unit: "bit/s", range: 8000...1_024_000) })
    var soundBitRate: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sample frames per second of encoded sound, one of \(AudioSettings.sampleRates(of: .aac).reversed().map(String.init).joined(separator: ", ")); default: 48000.",
            valueName: "hertz"),
        transform: { try OptionParsing.integer($0, in: 7350...96_000) })
    var soundRate: Int?

    /// The names of options that only an encode of sound has use for.
    var soundOptions: [String] {
        OptionParsing.given(["--sound-bit-rate": soundBitRate != nil, "--sound-rate": soundRate != nil])
    }

    /// What sound is to be coded to.
    var audioSettings: AudioSettings {
        var settings = AudioSettings()
        if let soundBitRate { settings.bitsPerSecond = soundBitRate }
        if let soundRate { settings.sampleRate = soundRate }
        return settings
    }

    func validate() throws {
        try raw.check(size: size)
        do throws(PublishingError) {
            try audioSettings.check()
        } catch {
            throw ValidationError("sound: \(error.reason)")
        }
    }
}

extension OptionParsing {
    /// How fast an input is read.
    static func pace(_ text: String) throws(OptionError) -> PublishPlan.Pace {
        if let pace = PublishPlan.Pace(rawValue: text) { return pace }
        let names = PublishPlan.Pace.allCases.map(\.rawValue).joined(separator: " or ")
        throw OptionError(.unknownName, "'\(text)', expected \(names)")
    }
}
