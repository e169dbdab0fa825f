// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import Testing

@testable import encpublish

@Suite struct HelpTests {
    @Test("each option with a value states its default")
    func defaults() {
        let lines = Encpublish.helpMessage(columns: 2000).split(separator: "\n").map(String.init)
        let options = lines.indices.filter { lines[$0].hasPrefix("  -") && lines[$0].contains(" <") }
        #expect(options.count > 15)
        for place in options {
            // A long name has its description on the next line.
            let text = lines[place].contains(">  ") ? lines[place] : lines[place] + lines[place + 1]
            #expect(text.contains("efault"), "\(text)")
        }
    }

    /// Options that say what is read and where to, and those that end the program at once.
    private static let places: Set = ["--to", "--record", "--input", "--help", "--version"]

    @Test("'devices' refuses each option by its name")
    func besideDevices() throws {
        let lines = Encpublish.helpMessage(columns: 2000).split(separator: "\n").map(String.init)
        let rows: [String: [String]] = [
            "--record-after": ["1"], "--copy": [], "--json": ["a.json"], "--plan": [], "--verbose": [],
            "--encoder": ["x264"], "--codec": ["h264"], "--encoding": ["b=x265"], "--size": ["64x64"],
            "--format": ["nv12", "--size", "64x64"], "--frame-rate": ["25"], "--duration": ["3"],
            "--pace": ["fast"], "--sound": ["none"], "--rotate": ["0"], "--skip-dark": ["steady"], "--adapt": [],
            "--adapt-floor": ["1k", "--adapt"], "--device": ["/dev/dri/renderD128"], "--preset": ["fast"],
            "--set": ["RealTime=true"], "--crf": ["20"], "--qp": ["20"], "--quality": ["0.5"],
            "--average-bit-rate": ["1M"], "--sound-bit-rate": ["64k"], "--sound-rate": ["48000"],
            "--segment-duration": ["2"], "--segment-window": ["3"], "--tries": ["2"], "--certificates": ["a.pem"],
            "--insecure": [],
        ]
        let names = Set(
            lines.filter { $0.hasPrefix("  -") }.compactMap { line in
                line.split(separator: " ").first { $0.hasPrefix("--") }.map(String.init)
            })
        let own = names.filter { rows[$0] != nil || !$0.hasPrefix("--serve") && !Self.places.contains($0) }
        #expect(rows.count > 30 && Set(rows.keys).isSubset(of: names))
        for name in own.sorted() {
            let values = try #require(rows[name], "\(name) has no row")
            let error = #expect(throws: (any Error).self) {
                try Encpublish.parseAsRoot(["devices", name] + values)
            }
            let message = error.map { Encpublish.message(for: $0) } ?? ""
            #expect(message.contains("devices with ") && message.contains(name) || values.count > 1, "\(message)")
        }
        #expect(throws: Never.self) { try Encpublish.parseAsRoot(["devices"]) }
    }

    @Test("an example is one line of a narrow terminal")
    func examples() {
        let lines = Encpublish.helpMessage(columns: 80).split(separator: "\n").map(String.init)
        let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(examples.count == 5 && examples.allSatisfy { $0.hasPrefix("  encpublish ") }, "\(examples)")
    }

    @Test("each rate of sound that the help names is taken, and no other")
    func soundRates() throws {
        let lines = Encpublish.helpMessage(columns: 2000).split(separator: "\n").map(String.init)
        let line = try #require(lines.first { $0.contains("--sound-rate <hertz>") })
        let named = try #require(line.split(separator: "one of ").last?.split(separator: ";").first)
            .split(separator: ", ").compactMap { Int($0) }
        #expect(named.count == 13)
        for rate in named {
            #expect(throws: Never.self) {
                try Encpublish.parseAsRoot(["test", "--to", "a.ts", "--sound-rate", "\(rate)"])
            }
        }
        for rate in [7349, 10_000, 96_001] {
            #expect(throws: (any Error).self) {
                try Encpublish.parseAsRoot(["test", "--to", "a.ts", "--sound-rate", "\(rate)"])
            }
        }
    }

    @Test(
        "what the parser says of a wrong command line hides keys",
        arguments: [
            ["test", "rtmp://h/app/SECRET"], ["test", "--to", "rtmp://SECRET@h/SECRET"],
            ["test", "--too", "rtmp://h/app/SECRET"], ["test", "--size", "rtmp://h/app/SECRET", "--to", "a.ts"],
            ["test", "--to", "srt://h:9000?passphrase=the SECRET words"],
            ["test", "rtmp://user:a SECRET@h/app/SECRET"],
            ["test", "--to", "a.ts", "--too=rtmp ://h/app/SECRET"], ["test", "--record", "://h/app/SECRET"],
            ["test", "--to", "a.ts", "--size", "rtmp;//SECRET/a SECRET\nSECRET"],
            ["test", "--to", "srt://h:9000?passphrase=SECRET1", "SECRET2", "SECRET"],
            ["test", "--to", "srt://h:9000?passphrase=the", "--SECRET", "words", "--to", "a.ts"],
            ["test", "--to=rtmp://h/app/key", "--SECRET=more", "-SECRET", "--to", "a.ts"],
        ])
    func secrets(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try Encpublish.parseAsRoot(arguments) }
        let program = Program(name: "encpublish", root: Encpublish.self, options: [:]) {
            AddressHiding.hide(in: $0, arguments: arguments)
        }
        let message = try #require(program.message(of: error, code: Encpublish.exitCode(for: error)))
        #expect(message.hasPrefix("encpublish: error: ") && !message.contains("SECRET"), "\(message)")
    }

    @Test("what is told without any argument has the whole help, addresses too")
    func withoutArguments() throws {
        let error = try #require(throws: (any Error).self) { try Encpublish.parseAsRoot([]) }
        let message = try #require(Program.encpublish.message(of: error, code: Encpublish.exitCode(for: error)))
        #expect(message.contains(Encpublish.helpMessage()) && message.contains("/KEY, rtmps://"), "\(message)")
    }

    @Test("options of a wrong combination are refused before anything is opened")
    func combinations() {
        for arguments in [
            ["test"], ["test", "--to", "a.ts", "--copy"], ["in", "--to", "a.ts", "--frame-rate", "30"],
            ["test", "--to", "ts:-", "--json", "-"], ["test", "--to", "a.ts", "--sound-rate", "47999"],
            ["test", "--to", "a.ts", "--insecure", "--certificates", "x"],
            ["in", "--to", "a.ts", "--format", "nv12"], ["in", "--copy", "--crf", "20", "--to", "a.ts"],
        ] {
            let error = #expect(throws: (any Error).self) { try Encpublish.parseAsRoot(arguments) }
            #expect(error.map { Encpublish.exitCode(for: $0) } == .validationFailure, "\(arguments)")
        }
    }
}
