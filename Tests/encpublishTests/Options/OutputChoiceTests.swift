// SPDX-License-Identifier: MIT

import CommandOptions
import Publishing
import Testing
import WebSocketPublishing

@testable import encpublish

@Suite struct OutputChoiceTests {
    @Test(
        "files say by extension or by a name before the path what they hold",
        arguments: [
            ("a.mp4", .file(path: "a.mp4", .fragmentedMP4)), ("mp4:a.mp4", .file(path: "a.mp4", .mp4)),
            ("mov:x", .file(path: "x", .mov)), ("a.mkv", .file(path: "a.mkv", .matroska)),
            ("ts:-", .file(path: "-", .transportStream)), ("./ts:a.flv", .file(path: "./ts:a.flv", .flv)),
            ("annexb:/dev/null", .file(path: "/dev/null", .annexB)),
            ("live/", .segments(folder: "live/", .fragmentedMP4)),
            ("ts:live/", .segments(folder: "live/", .transportStream)),
            ("fmp4:live/", .segments(folder: "live/", .fragmentedMP4)),
        ] as [(String, OutputChoice)])
    func files(text: String, output: OutputChoice) throws {
        #expect(try OutputChoice(text) == output)
    }

    @Test("every container has one name")
    func containers() {
        #expect(Set(OutputChoice.containers.map(\.container)) == Set(Container.allCases))
        #expect(Set(OutputChoice.containers.map(\.name)).count == Container.allCases.count)
    }

    @Test("an address is live, and shown without its key")
    func address() throws {
        let output = try OutputChoice("rtmp://user:pass@host/mytv/room?token=T0KEN")
        #expect(output.isLive && output.filePath == nil)
        #expect("\(output)" == "rtmp://host/mytv/…")
    }

    #if WebSocket
        @Test("a server of WebSocket gets messages, or NAL units where annexb: stands before it")
        func webSocket() throws {
            for (text, framing, shown) in [
                ("ws://host:8080/publish?token=SECRET", .messages, "ws://host:8080/…"),
                ("annexb:WS://host/", .nalUnits, "annexb:ws://host/"),
            ] as [(String, WebSocketOptions.Framing, String)] {
                let output = try OutputChoice(text)
                #expect(output.isLive && output.isAddress && output.filePath == nil && "\(output)" == shown)
                guard case .webSocket(_, framing) = output else {
                    Issue.record("\(output)")
                    continue
                }
            }
            for (text, words) in [
                ("ws://user:SECRET@host/", "expected a token"), ("ws://host/#SECRET", "expected it as %23"),
                ("annexb:ws://host:0/SECRET", "expected host:1...65535"), ("ts:ws://host/SECRET", "expected"),
                ("ws:host/SECRET", "expected ://"),
            ] {
                let error = #expect(throws: OptionError.self) { try OutputChoice(text) }
                #expect(error?.description.contains(words) == true, "\(String(describing: error))")
                #expect(error?.description.contains("SECRET") == false)
            }
        }
    #else
        @Test("a server of WebSocket is refused by what the program lacks")
        func webSocket() {
            let error = #expect(throws: OptionError.self) { try OutputChoice("ws://host/SECRET") }
            #expect(error?.code == .unusable && error?.description.contains("--traits WebSocket") == true)
        }
    #endif

    @Test(
        "what is no output is refused by its kind",
        arguments: [
            ("", .malformed, "expected an address, a file or a folder/"),
            ("-", .malformed, "'-' does not say what to write, expected fmp4:-"),
            ("mp4:-", .unusable, "completed at its start"), ("mp4:", .malformed, "expected a path"),
            ("flv:folder/", .conflicting, "expected fmp4: or ts: before a folder"),
            ("a.xyz", .unknownName, "extension \"xyz\""),
            ("noextension", .unknownName, "or one of mp4: fmp4:"),
            ("http://host/x", .malformed, "http://host/…: scheme \"http\""),
            ("rtmp://host", .malformed, "expected /APPLICATION/KEY behind the host"),
        ] as [(String, OptionError.Code, String)])
    func refusals(text: String, code: OptionError.Code, words: String) {
        let error = #expect(throws: OptionError.self) { try OutputChoice(text) }
        #expect(error?.code == code && error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test(
        "a refused address shows nothing behind its host, whatever is wrong with it",
        arguments: [
            "rtmp://user:SECRET@host/SECRET", "rtmp://host:99999/app/SECRET", "ftp://SECRET@host/SECRET?SECRET",
            "srt://host?passphrase=SECRET", "rtmp://host/SECRET", "rtmp://host/app/SECRET SECRET",
            "srt://host:9000?passphrase=SECRET SECRET SECRET", "rtmp://user:a SECRET@host/app/key",
            "rtmp ://h/app/SECRET", "://h/app/SECRET", "rtmp;//h/app/SECRET", "rtmp:h/a SECRET", "h/app/SECRET",
            "user:SECRET@h/app/SECRET",
            "rtnp:user:SECRET@h/app/live.SECRET", "srt://host:9000?passphrase=SECRET",
        ])
    func secrets(text: String) {
        let error = #expect(throws: OptionError.self) { try OutputChoice(text) }
        #expect(error?.description.lowercased().contains("secret") == false, "\(String(describing: error))")
    }
}
