// SPDX-License-Identifier: MIT

import ArgumentParser
import Capture
import CommandOptions
import EncoderAPI
import Publishing
import Testing

@testable import encpublish

@Suite struct CaptureChoicesTests {
    private func refusal(_ arguments: [String]) -> String {
        do {
            _ = try Encpublish.parseAsRoot(arguments)
            return "taken"
        } catch {
            return Encpublish.message(for: error)
        }
    }

    @Test(
        "a source is an input by its name, or behind --input",
        arguments: [
            ["x11::1"], ["--input", "x11::1"], ["v4l2:", "--skip-dark", "steady"],
            ["lavfi:testsrc2", "--pace", "fast"],
            ["--input", "v4l2:2", "--input", "pulse:mic"], ["x11:", "--sound", "pulse:", "--rotate", "270"],
            ["lavfi:testsrc2", "--sound", "lavfi:sine"], ["x11:", "--frame-rate", "60", "--size", "640x360"],
            ["test", "--rotate", "90"], ["x11:", "--sound", "tone"],
        ])
    func taken(arguments: [String]) {
        #expect(refusal(arguments + ["--to", "a.mp4"]) == "taken")
    }

    @Test(
        "what does not go together is refused, with what would",
        arguments: [
            (["x11::1", "--input", "v4l2:"], "give one of them"), ([], "no input"),
            (["--input", "pulse:"], "gives sound alone"), (["pulse:"], "--sound takes it"),
            (["--input", "x11:", "--input", "v4l2:"], "expected one input of pictures"),
            (["--input", "x11:", "--input", "pulse:", "--input", "pulse:"], "expected one pulse:"),
            (["--input", "x11:", "--input", "pulse:", "--sound", "tone"], "give one of them"),
            (["wayland:"], "x11::9"), (["x11:9"], "expected x11:"), (["v4l2:", "--sound", "x11:"], "gives pictures"),
            (["test", "--sound", "pulse:"], "has a clock of its own"), (["film.mp4", "--sound", "pulse:"], "clock"),
            (["x11:", "--sound", "film.wav"], "expected pulse:"), (["x11:", "--sound", "input"], "has none"),
            (["v4l2:", "--copy"], "not encoded"), (["in.mp4", "--copy", "--rotate", "90"], "--rotate with --copy"),
            (["x11:", "--pace", "fast"], "a pace of its own"), (["lavfi:testsrc2", "--size", "16x16"], "in the graph"),
            (["test", "--skip-dark", "steady"], "--skip-dark is for"),
            (["v4l2:", "--skip-dark", "0"], "expected 1 to"),
            (["v4l2:", "--skip-dark", "2h"], "steady"), (["test", "--rotate", "45"], "0, 90, 180 or 270"),
        ] as [([String], String)])
    func refused(arguments: [String], words: String) {
        let text = refusal(arguments + ["--to", "a.mp4"])
        #expect(text.contains(words), "\(text)")
    }

    @Test("frames to leave out are a number, a time, or until the luma is steady")
    func darkFrames() throws {
        #expect(try OptionParsing.darkFrames("30") == .frames(30))
        #expect(try OptionParsing.darkFrames("500ms") == .time(MediaTime(value: 500, timescale: 1000)))
        #expect(try OptionParsing.darkFrames("1.5s") == .time(MediaTime(value: 1500, timescale: 1000)))
        #expect(try OptionParsing.darkFrames("steady") == .untilSteady)
        for text in ["", "s", "ms", "-1", "nans", "1e9s", "3601s", "0.0001ms", "steadys"] {
            #expect(throws: OptionError.self) { try OptionParsing.darkFrames(text) }
        }
    }

    @Test("the plan says what is captured, and how it is turned")
    func plan() throws {
        var wishes = PublishPlan.Wishes(input: try InputChoice("x11::3"))
        wishes.outputs = [try PlannedOutput("a.mp4", encodings: [])]
        (wishes.rotation, wishes.sound) = (.degrees90, try SoundChoice("pulse:a.monitor"))
        let plan = try PublishPlan(wishes)
        #expect(plan.description.contains("x11::3") && plan.description.contains("pulse:a.monitor"))
        #expect(plan.description.contains("90 degrees clockwise") && plan.notes.first?.contains("no end") == true)
        #expect(plan.sound.isEncoded && plan.filesRead.isEmpty)
        wishes.sound = nil
        #expect(try PublishPlan(wishes).sound == .none)
    }
}
