// SPDX-License-Identifier: MIT

import Capture
import EncoderAPI

/// Captures a source and prints what comes, a line each, for tests that need a process of their own: one with a
/// preloaded library, a display or a sound server.
///
///     captureprobe devices
///     captureprobe pictures SOURCE COUNT [OPTION=VALUE ...]
///     captureprobe sound SOURCE COUNT
@main enum CaptureProbe {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "devices": devices()
            case "pictures": try pictures(Array(arguments.dropFirst()))
            case "sound": try sound(Array(arguments.dropFirst()))
            default:
                print("usage: captureprobe devices | pictures SOURCE COUNT [OPTION=VALUE ...] | sound SOURCE COUNT")
            }
        } catch let error as CaptureError {
            print("error \(error.code.rawValue) \(error)")
        } catch {
            print("error other \(error)")
        }
    }

    private static func devices() {
        let found = CaptureDevices.find()
        for device in found.devices {
            print("device \(device.source) \(device.isDefault ? "default" : "other") \(device.name)")
            for mode in device.modes { print("mode \(mode)") }
        }
        for problem in found.problems { print("problem \(problem.code.rawValue) \(problem)") }
    }

    private static func pictures(_ arguments: [String]) throws {
        var options = CaptureOptions()
        for argument in arguments.dropFirst(2) { set(argument, in: &options) }
        let capture = try PictureCapture(CaptureSource(arguments[0]), options)
        let format = capture.format
        let rate = format.rate.map { "\($0.numerator)/\($0.denominator)" } ?? "none"
        print("format \(format.width)x\(format.height) \(format.pixelFormat) \(rate) \(format.deviceFormat)")
        defer {
            capture.stop()
            let statistics = capture.statistics
            print(
                "statistics given \(statistics.given) lost \(statistics.lost) dark \(statistics.dark) "
                    + "damaged \(statistics.damaged) surplus \(statistics.surplus) unsteady \(statistics.isNeverSteady)"
            )
        }
        let count = Int(arguments[1]) ?? 0
        var given = 0
        while given < count, let picture = try capture.next() {
            let duration = picture.duration.map { "\($0.value)" } ?? "-"
            print("picture \(picture.time.value) \(duration) \(mean(picture.picture))")
            given += 1
        }
        print("end")
    }

    private static func set(_ argument: String, in options: inout CaptureOptions) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        let numbers = (parts.last ?? "").split(separator: "x").compactMap { Int($0) }
        switch parts[0] {
        case "size": options.size = (numbers[0], numbers[1])
        case "rate": options.frameRate = FrameRate(numerator: numbers[0])
        case "dark-frames": options.darkFrames = .frames(numbers[0])
        case "steady": options.darkFrames = .untilSteady(longest: MediaTime(value: Int64(numbers[0]), timescale: 1000))
        case "durations": options.knowsDurations = true
        case "silence": options.longestSilence = .milliseconds(numbers[0])
        case "opening": options.longestOpening = .milliseconds(numbers[0])
        default: print("unknown option \(argument)")
        }
    }

    /// The mean of a picture's luma.
    private static func mean(_ picture: PixelBuffer) -> Double {
        picture.withPlane(0) { bytes, bytesPerRow in
            var sum = 0
            for row in 0..<picture.height {
                for column in 0..<picture.width { sum += Int(bytes[row * bytesPerRow + column]) }
            }
            return Double(sum) / Double(picture.width * picture.height)
        }
    }

    private static func sound(_ arguments: [String]) throws {
        let capture = try SoundCapture(CaptureSource(arguments[0]))
        defer { capture.stop() }
        let count = Int(arguments[1]) ?? 0
        var given = 0
        while given < count, let sound = try capture.next() {
            let power = sound.samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(max(sound.samples.count, 1))
            print(
                "sound \(sound.time.value) \(sound.frameCount) \(sound.channelCount) \(sound.sampleRate) "
                    + "\(power.squareRoot())")
            given += sound.frameCount
        }
        print("end")
    }
}
