// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI

/// What all commands that encode let a user say about an encoder; names are those of the API.
struct EncoderOptions: ParsableArguments {
    @Option(help: "The library's tune, such as film, grain, psnr, ssim, zerolatency; default: none.")
    var tune: String?

    @Option(
        help:
            "Threads the encoder may use, 1 to 128; auto lets it choose. The output may depend on it. Default: auto in encode and realtime, elsewhere 1.",
        transform: OptionParsing.threads)
    var threads: ThreadChoice?

    /// Threads of each encoder that is compared; nil lets it choose.
    ///
    /// One unless asked otherwise: more change what x265 writes, and hide what a frame costs.
    var comparedThreadCount: Int? { (threads ?? ThreadChoice(count: 1)).count }

    @Option(
        parsing: .unconditional,
        help: "Smallest quantizer a frame may get, 0 to 51, for vaapi 1 to 51; default: the encoder's.",
        transform: OptionParsing.quantizer)
    var minQP: Int?

    @Option(
        parsing: .unconditional,
        help: "Largest quantizer a frame may get, 0 to 51, for vaapi 1 to 51; default: the encoder's.",
        transform: OptionParsing.quantizer)
    var maxQP: Int?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "No window of SECONDS, 0.001 to 3600, may carry more than BYTES, 1 to 1000G; may be given several times. Default: no limit.",
            valueName: "bytes/seconds"),
        transform: OptionParsing.dataRateLimit)
    var dataRateLimit: [DataRateLimit] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Highest bit rate that will ever be asked for, 1k to 1G; pins level and buffer. Default: none.",
            valueName: "bit/s"),
        transform: OptionParsing.bitRate)
    var bitRateCeiling: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Most frames from one key frame to the next, 1 to 1000000000; 1 makes each frame one. Default: the encoder's.",
            valueName: "frames"),
        transform: OptionParsing.frameCount)
    var maxKeyFrameInterval: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The first frame so many seconds or more after a key frame becomes one too, 0.001 to 86400; default: the encoder's interval.",
            valueName: "seconds"),
        transform: { try OptionParsing.number($0, in: 0.001...86_400) })
    var maxKeyFrameIntervalDuration: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames to make key frames, such as 10,25,40: numbers from 0 in display order; default: none, in keyframes three.",
            valueName: "frames"),
        transform: OptionParsing.frameNumbers)
    var forceKeyFrames: [Int] = []

    @Flag(help: "Code frames in the order they are shown: no B frames.")
    var noFrameReordering = false

    @Flag(help: "Let frames depend on frames across a random-access point.")
    var openGOP = false

    @Option(
        help: "How H.264 codes its symbols: cavlc or cabac; default: the encoder's choice.",
        transform: OptionParsing.entropyMode)
    var entropyMode: H264EntropyMode?

    @Option(
        help: ArgumentHelp(
            "Profile and level, such as h264-high-auto, h264-baseline-3.1, hevc-main10-auto; default: auto.",
            valueName: "name"),
        transform: OptionParsing.profileLevel)
    var profileLevel: ProfileLevel = .automatic

    @Flag(help: "Hold no frames: no lookahead, no B pictures; a fast preset unless --preset names another.")
    var realTime = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second to plan with, 0.01 to 1000, such as 30, 29.97 or 30000/1001; default: the input's.",
            valueName: "frames/s"),
        transform: OptionParsing.frameRate)
    var expectedFrameRate: FrameRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Most frames the encoder may hold back, 0 to 1000; default: the encoder's choice.", valueName: "frames"),
        transform: { try OptionParsing.integer($0, in: 0...1000) })
    var maxFrameDelayCount: Int?

    @Option(
        help: ArgumentHelp(
            "An option of the library by its own name; unknown names are refused. May be given several times; default: none.",
            valueName: "name=value"),
        transform: OptionParsing.nativeOption)
    var native: [NativeOption] = []
}
