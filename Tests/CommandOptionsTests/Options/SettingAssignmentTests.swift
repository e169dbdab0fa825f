// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import Testing

@testable import CommandOptions

@Suite struct SettingAssignmentTests {
    private let refused: [Setting: String] = [.framing: "the output decides"]

    @Test("an assignment changes the setting of its name and no other")
    func apply() throws {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        var expected = configuration
        expected.realTime = true
        try OptionParsing.assignment("RealTime=true", refusing: refused).apply(to: &configuration)
        #expect(configuration == expected)
    }

    @Test("rates take k and M as the options for them do", arguments: ["ConstantBitRate", "VBVMaxBitRate"])
    func quantities(name: String) throws {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        let row = try #require(SettingRow.named(name))
        for (text, value) in [("100k", "100000"), ("1.5M", "1500000"), ("2000", "2000"), ("", nil)] {
            try OptionParsing.assignment("\(name)=\(text)", refusing: refused).apply(to: &configuration)
            #expect(row.value(in: configuration) == value, "\(text)")
        }
        for text in ["100q", "1.0001k", "k"] {
            #expect(throws: OptionError.self) {
                try OptionParsing.assignment("\(name)=\(text)", refusing: refused)
            }
        }
    }

    @Test("limits take k as their option does")
    func limits() throws {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        try OptionParsing.assignment("DataRateLimits=100k/1,64Ki/0.5", refusing: refused).apply(to: &configuration)
        #expect(
            configuration.live.dataRateLimits == [
                DataRateLimit(bytes: 100_000, seconds: 1), DataRateLimit(bytes: 65_536, seconds: 0.5),
            ])
        try OptionParsing.assignment("DataRateLimits=", refusing: refused).apply(to: &configuration)
        #expect(configuration.live.dataRateLimits.isEmpty)
        for text in ["100k/1,", ",100k/1", "100k/1,,64k/0.5"] {
            #expect(throws: (any Error).self, "\(text)") {
                try OptionParsing.assignment("DataRateLimits=\(text)", refusing: refused).apply(to: &configuration)
            }
        }
    }

    @Test("what a program filled in from the input is no warning, unless it was named")
    func level() throws {
        let named = try [OptionParsing.assignment("SourceFrameCount=5", refusing: refused)]
        func adjustment(of setting: Setting) -> Adjustment {
            Adjustment(setting, requested: "5", used: "no plan", reason: "the device does not look ahead")
        }
        #expect([SettingAssignment]().level(of: adjustment(of: .sourceFrameCount)) == .info)
        #expect(named.level(of: adjustment(of: .sourceFrameCount)) == .warning)
        #expect(named.level(of: adjustment(of: .pixelFormat)) == .info)
        #expect([SettingAssignment]().level(of: adjustment(of: .averageBitRate)) == .warning)
    }

    @Test(
        "what is no assignment is refused by its kind, with what would be legal",
        arguments: [
            ("RealTime", .malformed, "'RealTime', expected NAME=VALUE such as RealTime=true"),
            ("RealTime=maybe", .outOfRange, "RealTime \"maybe\", expected true or false"),
            ("Framing=annexb", .unusable, "the output decides"),
        ] as [(String, OptionError.Code, String)])
    func refusals(text: String, code: OptionError.Code, description: String) {
        let error = #expect(throws: OptionError.self) { try OptionParsing.assignment(text, refusing: refused) }
        #expect(error?.code == code && error?.description == description)
    }

    @Test("an unknown name is answered with all names but those that are refused")
    func names() {
        let error = #expect(throws: OptionError.self) { try OptionParsing.assignment("Foo=1", refusing: refused) }
        #expect(error?.code == .unknownName && error?.description.hasPrefix("'Foo', expected one of ") == true)
        #expect(error?.description.contains("RealTime") == true && error?.description.contains("Framing") == false)
    }
}
