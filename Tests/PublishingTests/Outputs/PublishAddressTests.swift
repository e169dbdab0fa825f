// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

@Suite struct PublishAddressTests {
    @Test(
        "an address is shown without its secrets",
        arguments: [
            ("rtmp://host/mytv/room", "rtmp://host/mytv/…", "host", 1935),
            ("RTMP://host:1936/live/key-1?token=abc", "rtmp://host:1936/live/…", "host", 1936),
            ("rtmps://user:word@host.example/app/a/b", "rtmps://host.example/app/…", "host.example", 443),
            ("rtmp://[::1]:1935/app/key", "rtmp://[::1]/app/…", "::1", 1935),
            (
                "srt://host:9000?latency=200000&passphrase=0123456789&streamid=publish:me",
                "srt://host:9000?latency=200000&passphrase=…&streamid=…", "host", 9000
            ),
            ("rtmp://host/mytv?user=joe&pass=word/room", "rtmp://host/mytv/…", "host", 1935),
            ("rtmp://host/mytv;word/room", "rtmp://host/mytv/…", "host", 1935),
            ("srt://host:9000/word?mode=caller", "srt://host:9000/…?mode=caller", "host", 9000),
            ("srt://host:9000?word&key=1&latency=word", "srt://host:9000?…&…&latency=…", "host", 9000),
            ("udp://239.0.0.1:1234?ttl=2", "udp://239.0.0.1:1234?ttl=2", "239.0.0.1", 1234),
        ])
    func shown(text: String, shown: String, host: String, port: Int) throws {
        let address = try PublishAddress(text)
        #expect(address.host == host && address.port == port)
        var dumped = ""
        dump(address, to: &dumped)
        let printed = ["\(address)", String(reflecting: address), dumped]
        #expect(printed[0] == shown && printed[1] == shown)
        for secret in ["room", "key", "token", "word", "0123456789", "publish:me"] where text.contains(secret) {
            #expect(printed.allSatisfy { !$0.contains(secret) }, "\(printed)")
        }
    }

    @Test(
        "what is no address is refused with what would be one",
        arguments: [
            ("", "\"://\""), ("host/app/key", "\"://\""), ("http://host/app/key", "scheme \"http\""),
            ("rtmp:///app/key", "without a host"), ("rtmp://host", "application or a key"),
            ("rtmp://host/app", "application or a key"), ("rtmp://host:0/app/key", "a port that is none"),
            ("rtmp://host:65536/app/key", "host:1...65535"), ("rtmp://host:x/app/key", "a port that is none"),
            ("srt://host", "no port"),
            ("udp://host", "no port"), ("rtmp://host/app/a key", "space"), ("rtmp://höst/app/key", "ASCII"),
            ("rtmp://host/app/key live=1", "space"), ("rtmp://[::1/app/key", "bracket"),
            ("rtmp:h/app?u=http://x", "no scheme"),
            ("srt://host:9000?passphrase=12345", "a passphrase of 5 characters, expected 10...79"),
            ("srt://host:9000?mode=caller&passphrase=\(String(repeating: "x", count: 80))", "of 80 characters"),
            ("srt://host#x:9000", "no port"), ("srt://ho,st:9000", "a host with other characters"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: PublishingError.self) { try PublishAddress(text) }
        #expect(error?.code == .invalidAddress)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("nothing is shown but scheme, host, port, application and harmless options", arguments: UInt64(0)..<40)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let marker = "MARKER\(seed)"
        func piece(_ legal: String) -> String {
            let dirt = ["", "/", "?", "#", "@", "&", "=", ":", "%3F", "x", ";"].randomElement(using: &generator) ?? ""
            return legal + dirt + (Bool.random(using: &generator) ? marker : "")
        }
        for _ in 0..<50 {
            let scheme = ["rtmp", "RTMPS", "srt", "udp"].randomElement(using: &generator) ?? ""
            let user = Bool.random(using: &generator) ? "\(marker):\(marker)@" : ""
            let place = ["host:9000", "[::1]:9000"].randomElement(using: &generator) ?? ""
            // What stands at once behind a host or an application is part of it.
            let port =
                [place, piece(place + "/"), piece(place + "#"), piece(place + "?")]
                .randomElement(using: &generator) ?? ""
            let path = ["", "/app/", "/app?", "/app;"].randomElement(using: &generator) ?? ""
            let rest = (0...2).map { _ in
                piece(["mode=", "latency=", "/", "?", "&", "a"].randomElement(using: &generator) ?? "")
            }
            let behind = path.isEmpty ? "/app/" : path
            let isRTMP = scheme.lowercased().hasPrefix("rtmp")
            let text = "\(scheme)://\(user)\(isRTMP ? place + behind : port + path)\(rest.joined())"
            var printed = ""
            do {
                let address = try PublishAddress(text)
                dump(address, to: &printed)
                dump(Output.address(address), to: &printed)
                printed += "\(address) \(String(reflecting: address)) \(Output.address(address).name)"
            } catch {
                printed = "\(error)"
            }
            #expect(!printed.contains(marker), "\(text): \(printed)")
        }
    }

    @Test("options of a connection, and an output with them, are printed without the passphrase")
    func options() throws {
        var output = Output.address(try PublishAddress("srt://host:9000"))
        output.connection.passphrase = "correct horse"
        var printed = ""
        dump(output, to: &printed)
        dump(output.connection, to: &printed)
        printed +=
            "\(output) \(output.connection) \(String(reflecting: output)) \(String(reflecting: output.connection))"
        printed += "\(Mirror(reflecting: output.connection).children.map { "\($0.value)" })"
        #expect(!printed.contains("correct horse") && printed.contains("passphrase"), "\(printed)")
    }

    @Test("a send buffer for SRT, which has one of its own, is refused")
    func buffer() throws {
        var output = Output.address(try PublishAddress("srt://host:9000"))
        output.connection.sendBufferSize = 8192
        let error = #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], outputs: [output]) }
        #expect(error?.code == .unsupported && error?.reason.contains("8192 bytes for SRT") == true)
    }
}
