// SPDX-License-Identifier: MIT

import CommandOptions
import Testing

@testable import encpublish

@Suite struct InputChoiceTests {
    @Test(
        "an input is a test source, standard input, or a file",
        arguments: [
            ("test", .test, "test"), ("test:flash", .flash, "test:flash"), ("-", .file(path: "-"), "standard input"),
            ("./test", .file(path: "./test"), "./test"), ("a b.mp4", .file(path: "a b.mp4"), "a b.mp4"),
        ] as [(String, InputChoice, String)])
    func inputs(text: String, input: InputChoice, description: String) throws {
        #expect(try InputChoice(text) == input && "\(input)" == description)
    }

    @Test(
        "an unknown test source is refused by name, and how to mean a file",
        arguments: [("", OptionError.Code.malformed, "expected a file"), ("test:tone", .unknownName, "./test:tone")])
    func refusals(text: String, code: OptionError.Code, words: String) {
        let error = #expect(throws: OptionError.self) { try InputChoice(text) }
        #expect(error?.code == code && error?.description.contains(words) == true)
    }

    @Test("sound is none, a tone, or a file")
    func sound() throws {
        #expect(try SoundChoice("none") == .none && SoundChoice("tone") == .tone)
        #expect(try SoundChoice("./tone") == .file(path: "./tone") && SoundChoice("-") == .file(path: "-"))
        #expect(throws: OptionError.self) { try SoundChoice("") }
    }
}
