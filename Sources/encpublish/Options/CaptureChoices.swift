// SPDX-License-Identifier: MIT

import ArgumentParser
import Capture
import CommandOptions
import EncoderAPI
import Publishing

/// What is captured, and how it is shown.
struct CaptureChoices: ParsableArguments {
    @Option(
        name: .customLong("input"),
        help: ArgumentHelp(
            "What to capture: x11:DISPLAY, v4l2:NODE or lavfi:GRAPH for pictures; pulse:SOURCE beside one of them for its sound. 'encpublish devices' lists what there is. Default: none, the input is an argument.",
            valueName: "source"))
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "Degrees by which players turn the pictures clockwise, 0, 90, 180 or 270: told in the stream, and in MP4 and MOV by their matrix too; the page of --serve turns them; default: 0.",
            valueName: "degrees"),
        transform: OptionParsing.rotation)
    var rotate: DisplayRotation?

    @Option(
        help: ArgumentHelp(
            "First frames of a capture to leave out: 1 to 100000 of them, a time of up to 3600s such as 500ms or 2s, or steady for those before the luma is steady, 3 s at most; default: none.",
            valueName: "frames"),
        transform: OptionParsing.darkFrames)
    var skipDark: DarkFrames?

    /// What of the sources gives the pictures, and what the sound beside them.
    ///
    /// - Throws: ``OptionError`` for two of a kind, and sound alone.
    func sources() throws(OptionError) -> (pictures: InputChoice, sound: SoundChoice?)? {
        guard !inputs.isEmpty else { return nil }
        var pictures: InputChoice?
        var sound: SoundChoice?
        for text in inputs {
            if CaptureSource.isNamed(by: text), try CaptureSource.named(text).kind == .pulse {
                guard sound == nil else { throw OptionError(.repeated, "--input \(text), expected one pulse:") }
                sound = try SoundChoice(text)
            } else {
                guard pictures == nil else {
                    throw OptionError(.repeated, "--input \(text), expected one input of pictures, and perhaps pulse:")
                }
                pictures = try InputChoice(text)
            }
        }
        guard let pictures else {
            throw OptionError(
                .conflicting, "--input \(inputs[0]) gives sound alone; give x11:, v4l2: or lavfi: too, for pictures")
        }
        return (pictures, sound)
    }
}

extension OptionParsing {
    /// By how much pictures are turned.
    static func rotation(_ text: String) throws(OptionError) -> DisplayRotation {
        if let degrees = Int(text), let rotation = DisplayRotation(rawValue: degrees) { return rotation }
        throw OptionError(.outOfRange, "'\(text)', expected 0, 90, 180 or 270")
    }

    /// Which first frames are left out.
    static func darkFrames(_ text: String) throws(OptionError) -> DarkFrames {
        func milliseconds(_ digits: Substring, _ factor: Double) -> DarkFrames? {
            guard let value = Double(digits), value.isFinite, (0.001...3600).contains(value * factor / 1000) else {
                return nil
            }
            return .time(MediaTime(value: Int64((value * factor).rounded()), timescale: 1000))
        }
        if text == "steady" { return .untilSteady }
        if let count = Int(text), (1...100_000).contains(count) { return .frames(count) }
        let time =
            text.hasSuffix("ms")
            ? milliseconds(text.dropLast(2), 1) : text.hasSuffix("s") ? milliseconds(text.dropLast(), 1000) : nil
        if let time { return time }
        throw OptionError(
            .malformed, "'\(text)', expected 1 to 100000 frames, a time of up to 3600s such as 500ms, or steady")
    }
}
