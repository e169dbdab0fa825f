// SPDX-License-Identifier: MIT

import Publishing
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
            ("rtmp://host/app", "application or a key"), ("rtmp://host:0/app/key", "port 0"),
            ("rtmp://host:65536/app/key", "port 65536"), ("rtmp://host:x/app/key", "port x"), ("srt://host", "no port"),
            ("udp://host", "no port"), ("rtmp://host/app/a key", "space"), ("rtmp://höst/app/key", "ASCII"),
            ("rtmp://host/app/key live=1", "space"), ("rtmp://[::1/app/key", "bracket"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: PublishingError.self) { try PublishAddress(text) }
        #expect(error?.code == .invalidAddress)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
